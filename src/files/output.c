/* SPDX-License-Identifier: MIT
 * Output files: written under a temporary name, synced, given their metadata, and then renamed. */
#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mark.h"
#include "core/text.h"
#include "files/folder.h"
#include "files/link.h"
#include "files/name.h"
#include "files/temporary.h"

/* Opens the temporary file beside output->target. */
static enum fpgz_status open_temporary(struct output *output, struct fpgz_error *error)
{
    output->temporary = fpgz_mark_beside(output->target);
    if (!output->temporary)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    output->fd = temporary_remember(output->temporary);
    if (output->fd < 0) {
        fpgz_fail(error, FPGZ_IO, "cannot create %s: %s", output->path, strerror(errno));
        free(output->temporary);
        output->temporary = NULL;
    }
    return error->status;
}

/* Opens output->target, or the descriptor `own` (-1: none) that the path leads to. */
static enum fpgz_status open_target(struct output *output, int own, bool no_link,
                                    const struct fpgz_input *input, struct fpgz_error *error)
{
    const char *const path = output->path;
    struct stat there;
    const int found = own >= 0  ? fstat(own, &there)
                      : no_link ? lstat(output->target, &there)
                                : stat(output->target, &there);
    const bool exists = found == 0;
    if (!exists && (own >= 0 || errno == ENAMETOOLONG))
        return fpgz_fail(error, FPGZ_IO, "cannot create %s: %s%s", path, strerror(errno),
                         own >= 0 || no_link ? "" : "; -o chooses another");
    if (exists && there.st_dev == input->stat.st_dev && there.st_ino == input->stat.st_ino)
        return fpgz_fail(error, FPGZ_EXISTS, "%s is the input itself; choose another name with -o", path);
    if (exists && S_ISDIR(there.st_mode))
        return fpgz_fail(error, FPGZ_EXISTS, "%s is a directory; choose a file's name with -o", path);
    if (own >= 0 || (exists && !S_ISREG(there.st_mode) && !no_link)) {
        output->fd =
            own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open(output->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (output->fd < 0)
            return fpgz_fail(error, FPGZ_IO, "cannot write to %s: %s", path, strerror(errno));
        return FPGZ_OK;
    }
    if (exists && !output->replace)
        return fpgz_fail(error, FPGZ_EXISTS, "%s exists already; -f replaces it, -o chooses another name",
                         path);
    return open_temporary(output, error);
}

enum fpgz_status output_open(struct output *output, struct console *console, const char *path, unsigned how,
                             const struct fpgz_input *input, struct fpgz_error *error)
{
    const bool no_link = how & OUTPUT_NO_LINK;
    int own = -1;
    *output = (struct output){.console = console,
                              .path = path,
                              .name = path ? path : "(stdout)",
                              .fd = STDOUT_FILENO,
                              .replace = how & OUTPUT_REPLACES};
    if (!path)
        return FPGZ_OK;
    output->target = no_link ? name_join(path, strlen(path), "") : link_follow(path, &own);
    if (!output->target)
        return fpgz_fail(error, FPGZ_IO, "cannot create %s: %s", path, strerror(errno));
    if (open_target(output, own, no_link, input, error)) {
        free(output->target);
        output->target = NULL;
    }
    return error->status;
}

enum fpgz_status output_open_here(struct output *output, struct console *console, const char *path,
                                  bool replaces, const struct fpgz_input *input, struct fpgz_error *error)
{
    const char *const name = fpgz_text_base(path);
    *output = (struct output){.console = console, .path = path, .name = path, .fd = -1, .replace = replaces};
    output->target = name_join(name, strlen(name), "");
    if (open_target(output, -1, true, input, error)) {
        free(output->target);
        output->target = NULL;
    }
    return error->status;
}

/* Gives the complete temporary file its name; an existing one is replaced only if it may be. */
static bool rename_output(const struct output *output)
{
    if (output->replace)
        return rename(output->temporary, output->target) == 0;
    if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* Some file systems know no such flag; a hard link does not replace either. */
    if (link(output->temporary, output->target) != 0)
        return false;
    unlink(output->temporary);
    return true;
}

/* Gives the output its owner and group as far as we may. False where the group is another. */
static bool give_owner(const struct output *output, const struct metadata *metadata)
{
    struct stat now;
    if (!metadata->has_owner || fstat(output->fd, &now) != 0)
        return true;
    if (now.st_uid != metadata->owner && fchown(output->fd, metadata->owner, (gid_t)-1) != 0)
        message_notice(output->console, 0, output->name, "cannot set the owner: %s", strerror(errno));
    if (now.st_gid == metadata->group || fchown(output->fd, (uid_t)-1, metadata->group) == 0)
        return true;
    message_notice(output->console, 0, output->name, "cannot set the group: %s", strerror(errno));
    return false;
}

/* Gives the output its extended attributes, owner, group, mode and access list; false when its mode cannot be
 * set, and errno tells why. In this order, for what comes later may forbid, or undo, what comes before. Where
 * the group is another, it gets no more than all others. */
static bool give_rights(struct output *output, const struct metadata *metadata)
{
    const mode_t mask = umask(0), mode = metadata->has_mode ? metadata->mode & 0777 : 0666 & ~mask;
    const mode_t both = mode >> 3 & mode & 07;
    char lost[FPGZ_XATTR_NAME + 60];
    umask(mask);
    if (!metadata->only_rights)
        xattrs_give(output->fd, &metadata->xattrs, &output->lost);
    const bool owned = give_owner(output, metadata);
    const mode_t given = owned ? mode : (mode & 0700) | both << 3 | both;
    const bool ok = metadata->has_mode
                        ? xattrs_give_rights(output->fd, &metadata->xattrs, given, owned, &output->lost)
                        : fchmod(output->fd, given) == 0;
    const int reason = errno;
    if (output->lost.kept)
        message_notice(output->console, 1, output->name, "%s cannot be set here",
                       xattrs_lost_text(&output->lost, lost));
    errno = reason;
    return ok;
}

struct metadata metadata_of(const struct fpgz_file_head *file)
{
    return (struct metadata){.has_mode = file->has_mode,
                             .has_mtime = file->has_mtime,
                             .mode = file->mode,
                             .mtime = {.tv_sec = (time_t)file->mtime, .tv_nsec = file->mtime_ns}};
}

enum fpgz_status output_sync(struct output *output, const struct metadata *metadata, struct fpgz_error *error)
{
    if (!output->temporary || output->synced)
        return FPGZ_OK;
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, metadata->mtime};
    if (!give_rights(output, metadata) || (metadata->has_mtime && futimens(output->fd, times) != 0))
        message_warning(output->console, FPGZ_WARNING_METADATA, output->name, "cannot set mode and time: %s",
                        strerror(errno));
    if (fsync(output->fd) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot write %s: %s", output->path, strerror(errno));
    output->synced = true;
    return FPGZ_OK;
}

enum fpgz_status output_commit(struct output *output, const struct metadata *metadata,
                               struct fpgz_error *error)
{
    if (!output->path)
        return FPGZ_OK;
    if (output_sync(output, metadata, error))
        return error->status;
    const int fd = output->fd;
    output->fd = -1;
    if (close(fd) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot write %s: %s", output->path, strerror(errno));
    if (!output->temporary)
        return FPGZ_OK;
    if (!rename_output(output))
        return errno == EEXIST
                   ? fpgz_fail(error, FPGZ_EXISTS, "%s exists already; -f replaces it", output->path)
                   : fpgz_fail(error, FPGZ_IO, "cannot create %s: %s", output->path, strerror(errno));
    temporary_remember(NULL);
    free(output->temporary);
    output->temporary = NULL;
    output->complete = folder_sync(output->target);
    if (!output->complete)
        message_warning(output->console, FPGZ_WARNING_UNSYNCED, output->name,
                        "is written and synced, but its folder cannot be synced: %s; a crash of the machine "
                        "may undo its name",
                        strerror(errno));
    return FPGZ_OK;
}

enum fpgz_status output_refuse(const struct output *output, struct fpgz_error *error)
{
    const struct fpgz_error why = *error;
    error->status = FPGZ_OK;
    return why.status ? fpgz_fail(error, why.status, "%s failed verification: %s", output->path, why.text)
                      : FPGZ_OK;
}

void output_discard(struct output *output)
{
    if (output->path && output->fd >= 0)
        close(output->fd);
    output->fd = -1;
    if (output->temporary) {
        temporary_remove();
        temporary_remember(NULL);
        free(output->temporary);
        output->temporary = NULL;
    }
    free(output->target);
    output->target = NULL;
}

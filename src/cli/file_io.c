/* SPDX-License-Identifier: MIT */
#include "cli/file_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/name.h"
#include "core/checksum.h"
#include "core/grid.h"
#include "core/io.h"

enum fpgz_status input_open(struct input *input, const char *path, struct fpgz_error *error)
{
    *input = (struct input){.path = path, .name = path ? path : "(stdin)", .size = FPGZ_UNKNOWN};
    input->fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    if (input->fd < 0 || fstat(input->fd, &input->stat) != 0) {
        fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    } else if (S_ISDIR(input->stat.st_mode)) {
        fpgz_fail(error, FPGZ_IO, "is a directory; -r takes the files in it");
    } else {
        const off_t start = lseek(input->fd, 0, SEEK_CUR);
        input->regular = S_ISREG(input->stat.st_mode) && start >= 0;
        if (input->regular) {
            input->start = (uint64_t)start;
            input->size = start < input->stat.st_size ? (uint64_t)(input->stat.st_size - start) : 0;
        }
        return FPGZ_OK;
    }
    input_close(input);
    return error->status;
}

enum fpgz_status input_unchanged(const struct input *input, struct fpgz_error *error)
{
    struct stat now;
    if (!input->regular || fstat(input->fd, &now) != 0)
        return FPGZ_OK;
    if (now.st_size != input->stat.st_size)
        return fpgz_fail(error, FPGZ_IO,
                         "had %jd bytes and has %jd now: it changed while it was read; try again",
                         (intmax_t)input->stat.st_size, (intmax_t)now.st_size);
    if (now.st_mtim.tv_sec != input->stat.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != input->stat.st_mtim.tv_nsec)
        return fpgz_fail(error, FPGZ_IO, "was written to while it was read; try again");
    return FPGZ_OK;
}

void input_close(struct input *input)
{
    if (input->path && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

enum fpgz_status file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error)
{
    enum { PIECE = 1 << 18 };
    struct fpgz_checksum_stream *stream = fpgz_checksum_begin();
    char *piece = malloc(PIECE);
    *bytes = 0;
    if (!stream || !piece)
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (size_t got = PIECE; !error->status && got == PIECE; *bytes += got) {
        if (!fpgz_read_at(fd, piece, PIECE, *bytes, &got))
            fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
        fpgz_checksum_add(stream, piece, got);
    }
    if (stream)
        *sum = fpgz_checksum_end(stream);
    free(piece);
    return error->status;
}

/* The temporary file that a signal must not leave behind, set with signals blocked, and which one it is. */
static char doomed[PATH_MAX];
static struct stat doomed_stat;

/* Removes it, if it is still what we made. */
static void remove_doomed(void)
{
    struct stat now;
    if (doomed[0] && lstat(doomed, &now) == 0 && now.st_dev == doomed_stat.st_dev &&
        now.st_ino == doomed_stat.st_ino)
        unlink(doomed);
}

static void handle_signal(int number)
{
    remove_doomed();
    signal(number, SIG_DFL);
    raise(number);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};

void file_io_handle_signals(void)
{
    struct sigaction action = {.sa_handler = handle_signal};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* what ulimit -f does not allow is a write that fails, as on a full disk */
}

/* Creates the temporary file (path ends in XXXXXX), or forgets it (NULL), as one step for the signal handler.
 */
static int remember(char *temporary)
{
    sigset_t blocked, old;
    int fd = -1;
    sigfillset(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &old);
    doomed[0] = '\0';
    if (temporary) {
        fd = mkostemp(temporary, O_CLOEXEC);
        if (fd >= 0) {
            flock(fd, LOCK_EX | LOCK_NB); /* for leftovers_remove() */
            fstat(fd, &doomed_stat);
            snprintf(doomed, sizeof doomed, "%s", temporary);
        }
    }
    const int reason = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = reason;
    return fd;
}

/* "dir/.fpgz-XXXXXX" for "dir/name"; the caller frees it. */
static char *temporary_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int directory = slash ? (int)(slash + 1 - path) : 0;
    char *temporary = NULL;
    if (asprintf(&temporary, "%.*s" NAME_TEMPORARY, directory, path) < 0)
        return NULL;
    return temporary;
}

enum fpgz_status output_open(struct output *output, const char *path, bool replace, const struct input *input,
                             struct fpgz_error *error)
{
    struct stat there;
    *output = (struct output){
        .path = path, .name = path ? path : "(stdout)", .fd = STDOUT_FILENO, .replace = replace};
    if (!path)
        return FPGZ_OK;
    const bool exists = stat(path, &there) == 0;
    if (exists && there.st_dev == input->stat.st_dev && there.st_ino == input->stat.st_ino)
        return fpgz_fail(error, FPGZ_EXISTS, "%s is the input itself; choose another name with -o", path);
    if (exists && S_ISDIR(there.st_mode))
        return fpgz_fail(error, FPGZ_EXISTS, "%s is a directory; choose a file's name with -o", path);
    if (exists && !S_ISREG(there.st_mode)) {
        output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (output->fd < 0)
            return fpgz_fail(error, FPGZ_IO, "cannot write to %s: %s", path, strerror(errno));
        return FPGZ_OK;
    }
    if (exists && !replace)
        return fpgz_fail(error, FPGZ_EXISTS, "%s exists already; -f replaces it, -o chooses another name",
                         path);
    output->temporary = temporary_beside(path);
    if (!output->temporary)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    output->fd = remember(output->temporary);
    if (output->fd < 0) {
        fpgz_fail(error, FPGZ_IO, "cannot create %s: %s", path, strerror(errno));
        free(output->temporary);
        output->temporary = NULL;
    }
    return error->status;
}

/* Gives the complete temporary file its name; an existing one is replaced only if it may be. */
static bool rename_output(const struct output *output)
{
    if (output->replace)
        return rename(output->temporary, output->path) == 0;
    if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* Some file systems know no such flag; a hard link does not replace either. */
    if (link(output->temporary, output->path) != 0)
        return false;
    unlink(output->temporary);
    return true;
}

void folder_sync(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd); /* not every file system can; the file itself is synced already */
        close(fd);
    }
    free(directory);
}

/* Gives the output its owner and group as far as we may. Returns the mode that it may then have: where the
 * group is another, that gets no more than all others. */
static mode_t give_owner(const struct output *output, const struct metadata *metadata, mode_t mode)
{
    struct stat now;
    if (!metadata->has_owner || fstat(output->fd, &now) != 0)
        return mode;
    if (now.st_uid != metadata->owner && fchown(output->fd, metadata->owner, (gid_t)-1) != 0)
        message_notice(0, output->name, "cannot set the owner: %s", strerror(errno));
    if (now.st_gid == metadata->group || fchown(output->fd, (uid_t)-1, metadata->group) == 0)
        return mode;
    message_notice(0, output->name, "cannot set the group: %s", strerror(errno));
    const mode_t both = mode >> 3 & mode & 07;
    return (mode & 0700) | both << 3 | both;
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
    const mode_t mask = umask(0);
    umask(mask);
    const mode_t mode = metadata->has_mode ? metadata->mode & 0777 : 0666 & ~mask;
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, metadata->mtime};
    if (fchmod(output->fd, give_owner(output, metadata, mode)) != 0 ||
        (metadata->has_mtime && futimens(output->fd, times) != 0))
        message_warning(WARNING_METADATA, output->name, "cannot set mode and time: %s", strerror(errno));
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
    remember(NULL);
    free(output->temporary);
    output->temporary = NULL;
    folder_sync(output->path);
    output->complete = true;
    return FPGZ_OK;
}

void source_remove(const char *path, const struct stat *was)
{
    struct stat now;
    /* Of a symbolic link, which only -f brings here, the file that it points to is compared: the link goes.
     */
    if (stat(path, &now) != 0 || now.st_dev != was->st_dev || now.st_ino != was->st_ino)
        message_warning(WARNING_KEPT, path, "was replaced meanwhile; not removed");
    else if (now.st_size != was->st_size || now.st_mtim.tv_sec != was->st_mtim.tv_sec ||
             now.st_mtim.tv_nsec != was->st_mtim.tv_nsec)
        message_warning(WARNING_KEPT, path, "was written to meanwhile; not removed");
    else if (unlink(path) != 0)
        message_warning(WARNING_KEPT, path, "cannot remove: %s", strerror(errno));
}

void output_remove_source(const struct output *output, const struct input *input)
{
    if (!input->path)
        return;
    if (!output->complete)
        message_warning(WARNING_KEPT, input->name, "not removed: %s is no file that could replace it",
                        output->name);
    else
        source_remove(input->path, &input->stat);
}

/* Whether nobody has the file any more. One without a byte may be about to be locked. */
static bool left_over(const char *path)
{
    struct stat stat;
    const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    const bool idle = fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) &&
                      (stat.st_size || stat.st_mtim.tv_sec < time(NULL) - 60) &&
                      flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return idle;
}

void leftovers_remove(const char *path)
{
    char *folder = name_join(path, (size_t)(name_base(path) - path), "");
    DIR *dir = opendir(*folder ? folder : ".");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!name_is_temporary(entry->d_name))
            continue;
        char *whole = name_join(folder, strlen(folder), entry->d_name);
        if (left_over(whole) && unlink(whole) == 0)
            message_notice(1, whole, "was left over from an output that was not completed; removed");
        free(whole);
    }
    if (dir)
        closedir(dir);
    free(folder);
}

bool folders_make(const char *path)
{
    bool ok = true;
    for (const char *slash = path; ok && (slash = strchr(slash + 1, '/'));) {
        char *folder = name_join(path, (size_t)(slash - path), "");
        const bool made = mkdir(folder, 0777) == 0;
        ok = made || errno == EEXIST;
        if (made)
            folder_sync(folder);
        free(folder);
    }
    return ok;
}

void output_discard(struct output *output)
{
    if (output->path && output->fd >= 0)
        close(output->fd);
    output->fd = -1;
    if (output->temporary) {
        remove_doomed();
        remember(NULL);
        free(output->temporary);
        output->temporary = NULL;
    }
}

/* SPDX-License-Identifier: MIT
 * --rm: removes a source, if it is still the file that was compressed. */
#include "files/removal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "archive/input.h"
#include "core/io.h"

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Why the file is not what it was; NULL if it is. The time of change, which nobody can set, tells of bytes
 * that were written and of a time that was put back. */
static const char *difference(const struct stat *now, const struct stat *was)
{
    if (now->st_dev != was->st_dev || now->st_ino != was->st_ino)
        return "was replaced meanwhile";
    if (now->st_size != was->st_size || !same_time(now->st_mtim, was->st_mtim))
        return "was written to meanwhile";
    if (!same_time(now->st_ctim, was->st_ctim))
        return "was changed meanwhile";
    return NULL;
}

/* Why the open file must stay; NULL if it is what the proof says. */
static const char *objection(int fd, const struct proof *proof, struct fpgz_error *error)
{
    struct fpgz_verified now = {0};
    struct stat stat;
    if (!proof->synced || !proof->held.summed)
        return "what replaces it is no file that was verified and synced";
    if (fd < 0 || fstat(fd, &stat) != 0)
        return strerror(errno);
    if (!S_ISREG(stat.st_mode))
        return "is no regular file";
    if (proof->changed)
        return "it changed while it was read";
    if (!fpgz_file_sized(fd, &stat))
        return "its size is not known";
    const char *const changed = difference(&stat, &proof->source);
    if (changed)
        return changed;
    if (fpgz_file_digest(fd, &now.bytes, &now.sum, error))
        return error->text;
    if (now.bytes != proof->held.bytes || now.sum != proof->held.sum)
        return "holds other bytes than were read before, though its size and times are the same";
    return NULL;
}

/* Warns of extended attributes that go with the source. False where it must stay for them. */
static bool tell_lost(struct console *console, int fd, const char *path, const struct proof *proof)
{
    struct xattrs_lost lost = proof->lost;
    struct fpgz_xattrs xattrs = {0};
    struct fpgz_error error = {0};
    char text[FPGZ_XATTR_NAME + 60];
    const char *what = NULL;
    if (!proof->is_container && xattrs_read(fd, proof->source.st_mode, &xattrs, &lost, &error))
        what = error.text;
    else if (lost.kept || lost.foreign)
        what = xattrs_lost_text(&lost, text);
    else if (!proof->is_container && fpgz_xattrs_digest(&xattrs) != proof->xattrs)
        what = "other extended attributes than its container has";
    fpgz_xattrs_free(&xattrs);
    if (what)
        message_warning(console, FPGZ_WARNING_METADATA, path, "%s %s cannot be kept%s",
                        proof->force ? "removed, though" : "not removed:", what,
                        proof->force ? "" : "; -f removes it all the same");
    return !what || proof->force;
}

void source_remove(struct console *console, const char *path, const struct proof *proof)
{
    struct fpgz_error error = {0};
    struct stat now;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* it may be a FIFO by now */
    const char *why = objection(fd, proof, &error);
    const bool stays = !why && !tell_lost(console, fd, path, proof);
    if (!why) /* what has the name now, and was it left alone while it was read? */
        why = stat(path, &now) != 0 ? strerror(errno) : difference(&now, &proof->source);
    if (!why && !stays && unlink(path) != 0)
        why = strerror(errno);
    if (why)
        message_warning(console, FPGZ_WARNING_KEPT, path, "not removed: %s", why);
    if (fd >= 0)
        close(fd);
}

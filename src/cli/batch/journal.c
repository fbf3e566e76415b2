/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/batch/manifest.h"
#include "cli/folder.h"
#include "cli/message.h"
#include "core/bytes.h"
#include "core/io.h"

/* Waits until no other run has the file: one that was just killed may take a moment to end. A file system
 * that knows no locks is no reason to give up. */
static enum fpgz_status lock(struct journal *j, struct fpgz_error *error)
{
    enum { TRIES = 50 };
    const struct timespec pause = {.tv_nsec = 200000000};
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (unsigned i = 0; fcntl(j->fd, F_OFD_SETLK, &whole) != 0; i++) {
        if (errno != EAGAIN && errno != EACCES) {
            message_warning(WARNING_MANIFEST, j->path,
                            "cannot be locked: %s; see to it that no other run has it", strerror(errno));
            break;
        }
        if (i == TRIES)
            return fpgz_fail(error, FPGZ_EXISTS, "another run has it; wait until that has ended");
        nanosleep(&pause, NULL);
    }
    return FPGZ_OK;
}

/* Cuts off the bytes behind the last line's end. */
static enum fpgz_status cut_tail(struct journal *j, struct fpgz_error *error)
{
    char block[4096];
    struct stat stat;
    size_t got = 0;
    if (fstat(j->fd, &stat) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    for (j->length = (uint64_t)stat.st_size; j->length; j->length -= got) {
        const size_t wanted = fpgz_min(j->length, sizeof block);
        if (!fpgz_read_at(j->fd, block, wanted, j->length - wanted, &got) || got < wanted)
            return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
        const char *end = memrchr(block, '\n', got);
        if (end) {
            j->length -= got - (size_t)(end + 1 - block);
            break;
        }
    }
    if (j->length == (uint64_t)stat.st_size)
        return FPGZ_OK;
    message_notice(0, j->path, "a last line that was not written to its end is cut off");
    if (ftruncate(j->fd, (off_t)j->length) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot cut: %s", strerror(errno));
    return FPGZ_OK;
}

enum fpgz_status journal_open(struct journal *j, const char *manifest, unsigned shard, unsigned shards,
                              struct fpgz_error *error)
{
    *j = (struct journal){.fd = -1};
    if ((shards > 1 ? asprintf(&j->path, "%s.%u-of-%u", manifest, shard, shards)
                    : asprintf(&j->path, "%s", manifest)) < 0) {
        j->path = NULL;
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    }
    j->fd = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (j->fd < 0)
        return fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    if (lock(j, error) || cut_tail(j, error))
        return error->status;
    folder_sync(j->path);
    return FPGZ_OK;
}

enum fpgz_status journal_append(struct journal *j, const struct record *record, struct fpgz_error *error)
{
    size_t length;
    char *line = manifest_line(record, &length);
    if (!line)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const ssize_t written = write(j->fd, line, length);
    if (written != (ssize_t)length) {
        fpgz_fail(error, FPGZ_IO, "cannot write: %s", strerror(written < 0 ? errno : ENOSPC));
        if (ftruncate(j->fd, (off_t)j->length) != 0)
            message_warning(WARNING_MANIFEST, j->path, "holds a line that was not written to its end");
    } else {
        j->length += length;
    }
    free(line);
    return error->status;
}

enum fpgz_status journal_sync(struct journal *j, struct fpgz_error *error)
{
    if (fsync(j->fd) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot write: %s", strerror(errno));
    return FPGZ_OK;
}

void journal_close(struct journal *j)
{
    if (j->fd >= 0)
        close(j->fd);
    free(j->path);
}

/* SPDX-License-Identifier: MIT
 * Appending to a manifest. Locks are not to be relied on: what another run wrote is never cut off. */
#include "batch/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "console/message.h"
#include "core/io.h"
#include "files/folder.h"

/* Waits until no other run has the file: one that was just killed may take a moment to end. A file system
 * that knows no locks is no reason to give up. */
static enum fpgz_status lock(struct journal *j, struct fpgz_error *error)
{
    enum { TRIES = 50 };
    const struct timespec pause = {.tv_nsec = 200000000};
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (unsigned i = 0; fcntl(j->fd, F_OFD_SETLK, &whole) != 0; i++) {
        if (errno != EAGAIN && errno != EACCES) {
            message_warning(j->console, FPGZ_WARNING_MANIFEST, j->path,
                            "cannot be locked: %s; see to it that no other run has it", strerror(errno));
            break;
        }
        if (i == TRIES)
            return fpgz_fail(error, FPGZ_EXISTS, "another run has it; wait until that has ended");
        nanosleep(&pause, NULL);
    }
    return FPGZ_OK;
}

/* Ends a last line that has no end, so that the next one is a line of its own. */
static enum fpgz_status end_torn_line(const struct journal *j, struct fpgz_error *error)
{
    char last = '\n';
    size_t got;
    struct stat stat;
    if (fstat(j->fd, &stat) != 0 ||
        (stat.st_size && !fpgz_read_at(j->fd, &last, 1, (uint64_t)stat.st_size - 1, &got)))
        return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    if (last == '\n')
        return FPGZ_OK;
    message_notice(j->console, 0, j->path, "its last line was not written to its end, and does not count");
    if (write(j->fd, RECORD_TORN, strlen(RECORD_TORN)) != (ssize_t)strlen(RECORD_TORN))
        return fpgz_fail(error, FPGZ_IO, "cannot write: %s", strerror(errno));
    return FPGZ_OK;
}

enum fpgz_status journal_open(struct journal *j, struct console *console, const char *manifest,
                              unsigned shard, unsigned shards, struct fpgz_error *error)
{
    *j = (struct journal){.console = console, .fd = -1};
    if ((shards > 1 ? asprintf(&j->path, "%s.%u-of-%u", manifest, shard, shards)
                    : asprintf(&j->path, "%s", manifest)) < 0) {
        j->path = NULL;
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    }
    j->fd = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (j->fd < 0)
        return fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    if (lock(j, error) || end_torn_line(j, error))
        return error->status;
    folder_sync(j->path);
    return FPGZ_OK;
}

enum fpgz_status journal_append(struct journal *j, const struct record *record, struct fpgz_error *error)
{
    struct record numbered = *record;
    size_t length;
    if (end_torn_line(j, error)) /* of a run that a lock did not keep away */
        return error->status;
    j->sequence += j->sequence < RECORD_LAST;
    numbered.sequence = j->sequence;
    char *line = record_line(&numbered, &length);
    if (!line)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const ssize_t written = write(j->fd, line, length);
    if (written != (ssize_t)length)
        fpgz_fail(error, FPGZ_IO, "cannot write: %s", strerror(written < 0 ? errno : ENOSPC));
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

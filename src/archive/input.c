/* SPDX-License-Identifier: MIT
 * A source file: opened, measured, and checked for changes while it is read. */
#include "archive/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/checksum.h"
#include "core/grid.h"
#include "core/io.h"

/* Finds out what an opened input is. False, with errno, when the system does not say. */
static bool measure(struct fpgz_input *input)
{
    if (fstat(input->fd, &input->stat) != 0)
        return false;
    const off_t start = lseek(input->fd, 0, SEEK_CUR);
    input->regular = S_ISREG(input->stat.st_mode) && start >= 0;
    input->sized = input->regular && fpgz_file_sized(input->fd, &input->stat);
    input->start = input->sized ? (uint64_t)start : 0;
    input->size = !input->sized                 ? FPGZ_UNKNOWN
                  : start < input->stat.st_size ? (uint64_t)(input->stat.st_size - start)
                                                : 0;
    return true;
}

enum fpgz_status fpgz_input_open(struct fpgz_input *input, const char *path, struct fpgz_error *error)
{
    *input = (struct fpgz_input){.path = path, .name = path ? path : "(stdin)"};
    input->fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    if (input->fd < 0 || !measure(input))
        fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    else if (S_ISDIR(input->stat.st_mode))
        fpgz_fail(error, FPGZ_IO, "is a directory; -r takes the files in it");
    else
        return FPGZ_OK;
    fpgz_input_close(input);
    return error->status;
}

enum fpgz_status fpgz_input_take(struct fpgz_input *input, int fd, const char *path, struct fpgz_error *error)
{
    *input = (struct fpgz_input){.path = path, .name = path ? path : "(input)", .fd = fd};
    return measure(input) ? FPGZ_OK : fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static enum fpgz_input_change change(const struct fpgz_input *input, struct stat *now)
{
    const struct stat *const was = &input->stat;
    if (!input->sized || fstat(input->fd, now) != 0)
        return INPUT_SAME;
    if (now->st_size != was->st_size)
        return now->st_size > was->st_size ? INPUT_GREW : INPUT_SHRANK;
    return same_time(&now->st_mtim, &was->st_mtim) && same_time(&now->st_ctim, &was->st_ctim) ? INPUT_SAME
                                                                                              : INPUT_WRITTEN;
}

enum fpgz_input_change fpgz_input_change(const struct fpgz_input *input)
{
    struct stat now;
    return change(input, &now);
}

enum fpgz_status fpgz_input_unchanged(const struct fpgz_input *input, bool may_grow,
                                      const struct fpgz_listener *listener, struct fpgz_error *error)
{
    struct stat now;
    const enum fpgz_input_change what = change(input, &now);
    if (what == INPUT_WRITTEN)
        return fpgz_fail(error, FPGZ_IO, "was written to while it was read; try again");
    if (what == INPUT_SHRANK || (what == INPUT_GREW && !may_grow))
        return fpgz_fail(error, FPGZ_IO,
                         "had %jd bytes and has %jd now: it changed while it was read; try again",
                         (intmax_t)input->stat.st_size, (intmax_t)now.st_size);
    if (what == INPUT_GREW)
        fpgz_warn(listener, FPGZ_WARNING_CHANGED, input->name,
                  "became longer while it was read: the first %jd of its %jd bytes were taken",
                  (intmax_t)input->stat.st_size, (intmax_t)now.st_size);
    return FPGZ_OK;
}

void fpgz_input_tell_change(const struct fpgz_input *input, const struct fpgz_listener *listener)
{
    struct stat now;
    const enum fpgz_input_change what = change(input, &now);
    if (what == INPUT_GREW || what == INPUT_SHRANK)
        fpgz_warn(listener, FPGZ_WARNING_CHANGED, input->name,
                  "had %jd bytes and has %jd now: what it had when it was opened was taken",
                  (intmax_t)input->stat.st_size, (intmax_t)now.st_size);
}

bool fpgz_input_again(struct fpgz_input *input)
{
    enum { MOST_ATTEMPTS = 5 };
    return ++input->attempts < MOST_ATTEMPTS && measure(input);
}

void fpgz_input_tell_attempts(const struct fpgz_input *input, const struct fpgz_listener *listener)
{
    if (input->attempts)
        fpgz_warn(listener, FPGZ_WARNING_CHANGED, input->name,
                  "became shorter while it was read: the %" PRIu64 " bytes that are left were taken",
                  input->size);
}

void fpgz_input_close(struct fpgz_input *input)
{
    if (input->path && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

enum fpgz_status fpgz_file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error)
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

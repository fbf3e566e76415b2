/* SPDX-License-Identifier: MIT */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
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

/* SPDX-License-Identifier: MIT
 * Writes restored bytes: in their order, or to their places through a file that can be sought. */
#include "archive/landing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/pieces.h"
#include "core/bytes.h"
#include "core/io.h"
#include "core/mark.h"

int fpgz_landing_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = NULL, *inside = NULL;
    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || asprintf(&inside, "%s/", folder) < 0)
        return fd;
    path = fpgz_mark_beside(inside);
    fd = path ? mkostemp(path, O_CLOEXEC) : -1; /* some file systems have no files without a name */
    if (fd >= 0)
        unlink(path);
    free(path);
    free(inside);
    return fd;
}

/* Whether fd takes bytes at any position. *at receives its present position, and *at_end whether that is
 * the file's end. */
static bool can_seek(int fd, uint64_t *at, bool *at_end)
{
    struct stat status;
    const off_t position = lseek(fd, 0, SEEK_CUR);
    *at = (uint64_t)position;
    if (position < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || fcntl(fd, F_GETFL) & O_APPEND)
        return false;
    *at_end = position >= status.st_size;
    return true;
}

/* The output for reading: a descriptor that was opened for writing alone is opened once more. -1 where
 * that cannot be done. */
static int open_readable(int fd)
{
    char path[40];
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR)
        return fd;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

enum fpgz_status fpgz_landing_begin(struct fpgz_landing *landing, int fd, bool scattered, uint64_t size,
                                    const struct fpgz_image *image, struct fpgz_error *error)
{
    *landing = (struct fpgz_landing){
        .fd = fd, .file = -1, .readable = -1, .scattered = scattered, .size = size, .image = image};
    if (fd < 0)
        return FPGZ_OK;
    const bool seekable = can_seek(fd, &landing->base, &landing->sparse);
    if (seekable && (scattered || landing->sparse))
        landing->file = fd;
    if (seekable && scattered)
        landing->readable = open_readable(fd);
    if (seekable || !scattered)
        return FPGZ_OK;
    landing->base = 0;
    landing->sparse = true;
    landing->file = landing->readable = fpgz_landing_temporary();
    if (landing->file < 0)
        return fpgz_fail(error, FPGZ_IO, "cannot create a temporary file in $TMPDIR: %s", strerror(errno));
    return FPGZ_OK;
}

static enum fpgz_status cannot_write(struct fpgz_error *error)
{
    return fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
}

enum fpgz_status fpgz_landing_write(struct fpgz_landing *landing, const struct fpgz_part *part, uint64_t at,
                                    const void *data, size_t bytes, struct fpgz_error *error)
{
    const bool filtered = part->filters.count;
    const size_t length = filtered ? fpgz_part_stored(part, at, bytes) : bytes;
    const struct fpgz_span span = fpgz_place_span(&part->place, at, bytes);
    const struct fpgz_area area = {landing->file, landing->base, landing->image};
    bool ok = true;
    if (!landing->scattered && (span.offset != landing->position || span.bytes < bytes))
        return fpgz_fail(error, FPGZ_CORRUPT, "its chunks do not come in the order of the file's bytes");
    landing->position += bytes;
    landing->length += length;
    if (landing->file >= 0 && filtered)
        ok = fpgz_pieces_write(&area, part, at, bytes, data, landing->sparse);
    else if (landing->file >= 0)
        ok = fpgz_scatter(&area, landing->readable, &part->place, at, data, bytes, landing->sparse);
    else if (!landing->scattered && landing->fd >= 0)
        ok = fpgz_write(landing->fd, data, length);
    return ok ? FPGZ_OK : cannot_write(error);
}

/* Copies the temporary file to the output. */
static enum fpgz_status copy(const struct fpgz_landing *landing, struct fpgz_error *error)
{
    enum { PIECE = 1 << 20 };
    uint8_t *piece = malloc(PIECE);
    if (!piece)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (uint64_t done = 0; done < landing->size && !error->status;) {
        size_t got;
        const size_t wanted = fpgz_min(PIECE, landing->size - done);
        if (!fpgz_read_at(landing->file, piece, wanted, done, &got) || got < wanted)
            fpgz_fail(error, FPGZ_IO, "cannot read the temporary file: %s", strerror(errno));
        else if (!fpgz_write(landing->fd, piece, wanted))
            cannot_write(error);
        done += wanted;
    }
    free(piece);
    return error->status;
}

/* Gives the file its length, which it does not have where zeros were left out at its end. */
static bool extend(int fd, uint64_t size)
{
    struct stat status;
    return fstat(fd, &status) == 0 && ((uint64_t)status.st_size >= size || ftruncate(fd, (off_t)size) == 0);
}

enum fpgz_status fpgz_landing_end(struct fpgz_landing *landing, struct fpgz_error *error)
{
    const uint64_t end = landing->base + (landing->scattered ? landing->size : landing->length);
    if (landing->readable >= 0 && landing->readable != landing->file)
        close(landing->readable);
    landing->readable = -1;
    if (landing->file >= 0 && !error->status && !extend(landing->file, end))
        cannot_write(error);
    if (landing->file >= 0 && landing->file != landing->fd) {
        if (!error->status)
            copy(landing, error);
        close(landing->file);
    } else if (landing->file >= 0 && !error->status && lseek(landing->fd, (off_t)end, SEEK_SET) < 0) {
        cannot_write(error);
    }
    landing->file = -1;
    return error->status;
}

/* SPDX-License-Identifier: MIT */
#include "cli/landing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/gather.h"
#include "core/io.h"

int landing_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = NULL;
    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || asprintf(&path, "%s/.fpgz-XXXXXX", folder) < 0)
        return fd;
    fd = mkostemp(path, O_CLOEXEC); /* some file systems have no files without a name */
    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

/* Whether bytes can be put anywhere in fd, whose position *at receives. */
static bool can_seek(int fd, uint64_t *at)
{
    struct stat status;
    const off_t position = lseek(fd, 0, SEEK_CUR);
    *at = (uint64_t)position;
    return position >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           !(fcntl(fd, F_GETFL) & O_APPEND);
}

enum fpgz_status landing_begin(struct landing *landing, int fd, bool scattered, uint64_t size,
                               struct fpgz_error *error)
{
    *landing = (struct landing){.fd = fd, .file = -1, .scattered = scattered, .size = size};
    if (!scattered || fd < 0)
        return FPGZ_OK;
    if (can_seek(fd, &landing->base)) {
        landing->file = fd;
        return FPGZ_OK;
    }
    landing->base = 0;
    landing->file = landing_temporary();
    if (landing->file < 0)
        return fpgz_fail(error, FPGZ_IO, "cannot create a temporary file in $TMPDIR: %s", strerror(errno));
    return FPGZ_OK;
}

static enum fpgz_status cannot_write(struct fpgz_error *error)
{
    return fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
}

enum fpgz_status landing_write(struct landing *landing, const struct fpgz_place *place, uint64_t at,
                               const void *data, size_t bytes, struct fpgz_error *error)
{
    if (landing->file >= 0)
        return fpgz_scatter(landing->file, landing->base, place, at, data, bytes) ? FPGZ_OK
                                                                                  : cannot_write(error);
    const struct fpgz_span span = fpgz_place_span(place, at, bytes);
    if (landing->scattered)
        return FPGZ_OK;
    if (span.offset != landing->position || span.bytes < bytes)
        return fpgz_fail(error, FPGZ_CORRUPT, "its chunks do not come in the order of the file's bytes");
    landing->position += bytes;
    return landing->fd < 0 || fpgz_write(landing->fd, data, bytes) ? FPGZ_OK : cannot_write(error);
}

/* Copies the temporary file to the output. */
static enum fpgz_status copy(const struct landing *landing, struct fpgz_error *error)
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

enum fpgz_status landing_end(struct landing *landing, struct fpgz_error *error)
{
    if (landing->file >= 0 && landing->file != landing->fd) {
        if (!error->status)
            copy(landing, error);
        close(landing->file);
    } else if (landing->file >= 0 && !error->status &&
               lseek(landing->fd, (off_t)(landing->base + landing->size), SEEK_SET) < 0) {
        cannot_write(error);
    }
    landing->file = -1;
    return error->status;
}

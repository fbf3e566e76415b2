/* SPDX-License-Identifier: MIT
 * Where the bytes of a restored file go: one behind the other or, where its chunks come in another order, to
 * their places. */
#ifndef FPGZ_ARCHIVE_LANDING_H
#define FPGZ_ARCHIVE_LANDING_H

#include "core/gather.h"
#include "core/status.h"

struct fpgz_landing {
    int fd;            /* of the output; -1: bytes go nowhere */
    int file;          /* where bytes go to their places: the output, or a temporary file; or -1 */
    int readable;      /* `file` for reading, where bytes come in any order; or -1 */
    bool scattered;    /* they come in any order */
    bool sparse;       /* `file` ends at `base`: zeros need not be written */
    uint64_t base;     /* of the restored file in `file` */
    uint64_t position; /* in the file, or its image, where bytes come one behind the other */
    uint64_t length;   /* of the file so far, in the same case */
    uint64_t size;     /* of the restored file */
    const struct fpgz_image *image; /* of the file; NULL: none */
};

/* Begins a file of `size` bytes at the position of fd (-1: none). With `scattered` its bytes come in any
 * order. fd must then be a regular file, or there must be room for a temporary one in $TMPDIR (or /tmp).
 * `image` is that of the file, and NULL where it has none. */
enum fpgz_status fpgz_landing_begin(struct fpgz_landing *landing, int fd, bool scattered, uint64_t size,
                                    const struct fpgz_image *image, struct fpgz_error *error);

/* Writes the next `bytes` bytes, those of a part's sequence from `at` on. If it has filters they are whole
 * pieces, and `data` is what the file has of them. */
enum fpgz_status fpgz_landing_write(struct fpgz_landing *landing, const struct fpgz_part *part, uint64_t at,
                                    const void *data, size_t bytes, struct fpgz_error *error);

/* Completes the file. To be called after every fpgz_landing_begin(); if an error is set already, it only
 * cleans up. */
enum fpgz_status fpgz_landing_end(struct fpgz_landing *landing, struct fpgz_error *error);

/* A temporary file without a name, or -1 and errno. */
int fpgz_landing_temporary(void);

#endif

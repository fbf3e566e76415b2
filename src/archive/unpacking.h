/* SPDX-License-Identifier: MIT
 * The job that restores a container's chunks to a file, to a checksum, or only to test them. */
#ifndef FPGZ_ARCHIVE_UNPACKING_H
#define FPGZ_ARCHIVE_UNPACKING_H

#include "archive/landing.h"
#include "archive/setup.h"
#include "container/member.h"
#include "container/reader.h"
#include "core/checksum.h"
#include "engine/pipeline.h"

/* A member of the container, kept as long as there are jobs of it. */
struct fpgz_unpacking_member {
    struct fpgz_member member;
    struct fpgz_image image; /* of its file; known when the first chunk comes */
    uint64_t base;           /* bytes that earlier members restore */
    struct fpgz_unpacking_member *next;
};

struct fpgz_unpacking {
    const struct fpgz_terms *terms;
    const char *name;
    struct fpgz_buffer table;  /* of an array's runs */
    struct fpgz_xattrs xattrs; /* of the first member's file */
    bool compares;             /* compares chunks with the file `restored`, instead of decoding them */
    int restored;

    /* fill() */
    struct fpgz_unpacking_member *newest;
    bool pending; /* the reader has a section that was not taken yet */
    bool bounded; /* the output is limited as in allowance.h */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error;

    /* drain() */
    struct fpgz_unpacking_member *oldest; /* the first of the list that ends with the newest */
    struct fpgz_landing landing;
    bool landing_open;
    int fd;                           /* -1: only test */
    struct fpgz_checksum_stream *sum; /* of the bytes in the order in which they come, or NULL */
    bool disordered;                  /* that order is not the file's */
    uint64_t chunks, damaged, raw_bytes;
    struct fpgz_error drain_error;

    struct fpgz_reader reader; /* ends with the many bytes of a section */
};

/* Sets all to 0 but the bytes of a section, which are read before they are used. */
void fpgz_unpacking_clear(struct fpgz_unpacking *d);

/* After fpgz_reader_open(): reads the sections before the first chunk. They hold the output's name,
 * metadata and sizes. */
enum fpgz_status fpgz_unpacking_begin(struct fpgz_unpacking *d, struct fpgz_error *error);

/* Restores everything that follows, to d->fd. FPGZ_CORRUPT, with each damaged chunk reported, where chunks
 * are damaged. */
enum fpgz_status fpgz_unpacking_run(struct fpgz_unpacking *d, struct fpgz_error *error);

/* Frees what the other calls took. */
void fpgz_unpacking_end(struct fpgz_unpacking *d);

#endif

/* SPDX-License-Identifier: MIT
 * The way of a container's chunks from a reader to a file, to a sum, or nowhere. */
#ifndef FPGZ_ARCHIVE_UNPACKING_H
#define FPGZ_ARCHIVE_UNPACKING_H

#include "archive/landing.h"
#include "archive/setup.h"
#include "container/member.h"
#include "container/reader.h"
#include "core/checksum.h"
#include "engine/pipeline.h"

/* A member of the container, as long as there are jobs of it. */
struct fpgz_unpacking_member {
    struct fpgz_member member;
    uint64_t base; /* bytes that the members before restore */
    struct fpgz_unpacking_member *next;
};

struct fpgz_unpacking {
    const struct fpgz_setup *setup;
    const char *name;
    struct fpgz_reader reader;
    struct fpgz_buffer table;  /* of an array's runs */
    struct fpgz_xattrs xattrs; /* of the first member's file */
    bool compares;             /* chunks with the file `restored`, instead of decoding them */
    int restored;

    /* fill() */
    struct fpgz_unpacking_member *newest;
    bool pending; /* the reader has a section that nobody took */
    bool bounded; /* the output may not get larger than allowance.h has it */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error;

    /* drain() */
    struct fpgz_unpacking_member *oldest; /* the first of the list that ends with the newest */
    struct fpgz_landing landing;
    bool landing_open;
    int fd;                           /* -1: only test */
    struct fpgz_checksum_stream *sum; /* of the bytes as they come, or NULL */
    bool disordered;                  /* they come in another order than the file's */
    uint64_t chunks, damaged, raw_bytes;
    struct fpgz_error drain_error;
};

/* Behind fpgz_reader_open(): reads the sections before the first chunk. The name and metadata of what is
 * restored, and sizes, are in there. */
enum fpgz_status fpgz_unpacking_begin(struct fpgz_unpacking *d, struct fpgz_error *error);

/* Restores all that follows, to d->fd. FPGZ_CORRUPT, with each damaged chunk reported, where that is none. */
enum fpgz_status fpgz_unpacking_run(struct fpgz_unpacking *d, struct fpgz_error *error);

/* Frees what the others took. */
void fpgz_unpacking_end(struct fpgz_unpacking *d);

#endif

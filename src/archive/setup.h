/* SPDX-License-Identifier: MIT
 * How jobs work: how to code, with what, and whom to tell. */
#ifndef FPGZ_ARCHIVE_SETUP_H
#define FPGZ_ARCHIVE_SETUP_H

#include "archive/listener.h"
#include "codec/codec.h"
#include "engine/chunk.h"
#include "source/raw.h"

struct fpgz_setup {
    int level;                      /* 1 to 9 */
    const struct fpgz_codec *codec; /* NULL: chosen for each chunk, by the level */
    struct fpgz_params params;
    struct fpgz_errors max_error;   /* for a lossy codec */
    bool unverified;                /* what codecs want verified is taken as it is */
    unsigned threads;               /* at least 1 */
    uint64_t chunk;                 /* bytes that a chunk aims at */
    uint64_t memory;                /* bytes that the process may take */
    bool chunk_given, memory_given; /* by a person: kept to the letter */
    uint64_t max_output;          /* bytes that an output may get when something is restored; 0: not given */
    bool trusting;                /* what a container promises is believed (-f) */
    bool forks;                   /* processes may be started, before there are threads */
    struct fpgz_raw_request raw;  /* what raw grids are */
    struct fpgz_backend *backend; /* NULL: the CPU */
    const struct fpgz_listener *listener; /* NULL: nobody */
};

/* Fills in what is 0: level 5, a thread for each CPU, a quarter of the memory, and the chunk of the level. */
void fpgz_setup_complete(struct fpgz_setup *setup);

/* Bytes that a slab of planes may have, by the level. */
uint64_t fpgz_setup_slab(const struct fpgz_setup *setup);

#endif

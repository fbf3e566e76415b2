/* SPDX-License-Identifier: MIT
 * The settings of jobs: how to code, and with what resources. The terms of a job: these, and what is live. */
#ifndef FPGZ_ARCHIVE_SETUP_H
#define FPGZ_ARCHIVE_SETUP_H

#include "archive/listener.h"
#include "codec/codec.h"
#include "engine/chunk.h"
#include "engine/pipeline.h"
#include "source/raw.h"
#include "source/source.h"

/* Whether filtered pieces of arrays are coded without their filters. */
enum fpgz_refilter {
    FPGZ_REFILTER_AUTO, /* by the level, and where it makes the container smaller */
    FPGZ_REFILTER_ALWAYS,
    FPGZ_REFILTER_NEVER,
};

struct fpgz_setup {
    int level;                      /* 1 to 9 */
    const struct fpgz_codec *codec; /* NULL: chosen for each chunk, by the level */
    struct fpgz_params params;
    struct fpgz_errors max_error; /* for a lossy codec */
    enum fpgz_refilter refilter;
    bool unverified;                /* streams of codecs that ask for verification are not verified */
    unsigned threads;               /* at least 1 */
    uint64_t chunk;                 /* bytes that a chunk aims at */
    uint64_t memory;                /* bytes that the process may take; 0: fpgz_setup_memory() */
    bool chunk_given, memory_given; /* set by a person, so kept exactly */
    uint64_t max_output; /* the most bytes that an output may have when something is restored; 0: not given */
    bool trusting;       /* sizes that a container claims are believed (-f) */
    bool forks;          /* processes may be started, which happens before there are threads */
    bool format_given;   /* files are of `format`, whatever they begin with */
    const struct fpgz_source *format; /* NULL: raw grids */
    struct fpgz_raw_request raw;      /* the type and shape of raw grids */
};

/* Jobs that outlive a file, with their buffers: to clear fresh memory takes longer than many a codec does. */
struct fpgz_kept_jobs {
    struct fpgz_pipeline_jobs packing, unpacking;
};

struct fpgz_terms {
    struct fpgz_setup setup;
    struct fpgz_backend *backend;         /* NULL: the CPU */
    const struct fpgz_listener *listener; /* NULL: none */
    struct fpgz_kept_jobs *kept;          /* NULL: no jobs are kept */
};

/* Fills in what is 0: level 5, a thread for each CPU, the chunk of the level, and the memory where there are
 * several threads: to find it takes as long as a megabyte, and one thread mostly needs none. */
void fpgz_setup_complete(struct fpgz_setup *setup);

/* The memory; where that is still 0, a quarter of what the process may take. */
uint64_t fpgz_setup_memory(const struct fpgz_setup *setup);

/* Bytes that a slab of planes may have, by the level. */
uint64_t fpgz_setup_slab(const struct fpgz_setup *setup);

#endif

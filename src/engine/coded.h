/* SPDX-License-Identifier: MIT
 * How a chunk is to be coded, what it was coded to, and the buffers for it. */
#ifndef FPGZ_ENGINE_CODED_H
#define FPGZ_ENGINE_CODED_H

#include <math.h>

#include "codec/auto.h"
#include "codec/codec.h"
#include "core/buffer.h"
#include "engine/backend.h"
#include "engine/pipeline.h"

/* How many buffers a pipeline lends to jobs that keep their values. */
enum { FPGZ_LENT_SCRATCH = FPGZ_LENT - 1 };

/* The buffers of one thread or job that codes chunks. They grow to the largest chunk and are reused. */
struct fpgz_chunk_buffers {
    struct fpgz_buffer stream;
    struct fpgz_buffer second; /* the stream of the runner-up, where two codecs are about equal */
    union {
        struct fpgz_buffer lent[FPGZ_LENT]; /* to a job, by its pipeline, until it is worked on */
        struct {
            struct fpgz_buffer scratch;
            struct fpgz_buffer restored; /* what a lossy or verified stream decodes to */
            struct fpgz_buffer raw;      /* lent to those that encode */
        };
    };
    struct fpgz_backend *backend; /* NULL: the CPU */
};

/* The largest differences between original and restored values, or bounds on them (INFINITY: none). */
struct fpgz_errors {
    double absolute;
    double relative; /* to the original's magnitude; originals of 0 do not count */
};

#define FPGZ_NO_BOUND ((struct fpgz_errors){INFINITY, INFINITY})

/* How chunks are to be coded. */
struct fpgz_coder {
    const struct fpgz_codec *codec; /* NULL: chosen for each chunk by a sample of it */
    struct fpgz_params params;      /* of the codec */
    int level;                      /* 1 (fast) to 9 (small), for the choice */
    struct fpgz_errors bound;       /* for a lossy codec */
    bool presumed;                  /* it is what a sample would choose: a defect of it only costs size */
    bool unverified;                /* streams of codecs that ask for verification are not verified */
    bool swap;                      /* the file's values are big-endian */
    uint64_t turn; /* values of a row, where the rows are coded as columns (core/content.h); else 0 */
    struct fpgz_lead *lead; /* what the chunk leads or follows by (engine/leads.h); NULL: neither */
};

/* A chunk that was coded, or is to be decoded. */
struct fpgz_coded {
    const struct fpgz_codec *codec; /* store, where no other shrank the chunk */
    const struct fpgz_codec
        *defective; /* the codec that was chosen, but could not decode its own stream; else NULL */
    struct fpgz_params params;
    struct fpgz_grid grid; /* as it was coded */
    uint64_t turn;         /* as in the coder */
    const uint8_t *stream;
    size_t length;
    bool followed;           /* it was coded as an earlier one was */
    struct fpgz_proof proof; /* of the stream */
    uint64_t stream_checksum;
    uint64_t raw_checksum;          /* over the bytes that decoding restores, as they stand in a file */
    struct fpgz_errors errors;      /* that encoding made: none where coded->codec is lossless */
    struct fpgz_auto_choice choice; /* the candidates; empty where the codec was given */
};

#endif

/* SPDX-License-Identifier: MIT
 * One chunk through the codec table, either way, with its checksums. */
#ifndef FPGZ_ENGINE_CHUNK_H
#define FPGZ_ENGINE_CHUNK_H

#include <math.h>

#include "codec/auto.h"
#include "codec/codec.h"
#include "core/buffer.h"
#include "engine/backend.h"

/* What one thread or job needs to code chunks; buffers grow to the largest chunk and are reused. */
struct fpgz_chunk_buffers {
    struct fpgz_buffer raw, stream, scratch;
    struct fpgz_buffer restored;  /* what a lossy or verified stream decodes to */
    struct fpgz_buffer second;    /* the stream of the runner-up, where two codecs are about equal */
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
    bool unverified;                /* what codecs want verified is taken as it is */
    bool swap;                      /* the file's values are big-endian */
};

/* A chunk that was coded, or is to be decoded. */
struct fpgz_coded {
    const struct fpgz_codec *codec;     /* store, where no other shrank the chunk */
    const struct fpgz_codec *defective; /* was chosen, but could not decode its own stream; else NULL */
    struct fpgz_params params;
    struct fpgz_grid grid; /* as it was coded */
    const uint8_t *stream;
    size_t length;
    uint64_t stream_checksum;
    uint64_t raw_checksum;          /* over the bytes that decoding restores, as they stand in a file */
    struct fpgz_errors errors;      /* that encoding made: none where coded->codec is lossless */
    struct fpgz_auto_choice choice; /* what was considered; nothing where the codec was given */
};

/* Codes `grid`, whose bytes are in buffers->raw (and are swapped there), and their checksum in
 * coded->raw_checksum. A lossy codec keeps within the bound: by itself, at the lowest rate that does, when
 * that is left open (or the chunk is stored); else FPGZ_USAGE when coded->errors are above it.
 * FPGZ_INTERNAL when a verified codec's stream does not decode to the grid (a chunk is stored where the codec
 * was not given), FPGZ_UNSUPPORTED when a codec refuses the arithmetic here. */
enum fpgz_status fpgz_chunk_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

/* Restores a chunk whose stream begins buffers->stream into buffers->raw, as its bytes stood in the file, and
 * verifies them. The caller has verified the stream; coded->grid must be valid and within the limit. */
enum fpgz_status fpgz_chunk_decode(const struct fpgz_coded *coded, bool swap,
                                   struct fpgz_chunk_buffers *buffers);

/* Restores `count` values of the chunk, from `first` on, in little-endian order into the front of
 * buffers->raw, where fpgz_codec_takes_ranges(). Only the stream vouches for them. */
enum fpgz_status fpgz_chunk_decode_range(const struct fpgz_coded *coded, uint64_t first, uint64_t count,
                                         struct fpgz_chunk_buffers *buffers);

/* What a chunk is that decoding refused: "damaged", unless it is this fpgz that cannot decode it. */
const char *fpgz_chunk_refusal(enum fpgz_status status);

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers);

#endif

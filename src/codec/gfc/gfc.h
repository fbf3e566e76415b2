/* SPDX-License-Identifier: MIT
 * GFC inside: sub-chunks of 32 doubles and the kernels that code runs of them.
 * Method: O'Neil, Burtscher, "Floating-point data compression at 75 Gb/s on a GPU" (GPGPU-4, 2011). The
 * stream is that of the program's release 2.2, whose header is not the paper's; fpgz.5 has it to the bit.
 * The paper's chunks and sub-chunks are called segments and groups there. */
#ifndef FPGZ_CODEC_GFC_GFC_H
#define FPGZ_CODEC_GFC_GFC_H

#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"

enum {
    GFC_HEADER = 7, /* bytes: blocks, warps, dim; number of values (32 bits) */
    GFC_MAX_WARPS = 32,
    GFC_MAX_DIM = 32,
    GFC_SAMPLED = 32, /* sub-chunks of a sample, and as many before them */
    GFC_LANES = 32,   /* values of a sub-chunk: one for each thread of a warp */
    GFC_CODES = 16,   /* bytes of a sub-chunk's codes, four bits a value; its values' bytes follow */
    GFC_LONGEST = GFC_CODES + GFC_LANES * 8, /* bytes of a sub-chunk */
    GFC_SLACK = 64,                          /* bytes that a kernel may store behind a run's end */
};

/* The value that predicts lane L of a sub-chunk: source[L] of the sub-chunk before. */
struct gfc_predictor {
    unsigned dim; /* 1 to 32 */
    uint8_t source[GFC_LANES];
};

/* Codes `count` sub-chunks at `values` into `stream` and returns its end; up to GFC_SLACK bytes behind may be
 * overwritten. `before` is the sub-chunk before the first: 32 zeros at the start of a chunk. */
typedef uint8_t *gfc_encode_run(const uint64_t *values, const uint64_t *before, size_t count,
                                const struct gfc_predictor *predictor, uint8_t *stream);

struct gfc_input {
    const uint8_t *at;    /* the next sub-chunk */
    const uint8_t *end;   /* no sub-chunk may reach behind: the chunk's end */
    const uint8_t *limit; /* nothing is read behind: at or behind `end` */
};

/* Decodes up to `count` sub-chunks to `values`, each from GFC_LONGEST readable bytes. Stops where there are
 * fewer, or where a sub-chunk would reach behind input->end. Returns how many it decoded; input->at is behind
 * them. `before` as above. */
typedef size_t gfc_decode_run(struct gfc_input *input, const uint64_t *before, size_t count,
                              const struct gfc_predictor *predictor, uint64_t *values);

/* The first bytes of a stream. */
struct gfc_launch {
    unsigned blocks, warps, dim;
};

/* The launch that a grid is coded with: the parameters. What they leave open follows from the size and,
 * for dim, from a sample of `values`. */
struct gfc_launch fpgz_gfc_launch(const struct fpgz_params *params, const uint64_t *values, size_t count);

/* The chunks that a stream is cut into: `count` chunks of `size` values. The last ones may have fewer or
 * none. */
struct gfc_chunks {
    size_t values, count, size;
};

struct gfc_chunks fpgz_gfc_cut(size_t values, unsigned blocks, unsigned warps);

struct gfc_kernels {
    gfc_encode_run *encode;
    gfc_decode_run *decode;
};

extern fpgz_kernels fpgz_gfc_kernels;

#endif

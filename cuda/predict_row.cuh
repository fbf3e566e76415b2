/* SPDX-License-Identifier: MIT
 * The predictive coder's values in a warp: a chunk, of which a lane has 16 bytes, that is two or four values
 * that follow each other. A row is 32 values, a part of a chunk: blocks are whole rows, but for a slice's
 * last. */
#ifndef FPGZ_CUDA_PREDICT_ROW_CUH
#define FPGZ_CUDA_PREDICT_ROW_CUH

#include "codec.cuh"
#include "lookback.cuh"
#include "machine.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/predict/predict.h"
}

struct predict_task {
    uint32_t values;       /* of a slice */
    uint32_t slices;       /* that are coded: all but the first */
    uint32_t block;        /* values */
    uint32_t blocks;       /* of a slice */
    uint32_t coded_blocks; /* of all slices */
    uint32_t rows;         /* of a slice; every block starts one */
    uint32_t slice_words;  /* prefixes of a slice, in words of 32 bits */
    uint32_t header[PREDICT_HEADER / 4];
    void *grid;
    uint8_t *stream;
    uint32_t *lengths, *prefixes; /* in the stream, as are the residuals */
    uint8_t *residuals;
    uint64_t residuals_length; /* decoding */
    struct fpgz_cuda_result *result;
    uint32_t *ticket;
    uint64_t *descriptors;
    uint32_t tiles;

    /* Encoding: a tile is `tile_blocks` whole blocks, which take `slot_rows` rows each, or one of `parts` of
     * a longer one, and then that many rows. A slice has `slice_tiles`, or a tile several slices of one
     * block. */
    uint32_t slice_tiles, tile_blocks, slot_rows, parts;
    uint32_t slot_inverse; /* 2^32 over a slot's values, rounded up */
    uint32_t *part_bytes;  /* of each tile that is a part, and 1: 0 until it is known */

    /* Decoding: a block has up to `block_rows` rows, for which a warp has `block_lanes` lanes; as many blocks
     * as it takes at a step are `step_slices` slices and `step_blocks` blocks. A tile is what a CTA locates.
     */
    uint32_t block_rows, block_lanes, step_slices, step_blocks;
    uint32_t *row_starts; /* where in the residuals each row's begin */
    uint64_t *last;       /* of each group but the last and its chunks: see predict_chain() */

    struct {
        enum predict_kind kind;
        unsigned points[PREDICT_POINTS + 1]; /* of slice t; all from slice PREDICT_POINTS on are alike */
        int32_t weights[PREDICT_POINTS + 1][PREDICT_POINTS];
    } rule;
};

/* A word type with the bits of its prefixes: LARGE ones count a word's bytes to the last. */
template <typename Word, bool LARGE> struct predict_format {
    enum {
        word_bits = 8 * sizeof(Word),
        bits = (sizeof(Word) == 4 ? 2 : 3) + LARGE,
        lane_values = 16 / sizeof(Word),
        row_lanes = 32 / lane_values,
        chunk_rows = lane_values,
        chunk_values = 32 * lane_values,
    };
};

/* Up to 16 bytes, the first one lowest. */
struct predict_bytes {
    uint32_t word[4];
};

/* One string of up to 8 bytes, of `bits` bits, and another one behind it. */
static __device__ __forceinline__ struct predict_bytes predict_join(uint64_t first, uint64_t second,
                                                                    uint32_t bits)
{
    const uint32_t low = (uint32_t)second, high = (uint32_t)(second >> 32);
    const uint32_t a = low << bits % 32, b = __funnelshift_l(low, high, bits),
                   c = __funnelshift_l(high, 0, bits);
    const bool word = bits >= 32, words = bits >= 64;
    return {{(uint32_t)first | (word ? 0 : a),
             (uint32_t)(first >> 32) | (words  ? 0
                                        : word ? a
                                               : b),
             words  ? a
             : word ? b
                    : c,
             words  ? b
             : word ? c
                    : 0}};
}

/* What lies behind `bits` bits, 64 at most. */
static __device__ __forceinline__ uint64_t predict_behind(const struct predict_bytes &bytes, uint32_t bits)
{
    const uint32_t *const w = bytes.word;
    const bool word = bits >= 32, words = bits >= 64;
    const uint32_t a = words  ? w[2]
                       : word ? w[1]
                              : w[0],
                   b = words  ? w[3]
                       : word ? w[2]
                              : w[1],
                   c = word ? w[3] : w[2];
    return (uint64_t)__funnelshift_r(b, c, bits) << 32 | __funnelshift_r(a, b, bits);
}

/* The values' bytes, of which each has the last `bits`. */
static __device__ __forceinline__ struct predict_bytes predict_gather(const uint64_t value[2],
                                                                      const uint32_t bits[2])
{
    return predict_join(value[0], value[1], bits[0]);
}

static __device__ __forceinline__ struct predict_bytes predict_gather(const uint32_t value[4],
                                                                      const uint32_t bits[4])
{
    uint64_t pair[2];
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t a = value[2 * i], b = value[2 * i + 1], shift = bits[2 * i];
        pair[i] = (uint64_t)fpgz_shift_right(b, 32 - shift) << 32 | a | fpgz_shift_left(b, shift);
    }
    return predict_join(pair[0], pair[1], bits[0] + bits[1]);
}

static __device__ __forceinline__ void predict_scatter(const struct predict_bytes &bytes,
                                                       const uint32_t bits[2], uint64_t value[2])
{
    const uint64_t all = ~(uint64_t)0;
    value[0] = ((uint64_t)bytes.word[1] << 32 | bytes.word[0]) & fpgz_shift_right(all, 64 - bits[0]);
    value[1] = predict_behind(bytes, bits[0]) & fpgz_shift_right(all, 64 - bits[1]);
}

static __device__ __forceinline__ void predict_scatter(const struct predict_bytes &bytes,
                                                       const uint32_t bits[4], uint32_t value[4])
{
    const uint64_t pair[2] = {(uint64_t)bytes.word[1] << 32 | bytes.word[0],
                              predict_behind(bytes, bits[0] + bits[1])};
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t a = bits[2 * i], b = bits[2 * i + 1];
        value[2 * i] = (uint32_t)pair[i] & fpgz_shift_right(~0u, 32 - a);
        value[2 * i + 1] = (uint32_t)fpgz_shift_right(pair[i], a) & fpgz_shift_right(~0u, 32 - b);
    }
}

/* Sums over the lanes of a row up to and including the own one. */
template <unsigned LANES> static __device__ __forceinline__ uint32_t predict_scan_row(uint32_t sum)
{
#pragma unroll
    for (uint32_t step = 1; step < LANES; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step, LANES);
        sum += threadIdx.x % LANES >= step ? other : 0;
    }
    return sum;
}

static __device__ __forceinline__ uint32_t predict_block_values(const struct predict_task &task,
                                                                uint32_t block)
{
    return min(task.block, task.values - block * task.block);
}

#endif

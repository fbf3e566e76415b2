/* SPDX-License-Identifier: MIT
 * The first half of the predictive encoder: where a tile begins, its values' differences from what is
 * predicted, their prefixes, and how many bytes each row has. */
#ifndef FPGZ_CUDA_PREDICT_MEASURE_CUH
#define FPGZ_CUDA_PREDICT_MEASURE_CUH

#include "predict_rule.cuh"

enum {
    PACK_WARPS = 8,
    PACK_THREADS = 32 * PACK_WARPS,
    PACK_CTAS = 4, /* of a multiprocessor */
    TILE_CHUNKS = 32,
    WARP_CHUNKS = TILE_CHUNKS / PACK_WARPS,
    TILE_BYTES = TILE_CHUNKS * 512,
    RESIDUAL_WORDS = TILE_BYTES / 4 + 8, /* as far as a lane without values would store */
};

/* What the warps of a CTA tell each other. */
template <typename Word> struct predict_shared {
    enum { lane_rows = 16 / sizeof(Word), rows = 32 * lane_rows };
    uint32_t residuals[2][RESIDUAL_WORDS]; /* of two tiles; zeros where none are */
    uint32_t row_bytes[rows], row_starts[rows + 1];
    uint32_t pads[rows];  /* of the blocks before one of the tile's */
    uint32_t next, bytes; /* the tile that follows, and the bytes of the one at hand */
    uint32_t start;       /* of the tile before */
};

/* Where a tile begins: at a coded slice's value, or with slice_tiles = 0 with as many slices as it takes. */
struct predict_origin {
    uint32_t t, value, end; /* of its values, in the slice */
    uint32_t block, blocks; /* the first one, of all slices, and how many there are */
};

/* A warp's part of a tile: a lane's differences, their prefixes, and where in its row the residuals lie. */
template <typename Word> struct predict_part {
    Word difference[WARP_CHUNKS][16 / sizeof(Word)];
    uint32_t prefixes[WARP_CHUNKS], at[WARP_CHUNKS];
};

static __device__ __forceinline__ struct predict_origin predict_find(const struct predict_task &task,
                                                                     uint32_t tile)
{
    struct predict_origin o = {0, 0, task.values, tile * task.tile_blocks, task.tile_blocks};
    if (!task.slice_tiles) {
        o.t = o.block;
        o.blocks = min(o.blocks, task.slices - o.t);
        return o;
    }
    o.t = tile / task.slice_tiles;
    const uint32_t part = tile - o.t * task.slice_tiles,
                   block = task.parts > 1 ? part / task.parts : part * task.tile_blocks;
    o.value = block * task.block;
    o.block = o.t * task.blocks + block;
    o.blocks = min(o.blocks, task.blocks - block);
    o.end = min(o.value + o.blocks * task.block, task.values);
    if (task.parts > 1)
        o.value += part % task.parts * (task.slot_rows * 32);
    return o;
}

static __device__ __forceinline__ void predict_load_vector(const uint32_t *at, uint32_t value[4])
{
    const uint4 v = *(const uint4 *)at;
    value[0] = v.x, value[1] = v.y, value[2] = v.z, value[3] = v.w;
}

static __device__ __forceinline__ void predict_load_vector(const uint64_t *at, uint64_t value[2])
{
    const ulonglong2 v = *(const ulonglong2 *)at;
    value[0] = v.x, value[1] = v.y;
}

/* The first `count` values of those that a lane has from the one at `at` on. `vector` when they are all or
 * none. */
template <typename Word>
static __device__ __forceinline__ void predict_take(const Word *at, uint32_t count, bool vector,
                                                    Word value[16 / sizeof(Word)])
{
    enum { VALUES = 16 / sizeof(Word) };
    if (vector) {
        if (count)
            predict_load_vector(at, value);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < VALUES; i++)
        if (i < count)
            value[i] = at[i];
}

/* The place of the highest byte that is not zero, and -1 without one. */
static __device__ __forceinline__ int32_t predict_highest(uint32_t word)
{
    return highest_bit(word) >> 3;
}

static __device__ __forceinline__ int32_t predict_highest(uint64_t word)
{
    const uint32_t high = (uint32_t)(word >> 32);
    return predict_highest(high ? high : (uint32_t)word) + (high ? 4 : 0);
}

/* Stores a chunk's prefixes, of which each lane has VALUES: as whole bytes, which one to four lanes make.
 * They go to where those of the slice's value `value` belong, but not to `end` and behind it. */
template <unsigned BITS, unsigned VALUES>
static __device__ __forceinline__ void predict_store_prefixes(uint32_t prefixes, uint8_t *slice,
                                                              uint32_t value, uint32_t end)
{
    enum { WIDTH = BITS * VALUES, LANES = WIDTH == 8 ? 1 : WIDTH == 12 ? 2 : 4, BYTES = WIDTH * LANES / 8 };
    const uint32_t part = threadIdx.x % LANES, first = value / (VALUES * LANES) * BYTES;
    prefixes <<= part * WIDTH;
#pragma unroll
    for (unsigned step = 1; step < LANES; step *= 2)
        prefixes |= __shfl_xor_sync(~0u, prefixes, step);
#pragma unroll
    for (unsigned i = part; i < BYTES + part; i += LANES)
        if (i < BYTES && first + i < end)
            slice[first + i] = (uint8_t)(prefixes >> 8 * i);
}

/* Finds the differences, stores their prefixes and tells how many bytes each row has. FULL when the tile has
 * all values that it can have, in one slice, of which lanes can load vectors. */
template <typename Word, bool LARGE, bool PREVIOUS, bool FULL>
static __device__ __forceinline__ void predict_measure(const struct predict_task &task,
                                                       const struct predict_origin &origin,
                                                       struct predict_part<Word> *part,
                                                       struct predict_shared<Word> *shared)
{
    typedef predict_format<Word, LARGE> format;
    enum { VALUES = format::lane_values, BITS = format::bits };
    const uint32_t lane = threadIdx.x % 32, first = threadIdx.x / 32 * WARP_CHUNKS;
    uint32_t t[WARP_CHUNKS], value[WARP_CHUNKS], end[WARP_CHUNKS], count[WARP_CHUNKS];
    Word before[WARP_CHUNKS][VALUES];
    const bool vectors = FULL || task.values % VALUES == 0;
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        const uint32_t at = ((first + k) * 32 + lane) * VALUES,
                       slot = FULL || task.slice_tiles ? 0 : __umulhi(at, task.slot_inverse);
        t[k] = origin.t + slot;
        value[k] = origin.value + at - slot * (task.slot_rows * 32);
        end[k] = FULL || task.slice_tiles || slot < origin.blocks ? origin.end : 0;
        count[k] = FULL ? (uint32_t)VALUES : value[k] < end[k] ? min(end[k] - value[k], (uint32_t)VALUES) : 0;
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            part->difference[k][i] = before[k][i] = 0;
    }
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        const Word *const at = (const Word *)task.grid + ((t[k] + 1) * task.values + value[k]);
        predict_take(at, count[k], vectors, part->difference[k]);
        if (PREVIOUS) {
            predict_take(at - task.values, count[k], vectors, before[k]);
        } else {
#pragma unroll
            for (unsigned i = 0; i < VALUES; i++)
                if (i < count[k])
                    before[k][i] = predict_value(task, at + i, t[k] + 1);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        uint32_t bytes = 0, prefixes = 0;
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++) {
            const Word least = !LARGE && i < count[k]; /* small prefixes leave a byte of zero */
            part->difference[k][i] ^= before[k][i];
            const uint32_t kept = (uint32_t)predict_highest(part->difference[k][i] | least) + 1;
            bytes += kept;
            prefixes += ((uint32_t)sizeof(Word) - kept) << BITS * i;
        }
        part->prefixes[k] = prefixes & ((1u << BITS * count[k]) - 1);
        const uint32_t sum = predict_scan_row<format::row_lanes>(bytes);
        part->at[k] = sum - bytes;
        if (lane % format::row_lanes == format::row_lanes - 1)
            shared->row_bytes[(first + k) * format::chunk_rows + lane / format::row_lanes] = sum;
        const uint32_t row = value[k] / 32 * 32, in_row = row < end[k] ? min(end[k] - row, 32u) : 0;
        const uint32_t row_end = row / 8 * BITS + (in_row * BITS + 31) / 32 * 4;
        predict_store_prefixes<BITS, VALUES>(part->prefixes[k],
                                             (uint8_t *)(task.prefixes + (size_t)t[k] * task.slice_words),
                                             value[k], FULL ? ~0u : row_end);
    }
}

template <typename Word, bool LARGE, bool PREVIOUS>
static __device__ __forceinline__ void predict_measure_tile(const struct predict_task &task, uint32_t tile,
                                                            struct predict_part<Word> *part,
                                                            struct predict_shared<Word> *shared)
{
    const struct predict_origin origin = predict_find(task, tile);
    const bool full = task.slice_tiles && origin.value + TILE_BYTES / sizeof(Word) <= origin.end &&
                      task.values % (16 / sizeof(Word)) == 0;
    if (PREVIOUS && full)
        predict_measure<Word, LARGE, PREVIOUS, true>(task, origin, part, shared);
    else
        predict_measure<Word, LARGE, PREVIOUS, false>(task, origin, part, shared);
}

#endif

/* SPDX-License-Identifier: MIT
 * prans' middle setting on a GPU: what the host reads of a stream, what kernels get, and the kernels of the
 * entropy coder. A warp decodes a segment to symbols; all else is parallel over blocks of 128 values, as each
 * block's raw bits have a known place then. */
#ifndef FPGZ_CUDA_PRANS_CUH
#define FPGZ_CUDA_PRANS_CUH

#include "codec.cuh"
#include "machine.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/prans/middle/kernels.h"
#include "codec/prans/outline.h"
}

enum {
    PRANS_ORDERS = 4,  /* along rows, at most */
    PRANS_RING = 1024, /* bytes of a segment's words that are in shared memory */
    PRANS_HALF = PRANS_RING / 2,
    PRANS_TABLE =
        PRANS_SCALE + 8 * PRANS_SYMBOLS, /* bytes of a table: a symbol a slot, two numbers a symbol */
};

/* What the host reads of a stream. It stands before the arrays that it names, by bytes from its begin. */
struct prans_front {
    uint32_t bytes;                      /* of it all */
    uint32_t values, points, components; /* values in the stream's order are planes of components */
    uint32_t row, axes, extent[MIDDLE_AXES], selected, order;
    uint32_t blocks, counted; /* values that have raw bits */
    uint32_t segments, segment_bits, tables;
    uint32_t ids;     /* bytes before the tables' numbers in the stream, or 0 */
    uint32_t special; /* the symbol of the first special value; above all symbols if there are none */
    uint32_t folded;
    uint32_t domain, number, shift, slab, last; /* last: the largest rank */
    uint32_t exceptions;
    double scale;
    uint64_t origin, step, special_word[PRANS_SPECIALS];
    uint32_t low, width, frequency, segment, lattice, dictionary, exception, exact;
};

/* What kernels get. */
struct prans_work {
    struct prans_front f;
    const uint8_t *front, *stream;
    uint64_t length;
    uint8_t *image;   /* the tables: PRANS_SCALE bytes each, then as many times 256 pairs of numbers */
    uint64_t *bit;    /* where each block's raw bits begin in the stream */
    uint8_t *symbol;  /* of each value, of whole blocks */
    uint64_t *carry;  /* PRANS_ORDERS a piece of a row that is longer than a piece */
    void *y, *values; /* integers in the stream's order, and the grid; they may be the same */
    struct fpgz_cuda_result *result;
};

/* What slots stand for, a table a block of 256 threads. */
static __global__ void __launch_bounds__(PRANS_SYMBOLS) prans_tables(const __grid_constant__ prans_work k)
{
    __shared__ uint32_t total[PRANS_SYMBOLS / 32], below[PRANS_SYMBOLS];
    const unsigned s = threadIdx.x, table = blockIdx.x;
    const uint32_t frequency = ((const uint16_t *)(k.front + k.f.frequency))[table * PRANS_SYMBOLS + s];
    const uint32_t sum = warp_scan(frequency);
    uint32_t all;
    if (s % 32 == 31)
        total[s / 32] = sum;
    __syncthreads();
    below[s] = sum - frequency + warps_before<PRANS_SYMBOLS / 32>(total, s / 32, &all);
    uint2 *const info = (uint2 *)(k.image + k.f.tables * PRANS_SCALE) + table * PRANS_SYMBOLS;
    info[s] = make_uint2(frequency, 0 - below[s]);
    __syncthreads();
    /* The last symbol that begins at or before a slot has it. */
    uint8_t *const slots = k.image + table * PRANS_SCALE;
    for (uint32_t slot = s; slot < PRANS_SCALE; slot += PRANS_SYMBOLS) {
        uint32_t symbol = 0;
        for (uint32_t step = PRANS_SYMBOLS / 2; step; step /= 2)
            symbol += below[symbol + step] <= slot ? step : 0;
        slots[slot] = (uint8_t)symbol;
    }
}

/* The words of a segment on their way into a ring in shared memory, which has them at even places. A lane
 * brings 16 bytes of each half; those of the next half wait in registers. */
struct prans_words {
    const uint8_t *at, *end; /* of the lane's bytes of the next half, and where all bytes end */
    uint32_t shift;          /* 8 where words stand at odd addresses */
    uint32_t part[5];

    __device__ __forceinline__ void load()
    {
        uint4 four = make_uint4(0, 0, 0, 0);
        part[4] = 0;
        if (at < end) { /* 256 bytes behind the end can be read */
            four = *(const uint4 *)at;
            part[4] = *(const uint32_t *)(at + sizeof four);
        }
        part[0] = four.x, part[1] = four.y, part[2] = four.z, part[3] = four.w;
        at += PRANS_HALF;
    }

    __device__ __forceinline__ void store(uint8_t *half, unsigned lane) const
    {
        uint4 four;
        four.x = __funnelshift_r(part[0], part[1], shift);
        four.y = __funnelshift_r(part[1], part[2], shift);
        four.z = __funnelshift_r(part[2], part[3], shift);
        four.w = __funnelshift_r(part[3], part[4], shift);
        ((uint4 *)half)[lane] = four;
    }
};

static __device__ __forceinline__ uint32_t prans_load32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The tables' numbers of 16 blocks a lane. */
struct prans_ids {
    uint32_t eight[2];

    /* Those of `blocks` blocks from number `block` on. False when there is no such table. */
    __device__ __forceinline__ bool load(const prans_work &k, uint32_t block, uint32_t blocks, unsigned lane)
    {
        bool good = true;
        eight[0] = eight[1] = 0;
        for (unsigned i = 0; i < 8 && k.f.ids; i++) {
            const uint32_t at = 8 * lane + i;
            const uint32_t two = at < (blocks + 1) / 2 ? k.stream[k.f.ids + block / 2 + at] : 0;
            good &= two % 16 < k.f.tables && two / 16 < k.f.tables;
            eight[i / 4] |= two << 8 * (i % 4);
        }
        return __all_sync(0xFFFFFFFF, good);
    }

    __device__ __forceinline__ uint32_t of(uint32_t block) const
    {
        const uint32_t mine = block & 8 ? eight[1] : eight[0];
        return __shfl_sync(0xFFFFFFFF, mine, block / 16) >> 4 * (block & 7) & 15;
    }
};

/* Bytes of shared memory of a block that decodes `warps` segments. */
static inline size_t prans_states_shared(unsigned tables, unsigned warps)
{
    return (size_t)tables * PRANS_TABLE + PRANS_SYMBOLS + (size_t)warps * PRANS_RING;
}

/* Symbols, and where blocks' raw bits begin: a warp a segment. Each lane is a state. */
static __global__ void __launch_bounds__(512) prans_states(const __grid_constant__ prans_work k)
{
    extern __shared__ uint4 prans_shared[];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = 0xFFFFFFFF;
    uint8_t *const slots = (uint8_t *)prans_shared;
    uint2 *const infos = (uint2 *)(slots + k.f.tables * PRANS_SCALE);
    uint8_t *const width = (uint8_t *)(infos + k.f.tables * PRANS_SYMBOLS);
    uint8_t *const ring = width + PRANS_SYMBOLS + warp * PRANS_RING;
    for (uint32_t i = 16 * threadIdx.x; i < k.f.tables * PRANS_TABLE; i += 16 * blockDim.x)
        copy_async<16>(shared_address(slots + i), k.image + i);
    for (uint32_t i = threadIdx.x; i < PRANS_SYMBOLS; i += blockDim.x)
        width[i] = k.front[k.f.width + i];
    copy_async_wait();
    __syncthreads();

    const uint32_t segment = blockIdx.x * (blockDim.x / 32) + warp, per_segment = k.f.segment_bits - 7;
    if (segment >= k.f.segments)
        return;
    const struct prans_segment at = ((const struct prans_segment *)(k.front + k.f.segment))[segment];
    const uint32_t first = segment << per_segment, blocks = min(k.f.blocks - first, 1u << per_segment);
    prans_ids ids;
    if (!ids.load(k, first, blocks, lane)) {
        k.result->status = FPGZ_CORRUPT;
        return;
    }
    const uint8_t *const states = k.stream + at.at, *const begin = states + MIDDLE_STATE_BYTES;
    const uint32_t into = (uint32_t)((uintptr_t)begin & 15), from = into & ~1u;
    prans_words words;
    words.at = begin - into + 16 * lane;
    words.end = k.stream + k.length;
    words.shift = into % 2 * 8;
    for (unsigned half = 0; half < 2; half++) {
        words.load();
        words.store(ring + half * PRANS_HALF, lane);
    }
    words.load();
    __syncwarp();

    const uint32_t before = (1u << lane) - 1;
    uint32_t x = prans_load32(states + 4 * lane), place = from / 2, refill = PRANS_HALF / 2;
    uint8_t *symbols = k.symbol + (size_t)first * MIDDLE_BLOCK + lane, *free_half = ring;
    const uint64_t raw = 8 * ((uint64_t)at.at + MIDDLE_STATE_BYTES + at.words);
    uint32_t bits = 0;
    for (uint32_t block = 0; block < blocks; block++, symbols += MIDDLE_BLOCK) {
        if (place >= refill) { /* the first of two halves is used up */
            __syncwarp();
            words.store(free_half, lane);
            words.load();
            __syncwarp();
            free_half = ring + (free_half == ring ? PRANS_HALF : 0);
            refill += PRANS_HALF / 2;
        }
        const uint32_t table = ids.of(block);
        const uint8_t *const slot = slots + table * PRANS_SCALE;
        const uint2 *const info = infos + table * PRANS_SYMBOLS;
        uint32_t mine = 0;
#pragma unroll
        for (unsigned step = 0; step < MIDDLE_BLOCK / 32; step++) {
            const uint32_t low = x % PRANS_SCALE, symbol = slot[low];
            const uint2 of = info[symbol];
            x = of.x * (x >> PRANS_SCALE_BITS) + low + of.y;
            const bool is_short = x < PRANS_STATE;
            const uint32_t short_ones = __ballot_sync(all, is_short);
            const uint32_t word =
                ((const uint16_t *)ring)[(place + __popc(short_ones & before)) % (PRANS_RING / 2)];
            x = is_short ? x << 16 | word : x;
            place += __popc(short_ones);
            symbols[32 * step] = (uint8_t)symbol;
            mine += (first + block) * MIDDLE_BLOCK + 32 * step + lane < k.f.counted ? width[symbol] : 0;
        }
        if (lane == 0)
            k.bit[first + block] = raw + bits;
        bits += __reduce_add_sync(all, mine);
    }
    if (__any_sync(all, x != PRANS_STATE) || 2 * place - from != at.words || (bits + 7) / 8 != at.raw)
        k.result->status = FPGZ_CORRUPT;
}

#endif

/* SPDX-License-Identifier: MIT
 * prans' entropy coder. A warp decodes a segment to symbols; all else is parallel over blocks of 128 values,
 * as each block's raw bits have a known place then. */
#ifndef FPGZ_CUDA_PRANS_STATES_CUH
#define FPGZ_CUDA_PRANS_STATES_CUH

#include "prans.cuh"
#include "scan.cuh"

enum {
    PRANS_RING = 1024, /* bytes of a segment's words that are in shared memory */
    PRANS_HALF = PRANS_RING / 2,
    PRANS_TABLE =
        PRANS_SCALE + 8 * PRANS_SYMBOLS, /* bytes of a table: a symbol a slot, two numbers a symbol */
    PRANS_WIDTH_BIT = 20, /* of a symbol's second number: below, slots; from it on, bits of a raw part */
};

/* What slots stand for, a table a block of 256 threads. The blocks bring the front to the device, and clear
 * what is known of tiles. */
static __global__ void __launch_bounds__(PRANS_SYMBOLS)
    prans_tables(const __grid_constant__ prans_batch batch)
{
    __shared__ uint32_t total[PRANS_SYMBOLS / 32], below[PRANS_SYMBOLS];
    uint32_t table;
    const prans_work &k = prans_of(batch, &table);
    const uint32_t s = threadIdx.x, thread = table * PRANS_SYMBOLS + s, threads = k.f.tables * PRANS_SYMBOLS;
    for (uint32_t i = thread; i < (k.f.bytes + 15) / 16; i += threads)
        ((uint4 *)k.front)[i] = ((const uint4 *)k.brought)[i];
    for (uint32_t i = thread; i <= prans_marks(k.tiling); i += threads)
        k.turn[i] = 0;
    const uint32_t frequency = ((const uint16_t *)(k.brought + k.f.frequency))[thread];
    const uint32_t sum = warp_scan(frequency);
    uint32_t all;
    if (s % 32 == 31)
        total[s / 32] = sum;
    __syncthreads();
    below[s] = sum - frequency + warps_before<PRANS_SYMBOLS / 32>(total, s / 32, &all);
    uint2 *const info = (uint2 *)(k.image + k.f.tables * PRANS_SCALE);
    info[thread] = make_uint2(frequency, ((uint32_t)k.brought[k.f.width + s] << PRANS_WIDTH_BIT) - below[s]);
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
    return (size_t)tables * PRANS_TABLE + (size_t)warps * PRANS_RING;
}

/* Symbols, and where blocks' raw bits begin: a warp a segment. Each lane is a state. */
static __global__ void __launch_bounds__(512) prans_states(const __grid_constant__ prans_batch batch)
{
    enum { STEPS = MIDDLE_BLOCK / 32 };
    extern __shared__ uint4 prans_shared[];
    uint8_t *const shared = (uint8_t *)prans_shared;
    uint32_t number;
    const prans_work &k = prans_of(batch, &number);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = 0xFFFFFFFF;
    const uint32_t infos = k.f.tables * PRANS_SCALE, tables = k.f.tables * PRANS_TABLE,
                   ring = tables + warp * PRANS_RING;
    for (uint32_t i = 16 * threadIdx.x; i < tables; i += 16 * blockDim.x)
        copy_async<16>(shared_address(shared + i), k.image + i);
    copy_async_wait();
    __syncthreads();

    const uint32_t segment = number * (blockDim.x / 32) + warp, per_segment = k.f.segment_bits - 7;
    if (segment >= k.f.segments)
        return;
    const struct prans_segment of = ((const struct prans_segment *)(k.front + k.f.segment))[segment];
    const uint32_t first = segment << per_segment, blocks = min(k.f.blocks - first, 1u << per_segment);
    prans_ids ids;
    if (!ids.load(k, first, blocks, lane)) {
        k.result->status = FPGZ_CORRUPT;
        return;
    }
    const uint8_t *const states = k.stream + of.at, *const begin = states + MIDDLE_STATE_BYTES;
    const uint32_t into = (uint32_t)((uintptr_t)begin & 15), from = into & ~1u;
    prans_words words;
    words.at = begin - into + 16 * lane;
    words.end = k.stream + k.length;
    words.shift = into % 2 * 8;
    for (unsigned half = 0; half < 2; half++) {
        words.load();
        words.store(shared + ring + half * PRANS_HALF, lane);
    }
    words.load();
    __syncwarp();

    const uint32_t before = (1u << lane) - 1, whole = k.f.counted / MIDDLE_BLOCK - first;
    const uint64_t raw = 8 * ((uint64_t)of.at + MIDDLE_STATE_BYTES + of.words);
    uint64_t *const bit = k.bit + first;
    uint8_t *symbols = k.symbol + (size_t)first * MIDDLE_BLOCK + lane;
    /* `place`: bytes of words before the next one, as the ring has them. */
    uint32_t x = prans_load32(states + 4 * lane), place = from, refill = PRANS_HALF, bits = 0, kept = 0;
    for (uint32_t block = 0; block < blocks; block++, symbols += MIDDLE_BLOCK) {
        if (place >= refill) { /* the first of two halves is used up */
            __syncwarp();
            words.store(shared + ring + (refill - PRANS_HALF) % PRANS_RING, lane);
            words.load();
            __syncwarp();
            refill += PRANS_HALF;
        }
        const uint32_t table = ids.of(block), slot = table * PRANS_SCALE,
                       info = infos + table * 8 * PRANS_SYMBOLS;
        uint32_t within[STEPS], mine = 0; /* within the symbol's slots, below its width */
#pragma unroll
        for (unsigned step = 0; step < STEPS; step++) {
            const uint32_t low = x % PRANS_SCALE, symbol = shared[slot + low];
            const uint2 its = *(const uint2 *)(shared + info + 8 * symbol);
            within[step] = low + its.y;
            x = its.x * (x >> PRANS_SCALE_BITS) + within[step] % (1u << PRANS_WIDTH_BIT);
            const bool is_short = x < PRANS_STATE;
            const uint32_t short_ones = __ballot_sync(all, is_short);
            const uint32_t next = place + 2 * __popc(short_ones & before),
                           word = *(const uint16_t *)(shared + (ring | next % PRANS_RING));
            x = is_short ? x << 16 | word : x;
            place += 2 * __popc(short_ones);
            symbols[32 * step] = (uint8_t)symbol;
        }
        if (block >= whole) /* the last block of all may have fewer raw bits than values */
            for (unsigned step = 0; step < STEPS; step++)
                within[step] =
                    (first + block) * MIDDLE_BLOCK + 32 * step + lane < k.f.counted ? within[step] : 0;
        for (unsigned step = 0; step < STEPS; step++)
            mine += within[step];
        kept = block % 32 == lane ? bits : kept;
        if (block % 32 == 31 || block + 1 == blocks)
            if (lane <= block % 32)
                bit[block - block % 32 + lane] = raw + kept;
        bits += __reduce_add_sync(all, mine >> PRANS_WIDTH_BIT);
    }
    if (__any_sync(all, x != PRANS_STATE) || place - from != of.words || (bits + 7) / 8 != of.raw)
        k.result->status = FPGZ_CORRUPT;
}

#endif

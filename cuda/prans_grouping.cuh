/* SPDX-License-Identifier: MIT
 * Tables for blocks, learnt as src/codec/prans/middle/tables.c does it. */
#ifndef FPGZ_CUDA_PRANS_GROUPING_CUH
#define FPGZ_CUDA_PRANS_GROUPING_CUH

#include "prans_coding.cuh"

enum {
    PRANS_LEARNT_BLOCKS = 640, /* that tables are learnt from, at most */
    PRANS_ROUNDS = 3,
    PRANS_COST_BITS = 5,
    PRANS_KEY_SHIFT = 3,
    PRANS_SIZES = 4096, /* sums of a block's keys, shifted, are below */
    PRANS_LEARN_WARPS = 32,
    PRANS_PAIRS = MIDDLE_TABLES / 2, /* two costs stand in 32 bits */
    PRANS_EIGHT = MIDDLE_TABLES / 2, /* tables whose costs stand side by side, in 16 bytes */
};

static __device__ const uint32_t prans_logarithms[] = {PRANS_LOGARITHMS};

/* fpgz_prans_log2(). */
static __device__ __forceinline__ uint32_t prans_log2(uint32_t number)
{
    const uint32_t top = 31 - __clz((int)number),
                   mantissa = number << (31 - top) << 1, *const at = &prans_logarithms[mantissa >> 26];
    return (top << 16) + ((at[0] + ((at[1] - at[0]) * (mantissa << 6 >> 16) >> 16)) >> 4);
}

/* The four symbols of each lane, by a whole warp. */
static __device__ __forceinline__ uint32_t prans_four_symbols(const prans_coding &k, uint32_t block)
{
    return ((const uint32_t *)k.symbol)[block * (MIDDLE_BLOCK / 4) + threadIdx.x % 32];
}

static __device__ __forceinline__ void prans_count(uint32_t four, uint32_t *histogram)
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        atomicAdd(&histogram[four >> 8 * i & 255], 1u);
}

/* Costs of symbols: of all symbols under the first eight tables, then under the others. So those of symbols
 * that are next to each other are in other banks of shared memory. */
typedef uint16_t prans_costs[2][PRANS_SYMBOLS][PRANS_EIGHT];

/* The first table that codes a block shortest. cost: of a symbol under eight tables. Sums stay below 2^16.
 * Tables that are not learnt are behind all others, and code nothing shorter. */
static __device__ __forceinline__ uint32_t prans_best_table(const prans_coding &k, uint32_t four,
                                                            const uint4 *cost)
{
    uint32_t sum[PRANS_PAIRS] = {0, 0, 0, 0, 0, 0, 0, 0}, best = 0xFFFFFFFF;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t symbol = four >> 8 * i & 255;
        const uint4 a = cost[symbol], b = cost[PRANS_SYMBOLS + symbol];
        sum[0] += a.x, sum[1] += a.y, sum[2] += a.z, sum[3] += a.w;
        sum[4] += b.x, sum[5] += b.y, sum[6] += b.z, sum[7] += b.w;
    }
#pragma unroll
    for (unsigned p = 0; p < PRANS_PAIRS; p++) {
        const uint32_t both = __reduce_add_sync(0xFFFFFFFF, sum[p]);
        best = min(best, min((both & 0xFFFF) << 4 | 2 * p, both >> 16 << 4 | (2 * p + 1)));
    }
    return best & 15;
}

/* Costs of symbols by the histograms; those that a table lacks have that of one in all, and 6 bits. */
static __device__ __forceinline__ void prans_price(const prans_coding &k,
                                                   const uint32_t (*histogram)[PRANS_SYMBOLS],
                                                   uint32_t *total, prans_costs &cost)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned t = threadIdx.x / 32; t < k.count; t += PRANS_LEARN_WARPS) {
        uint32_t sum = 0;
        for (unsigned s = lane; s < PRANS_SYMBOLS; s += 32)
            sum += histogram[t][s];
        sum = __reduce_add_sync(0xFFFFFFFF, sum);
        if (lane == 0)
            total[t] = prans_log2(sum + 1);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < MIDDLE_TABLES * PRANS_SYMBOLS; i += 32 * PRANS_LEARN_WARPS) {
        const unsigned t = i % MIDDLE_TABLES, s = i / MIDDLE_TABLES;
        uint32_t price = UINT16_MAX; /* of a table that is not learnt */
        if (t < k.count)
            price = histogram[t][s] ? (total[t] - prans_log2(histogram[t][s])) >> (16 - PRANS_COST_BITS)
                                    : (total[t] >> (16 - PRANS_COST_BITS)) + (6 << PRANS_COST_BITS);
        cost[t / PRANS_EIGHT][s][t % PRANS_EIGHT] =
            (uint16_t)min(price, (uint32_t)(UINT16_MAX / MIDDLE_BLOCK));
    }
    __syncthreads();
}

/* The symbols of a lane in a block that tables are learnt from; those of the last one behind it. */
static __device__ __forceinline__ uint32_t prans_learnt_symbols(const prans_coding &k, uint32_t learnt,
                                                                uint32_t number)
{
    return prans_four_symbols(k, min(number, learnt - 1) * k.step);
}

/* Turns counts of sizes into the number of smaller ones, by the block of threads. */
static __device__ __forceinline__ void prans_count_smaller(uint32_t *counts, uint32_t *warps)
{
    enum { EACH = PRANS_SIZES / (32 * PRANS_LEARN_WARPS) };
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t count[EACH], sum = 0;
    for (unsigned i = 0; i < EACH; i++) {
        count[i] = counts[EACH * threadIdx.x + i];
        sum += count[i];
    }
    const uint32_t within = warp_scan(sum);
    if (lane == 31)
        warps[warp] = within;
    __syncthreads();
    uint32_t all, smaller = within - sum + warps_before<PRANS_LEARN_WARPS>(warps, warp, &all);
    for (unsigned i = 0; i < EACH; i++) {
        counts[EACH * threadIdx.x + i] = smaller;
        smaller += count[i];
    }
    __syncthreads();
}

/* Gives each size its rank, of equal ones the earlier first, by one warp. smaller: of a size. */
static __device__ __forceinline__ void prans_rank(uint16_t *size, uint32_t sizes, uint32_t *smaller)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint32_t first = 0; first < sizes; first += 32) {
        const uint32_t mine = first + lane < sizes ? size[first + lane] : UINT32_MAX;
        unsigned before = 0, behind = 0;
        for (unsigned i = 0; i < 32; i++) {
            const bool same = __shfl_sync(0xFFFFFFFF, mine, i) == mine;
            before += same && i < lane;
            behind += same && i > lane;
        }
        if (mine != UINT32_MAX)
            size[first + lane] = (uint16_t)(smaller[mine] + before);
        __syncwarp();
        if (mine != UINT32_MAX && !behind)
            smaller[mine] += before + 1;
        __syncwarp();
    }
}

/* Learns tables from every step-th block, by one block of threads: leaves costs of symbols. What a warp reads
 * next is on its way. */
static __global__ void __launch_bounds__(32 * PRANS_LEARN_WARPS)
    prans_learn(const __grid_constant__ prans_coding k)
{
    __shared__ uint32_t histogram[MIDDLE_TABLES][PRANS_SYMBOLS], total[PRANS_LEARN_WARPS];
    __shared__ __align__(16) prans_costs cost;
    __shared__ uint16_t size[PRANS_LEARNT_BLOCKS]; /* then the rank */
    __shared__ uint8_t key[PRANS_SYMBOLS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, threads = 32 * PRANS_LEARN_WARPS;
    const uint32_t learnt = (k.blocks + k.step - 1) / k.step;
    uint32_t *const counts = &histogram[0][0];
    if (threadIdx.x < PRANS_SYMBOLS)
        key[threadIdx.x] = k.front->key[threadIdx.x];
    for (unsigned i = threadIdx.x; i < PRANS_SIZES; i += threads)
        counts[i] = 0;
    __syncthreads();
    uint32_t four = prans_learnt_symbols(k, learnt, warp);
    for (uint32_t b = warp, next; b < learnt; b += PRANS_LEARN_WARPS, four = next) {
        next = prans_learnt_symbols(k, learnt, b + PRANS_LEARN_WARPS);
        const uint32_t sum = __reduce_add_sync(0xFFFFFFFF, (uint32_t)key[four & 255] + key[four >> 8 & 255] +
                                                               key[four >> 16 & 255] + key[four >> 24]);
        if (lane == 0) {
            size[b] = (uint16_t)(sum >> PRANS_KEY_SHIFT);
            atomicAdd(&counts[sum >> PRANS_KEY_SHIFT], 1u);
        }
    }
    __syncthreads();
    prans_count_smaller(counts, total);
    if (warp == 0)
        prans_rank(size, learnt, counts);
    __syncthreads();
    for (unsigned round = 0; round < PRANS_ROUNDS; round++) {
        for (unsigned i = threadIdx.x; i < MIDDLE_TABLES * PRANS_SYMBOLS; i += threads)
            counts[i] = 0;
        __syncthreads();
        four = prans_learnt_symbols(k, learnt, warp);
        for (uint32_t b = warp, next; b < learnt; b += PRANS_LEARN_WARPS, four = next) {
            next = prans_learnt_symbols(k, learnt, b + PRANS_LEARN_WARPS);
            prans_count(four, histogram[round ? prans_best_table(k, four, (const uint4 *)cost)
                                              : (uint32_t)size[b] * k.count / learnt]);
        }
        __syncthreads();
        prans_price(k, histogram, total, cost);
    }
    for (unsigned i = threadIdx.x; i < MIDDLE_TABLES * PRANS_SYMBOLS; i += threads)
        k.cost[i] = (&cost[0][0][0])[i], k.histogram[i] = 0;
}

/* Gives each block its table, and counts symbols. */
static __global__ void __launch_bounds__(32 * PRANS_CODING_WARPS)
    prans_assign(const __grid_constant__ prans_coding k)
{
    __shared__ uint32_t histogram[MIDDLE_TABLES][PRANS_SYMBOLS];
    __shared__ uint4 cost[2 * PRANS_SYMBOLS];
    const unsigned threads = 32 * PRANS_CODING_WARPS;
    for (unsigned i = threadIdx.x; i < MIDDLE_TABLES * PRANS_SYMBOLS; i += threads)
        (&histogram[0][0])[i] = 0;
    for (unsigned i = threadIdx.x; i < 2 * PRANS_SYMBOLS; i += threads)
        cost[i] = ((const uint4 *)k.cost)[i];
    __syncthreads();
    for (uint32_t block = blockIdx.x * PRANS_CODING_WARPS + threadIdx.x / 32; block < k.blocks;
         block += gridDim.x * PRANS_CODING_WARPS) {
        const uint32_t four = prans_four_symbols(k, block), best = prans_best_table(k, four, cost);
        prans_count(four, histogram[best]);
        if (threadIdx.x % 32 == 0)
            k.id[block] = (uint8_t)best;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < MIDDLE_TABLES * PRANS_SYMBOLS; i += threads)
        if ((&histogram[0][0])[i])
            atomicAdd(&k.histogram[i], (&histogram[0][0])[i]);
}

#endif

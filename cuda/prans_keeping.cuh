/* SPDX-License-Identifier: MIT
 * Which of the tables for blocks are kept, as src/codec/prans/middle/tables.c does it, and their frequencies.
 */
#ifndef FPGZ_CUDA_PRANS_KEEPING_CUH
#define FPGZ_CUDA_PRANS_KEEPING_CUH

#include "prans_grouping.cuh"

enum { PRANS_LANE_SYMBOLS = PRANS_SYMBOLS / 32 };

/* fpgz_prans_scale() by a warp: lane l has the symbols from 8 l on. */
static __device__ __forceinline__ void prans_scale(const uint32_t count[PRANS_LANE_SYMBOLS],
                                                   uint32_t frequency[PRANS_LANE_SYMBOLS])
{
    enum { LEAD_BITS = 3 };
    const unsigned lane = threadIdx.x % 32, all = 0xFFFFFFFF;
    uint32_t total = 0, most = 0, largest = 0;
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++) {
        total += count[i];
        most = max(most, count[i]);
    }
    total = __reduce_add_sync(all, total);
    most = __reduce_max_sync(all, most);
    for (unsigned i = PRANS_LANE_SYMBOLS; i-- > 0;)
        largest = count[i] == most ? i : largest;
    bool has = false;
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        has |= count[i] == most;
    const uint32_t first = __ffs((int)__ballot_sync(all, has)) - 1;
    largest = lane == first ? largest : (uint32_t)PRANS_LANE_SYMBOLS; /* of no symbol of this lane */
    for (uint64_t scale = PRANS_SCALE;; scale -= scale / 16) {
        uint32_t sum = 0, next = 0;
        for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++) {
            uint32_t f = total ? (uint32_t)((count[i] * scale + total / 2) / total) : 0;
            f = count[i] && !f ? 1 : f;
            if (f > 1 << LEAD_BITS) {
                f += 1u << (31 - __clz((int)f) - LEAD_BITS) >> 1;
                const unsigned top = 31 - __clz((int)f), drop = top > LEAD_BITS ? top - LEAD_BITS : 0;
                f = f >> drop << drop;
            }
            frequency[i] = f;
            sum += i == largest ? 0 : f;
            next = i == largest ? next : max(next, f);
        }
        sum = __reduce_add_sync(all, sum);
        next = __reduce_max_sync(all, next);
        const int32_t left = PRANS_SCALE - (int32_t)sum;
        if (left < 1 || (uint32_t)left <= next)
            continue;
        for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
            frequency[i] = i == largest ? (uint32_t)left : frequency[i];
        return;
    }
}

/* bits_of() of tables.c by a warp, on all lanes. */
static __device__ __forceinline__ uint64_t prans_bits(const uint32_t count[PRANS_LANE_SYMBOLS])
{
    enum { TABLE_BITS = 12 };
    const unsigned all = 0xFFFFFFFF;
    uint32_t total = 0;
    uint64_t bits = 0;
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        total += count[i];
    total = __reduce_add_sync(all, total);
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        if (count[i])
            bits += (uint64_t)count[i] * (prans_log2(total) - prans_log2(count[i])) + (TABLE_BITS << 16);
    for (unsigned apart = 16; apart; apart /= 2)
        bits += __shfl_xor_sync(all, bits, apart);
    return bits;
}

/* Where one table is enough, the first warp has all that blocks count, and the others have nothing, as
 * is_one_enough() of tables.c says it. Of `count` each warp has those of its table. Returns whether it is. */
static __device__ __forceinline__ bool prans_join(const prans_coding &k, uint32_t count[PRANS_LANE_SYMBOLS])
{
    __shared__ uint32_t whole[PRANS_SYMBOLS];
    __shared__ unsigned long long several;
    __shared__ bool one;
    const unsigned lane = threadIdx.x % 32, t = threadIdx.x / 32;
    if (threadIdx.x < PRANS_SYMBOLS)
        whole[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        several = (unsigned long long)k.blocks * 4 << 16;
    __syncthreads();
    const uint64_t own = prans_bits(count);
    if (lane == 0)
        atomicAdd(&several, own);
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        if (count[i])
            atomicAdd(&whole[PRANS_LANE_SYMBOLS * lane + i], count[i]);
    __syncthreads();
    uint32_t sum[PRANS_LANE_SYMBOLS];
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        sum[i] = whole[PRANS_LANE_SYMBOLS * lane + i];
    const uint64_t together = prans_bits(sum);
    if (threadIdx.x == 0)
        one = together <= several;
    __syncthreads();
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS && one; i++)
        count[i] = t == 0 ? sum[i] : 0;
    return one;
}

/* Scales all tables, and keeps those that blocks have, once each. A warp a table, in one block of threads. */
static __global__ void __launch_bounds__(32 * MIDDLE_TABLES)
    prans_keep_tables(const __grid_constant__ prans_coding k)
{
    __shared__ uint32_t table[MIDDLE_TABLES][PRANS_SYMBOLS];
    __shared__ uint32_t used[MIDDLE_TABLES];
    const unsigned lane = threadIdx.x % 32, t = threadIdx.x / 32, all = 0xFFFFFFFF;
    uint32_t count[PRANS_LANE_SYMBOLS], frequency[PRANS_LANE_SYMBOLS], sum = 0;
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        count[i] = t < k.count ? k.histogram[t * PRANS_SYMBOLS + PRANS_LANE_SYMBOLS * lane + i] : 0;
    const bool one = prans_join(k, count);
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        sum += count[i];
    prans_scale(count, frequency);
    for (unsigned i = 0; i < PRANS_LANE_SYMBOLS; i++)
        table[t][PRANS_LANE_SYMBOLS * lane + i] = frequency[i];
    sum = __reduce_add_sync(all, sum);
    if (lane == 0)
        used[t] = sum;
    __syncthreads();
    /* The first table that is the same has the place in the stream. */
    uint32_t first = t, place = 0;
    for (unsigned other = t; other-- > 0;) {
        bool same = used[other] > 0;
        for (unsigned i = lane; i < PRANS_SYMBOLS; i += 32)
            same &= table[other][i] == table[t][i];
        first = __all_sync(all, same) ? other : first;
    }
    const bool kept = sum && first == t;
    __syncthreads();
    if (lane == 0)
        used[t] = kept;
    __syncthreads();
    for (unsigned other = 0; other < first; other++)
        place += used[other];
    if (lane == 0)
        k.number[t] = (uint8_t)(one ? 0 : place);
    if (threadIdx.x == 0) {
        uint32_t tables = 0;
        for (unsigned other = 0; other < MIDDLE_TABLES; other++)
            tables += used[other];
        k.result->tables = tables;
    }
    if (!kept)
        return;
    const uint32_t below = warp_scan(frequency[0] + frequency[1] + frequency[2] + frequency[3] +
                                     frequency[4] + frequency[5] + frequency[6] + frequency[7]);
    uint32_t behind = below;
    for (unsigned i = PRANS_LANE_SYMBOLS; i-- > 0;) {
        const unsigned s = PRANS_LANE_SYMBOLS * lane + i;
        behind -= frequency[i];
        k.result->frequency[place][s] = (uint16_t)frequency[i];
        k.code[place * PRANS_SYMBOLS + s] =
            make_uint2(frequency[i] ? 0xFFFFFFFF / frequency[i] : 0, frequency[i] | behind << 16);
    }
}

#endif

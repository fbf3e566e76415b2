/* SPDX-License-Identifier: MIT
 * Encoding with prans on a GPU: which words the probe for matches looks at, and what it takes as the usual
 * cost (matched/probe.h). */
#ifndef FPGZ_CUDA_PRANS_CHOOSING_CUH
#define FPGZ_CUDA_PRANS_CHOOSING_CUH

#include "prans_word.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/prans/matched/kernels.h"
}

enum {
    PRANS_CHOOSE_THREADS = 256,
    PRANS_CHOOSE_WARPS = PRANS_CHOOSE_THREADS / 32,
    PRANS_STRETCH = MATCHED_PROBE_STRETCH, /* values of a warp, one after the other */
};
static_assert(PRANS_STRETCH == 32 * 32);

/* What stands in front of the places. */
struct prans_chosen {
    uint64_t usual;
    uint64_t count; /* of all words that were chosen: there may be places for fewer */
};

/* What is found in a stretch: how many words are chosen, and what samples cost. */
struct prans_stretch {
    uint32_t chosen, usual;
};

struct prans_choosing {
    uint32_t values, stretches;
    enum prans_number number;
    uint32_t below, next_below; /* hashes' upper halves are, and those of the words behind */
    bool next_tells;            /* these are not always */
    uint32_t step;              /* from one sample of the usual cost to the next */
    const void *value;
    struct prans_stretch *stretch;
    uint32_t *bits;              /* one a value, whole stretches */
    struct prans_chosen *chosen; /* in pinned memory or the device's, as is */
    uint32_t *place, places;     /* room for so many */
};

/* The upper half of sampling_hash() of matched/probe.h: what hashes are to be below has a lower one of 0. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_sampling_hash(enum prans_number number, WORD word)
{
    const WORD sign = (WORD)((WORD)1 << (8 * sizeof(WORD) - 1));
    const WORD size = number == PRANS_REAL                      ? (WORD)(word | sign)
                      : number == PRANS_SIGNED && (word & sign) ? (WORD)(0 - word)
                                                                : word;
    return (uint32_t)((uint64_t)(size >> (sizeof(WORD) * MATCHED_CLOSE_BITS)) * MATCHED_FACTOR >> 32);
}

/* cost_of() of matched/search.h. */
template <typename WORD> static __device__ __forceinline__ uint32_t prans_cost_of(WORD difference)
{
    const WORD turned = (WORD)(0 - (difference >> (8 * sizeof(WORD) - 1))),
               size = (WORD)(difference ^ turned);
    const uint32_t length = 64 - (uint32_t)__clzll((long long)size);
    return difference ? (length + 2) * MATCHED_COST - MATCHED_COST / 2 : MATCHED_COST / 4;
}

/* raw_cost() of it, of a word behind another one. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_raw_cost(enum prans_number number, WORD word, WORD before)
{
    const WORD difference =
        number == PRANS_REAL ? (WORD)(prans_placed(word) - prans_placed(before)) : (WORD)(word - before);
    return prans_cost_of(difference) + MATCHED_COST;
}

/* What samples of a stretch cost, all together. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_usual_cost(const prans_choosing &k, uint32_t begin)
{
    const WORD *const value = (const WORD *)k.value;
    const uint32_t end = min(begin + PRANS_STRETCH, k.values), first = (begin + k.step - 2) / k.step;
    uint32_t cost = 0;
    for (uint32_t at = 1 + k.step * (first + threadIdx.x % 32); at < end; at += 32 * k.step)
        cost += prans_raw_cost<WORD>(k.number, value[at], value[at - 1]);
    return __reduce_add_sync(0xFFFFFFFF, cost);
}

/* Which words of a stretch their hashes choose: lane i has those of the words 32 i and following. is_whole:
 * all words are there, and one behind them. */
template <bool is_whole, typename WORD>
static __device__ __forceinline__ uint32_t prans_chosen_of(const prans_choosing &k, uint32_t begin)
{
    enum { TURNS = PRANS_STRETCH / 32 };
    const uint32_t lane = threadIdx.x % 32, left = k.values - begin;
    const WORD *const value = (const WORD *)k.value + begin;
    uint32_t chosen = 0, next = 0; /* next: those that may stand behind a chosen one */
#pragma unroll 4
    for (uint32_t i = 0; i < TURNS; i++) {
        const bool there = is_whole || 32 * i + lane < left;
        const uint32_t hash = prans_sampling_hash(k.number, value[there ? 32 * i + lane : 0]);
        const uint32_t low = __ballot_sync(0xFFFFFFFF, there && hash < k.below),
                       lower = __ballot_sync(0xFFFFFFFF, there && hash < k.next_below);
        chosen = lane == i ? low : chosen;
        next = lane == i ? lower : next;
    }
    if (!k.next_tells)
        return chosen;
    const uint32_t last = (is_whole || PRANS_STRETCH < left) &&
                          prans_sampling_hash(k.number, value[PRANS_STRETCH]) < k.next_below,
                   up = __shfl_down_sync(0xFFFFFFFF, next, 1);
    return chosen & (next >> 1 | (lane < TURNS - 1 ? up : last) << 31);
}

/* The words of each stretch whose hashes choose them. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_CHOOSE_THREADS)
    prans_choose(const __grid_constant__ prans_choosing k)
{
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t s = blockIdx.x * PRANS_CHOOSE_WARPS + threadIdx.x / 32; s < k.stretches;
         s += gridDim.x * PRANS_CHOOSE_WARPS) {
        const uint32_t begin = PRANS_STRETCH * s,
                       mine = begin + PRANS_STRETCH < k.values ? prans_chosen_of<true, WORD>(k, begin)
                                                               : prans_chosen_of<false, WORD>(k, begin),
                       chosen = __reduce_add_sync(0xFFFFFFFF, (uint32_t)__popc(mine)),
                       usual = prans_usual_cost<WORD>(k, begin);
        k.bits[PRANS_STRETCH / 32 * s + lane] = mine;
        if (lane == 0)
            k.stretch[s] = {chosen, usual};
    }
}

/* How many words are chosen before stretch `first`, of which the block of threads has those from `begin` on.
 */
static __device__ __forceinline__ uint32_t prans_chosen_before(const prans_choosing &k, uint32_t begin,
                                                               uint32_t first)
{
    __shared__ uint32_t total[PRANS_CHOOSE_WARPS];
    const uint32_t lane = threadIdx.x % 32;
    uint32_t before = 0, all;
    for (uint32_t s = threadIdx.x; s < begin; s += PRANS_CHOOSE_THREADS)
        before += k.stretch[s].chosen;
    before = __reduce_add_sync(0xFFFFFFFF, before);
    if (lane == 0)
        total[threadIdx.x / 32] = before;
    __syncthreads();
    warps_before<PRANS_CHOOSE_WARPS>(total, 0, &all);
    before = 0;
    for (uint32_t s = begin + lane; s < first; s += 32)
        before += k.stretch[s].chosen;
    return all + __reduce_add_sync(0xFFFFFFFF, before);
}

/* Lists what was chosen, in order: a warp some stretches behind each other. */
static __global__ void __launch_bounds__(PRANS_CHOOSE_THREADS)
    prans_list_chosen(const __grid_constant__ prans_choosing k)
{
    const uint32_t lane = threadIdx.x % 32, warps = gridDim.x * PRANS_CHOOSE_WARPS,
                   warp = blockIdx.x * PRANS_CHOOSE_WARPS + threadIdx.x / 32,
                   each = (k.stretches + warps - 1) / warps, first = min(warp * each, k.stretches),
                   end = min(first + each, k.stretches),
                   begin = min(blockIdx.x * PRANS_CHOOSE_WARPS * each, k.stretches);
    uint32_t before = prans_chosen_before(k, begin, first);
    uint64_t usual = 0;
    for (uint32_t s = first; s < end; s++) {
        const uint32_t mine = k.bits[PRANS_STRETCH / 32 * s + lane], sum = warp_scan((uint32_t)__popc(mine));
        uint32_t at = before + sum - (uint32_t)__popc(mine);
        for (uint32_t left = mine; left; left &= left - 1, at++)
            if (at < k.places)
                k.place[at] = PRANS_STRETCH * s + 32 * lane + (uint32_t)__ffs((int)left) - 1;
        before += __shfl_sync(0xFFFFFFFF, sum, 31);
    }
    if (warp != warps - 1)
        return;
    for (uint32_t s = lane; s < k.stretches; s += 32)
        usual += k.stretch[s].usual;
    usual = warp_scan(usual);
    if (lane == 31)
        *k.chosen = {usual, before};
}

#endif

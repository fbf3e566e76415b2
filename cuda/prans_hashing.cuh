/* SPDX-License-Identifier: MIT
 * Encoding with prans on a GPU: what hash tables tell of words. */
#ifndef FPGZ_CUDA_PRANS_HASHING_CUH
#define FPGZ_CUDA_PRANS_HASHING_CUH

#include "prans_survey.cuh"

enum {
    PRANS_HASH_THREADS = 256,
    PRANS_HASH_TOGETHER = 4,
    PRANS_HASH_EACH = PRANS_HASH_THREADS * PRANS_HASH_TOGETHER, /* values of a block of threads */
};

/* What hash tables find; cleared before. Words whose bits are all 1 are not in the tables: there these are
 * empty slots. */
struct prans_returns {
    uint32_t sampled, once, sampled_ones; /* `once` without those */
    uint32_t distinct, ones;
};

struct prans_hashing {
    uint32_t values, most;
    struct bins_line line; /* its special values do not count */
    const void *value;
    void *slot; /* 2^bits words, at first of ones */
    uint32_t *times;
    unsigned bits;
    struct prans_returns *returns;
};

/* What stands in a slot; the word does then, if it was `none`. */
static __device__ __forceinline__ uint32_t prans_claim(uint32_t *slot, uint32_t none, uint32_t word)
{
    return atomicCAS(slot, none, word);
}

static __device__ __forceinline__ uint64_t prans_claim(uint64_t *slot, uint64_t none, uint64_t word)
{
    return atomicCAS((unsigned long long *)slot, (unsigned long long)none, (unsigned long long)word);
}

/* The slot of a word; *fresh tells whether it is new there. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_slot_of(const prans_hashing &k, WORD word, bool *fresh)
{
    const WORD none = (WORD) ~(WORD)0;
    WORD *const slot = (WORD *)k.slot;
    uint32_t at = (uint32_t)((uint64_t)word * 0x9E3779B97F4A7C15 >> (64 - k.bits));
    WORD there;
    while ((there = slot[at]) != word) {
        if (there == none)
            there = prans_claim(&slot[at], none, word);
        if (there == none || there == word)
            break;
        at = (at + 1) & ((1u << k.bits) - 1);
    }
    *fresh = there == none;
    return at;
}

/* How many values of a sample stand there once (domain/rank.h). */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_HASH_THREADS)
    prans_count_once(const __grid_constant__ prans_hashing k)
{
    const uint32_t runs = (k.values - PRANS_RETURN_RUN) / PRANS_RETURN_PERIOD + 1;
    uint32_t sampled = 0, once = 0;
    for (uint32_t i = blockIdx.x * PRANS_HASH_THREADS + threadIdx.x; i < runs * PRANS_RETURN_RUN;
         i += gridDim.x * PRANS_HASH_THREADS) {
        const uint32_t at = i / PRANS_RETURN_RUN * PRANS_RETURN_PERIOD + i % PRANS_RETURN_RUN;
        const WORD word = ((const WORD *)k.value)[at];
        bool fresh;
        if (prans_special_of(k.line, word))
            continue;
        sampled++;
        if (word == (WORD) ~(WORD)0) {
            atomicAdd(&k.returns->sampled_ones, 1u);
            continue;
        }
        const uint32_t before = atomicAdd(&k.times[prans_slot_of(k, word, &fresh)], 1u);
        once += before == 0 ? 1 : before == 1 ? ~0u : 0;
    }
    sampled = __reduce_add_sync(0xFFFFFFFF, sampled);
    once = __reduce_add_sync(0xFFFFFFFF, once);
    if (threadIdx.x % 32 == 0 && sampled) {
        atomicAdd(&k.returns->sampled, sampled);
        atomicAdd(&k.returns->once, once);
    }
}

/* How many values are distinct, unless these are more than `most`: then any number above. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_HASH_THREADS)
    prans_count_distinct(const __grid_constant__ prans_hashing k)
{
    enum { WARPS = PRANS_HASH_THREADS / 32, PART = 32 * PRANS_HASH_TOGETHER };
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t begin = (blockIdx.x * WARPS + threadIdx.x / 32) * PART; begin < k.values;
         begin += gridDim.x * WARPS * PART) {
        WORD word[PRANS_HASH_TOGETHER];
        uint32_t added = 0;
#pragma unroll
        for (uint32_t i = 0; i < PRANS_HASH_TOGETHER; i++)
            word[i] = ((const WORD *)k.value)[min(begin + 32 * i + lane, k.values - 1)];
#pragma unroll
        for (uint32_t i = 0; i < PRANS_HASH_TOGETHER; i++) {
            bool fresh = false;
            if (prans_special_of(k.line, word[i]))
                continue;
            if (word[i] == (WORD) ~(WORD)0)
                k.returns->ones = 1;
            else
                prans_slot_of(k, word[i], &fresh);
            added += fresh;
        }
        added = __reduce_add_sync(0xFFFFFFFF, added);
        const uint32_t before = lane == 0 ? atomicAdd(&k.returns->distinct, added) : 0;
        if (__shfl_sync(0xFFFFFFFF, before, 0) + added > k.most)
            return;
    }
}

#endif

/* SPDX-License-Identifier: MIT
 * Running sums from block to block in one pass: each publishes its own sum, then the sum of all up to it, and
 * looks back over those before it until one has the latter. (Merrill and Garland, "Single-pass Parallel
 * Prefix Scan with Decoupled Look-back", 2016.) Blocks must take their numbers in the order in which they
 * start, by tickets. Sums have 32 bits: no stream of a chunk (FPGZ_CHUNK_LIMIT) comes near 4 GiB. */
#ifndef FPGZ_CUDA_LOOKBACK_CUH
#define FPGZ_CUDA_LOOKBACK_CUH

#include "machine.cuh"

/* What stands above a descriptor's sum. A descriptor is one word, so no fence is needed; all are zeroed
 * before the kernel starts. */
enum { LOOKBACK_NOTHING = 0, LOOKBACK_OWN = 1, LOOKBACK_ALL = 2 };

static __device__ __forceinline__ void lookback_store(uint64_t *descriptor, uint32_t state, uint32_t sum)
{
    store_relaxed(descriptor, (uint64_t)state << 32 | sum);
}

/* By one thread, as soon as the block's own sum is known. */
static __device__ __forceinline__ void lookback_publish(uint64_t *descriptors, uint32_t block, uint32_t own)
{
    lookback_store(descriptors + block, block ? LOOKBACK_OWN : LOOKBACK_ALL, own);
}

/* By one whole warp: the next block's number, from a counter that is zeroed before the kernel starts. */
static __device__ __forceinline__ uint32_t lookback_ticket(uint32_t *counter)
{
    const uint32_t block = threadIdx.x % 32 == 0 ? atomicAdd(counter, 1) : 0;
    return __shfl_sync(0xFFFFFFFF, block, 0);
}

/* By one whole warp: the sum of all blocks before, behind which the sum up to this one is published. */
static __device__ __forceinline__ uint32_t lookback_sum(uint64_t *descriptors, uint32_t block, uint32_t own)
{
    const unsigned lane = threadIdx.x % 32, all = 0xFFFFFFFF;
    if (block == 0)
        return 0;
    uint32_t before = 0;
    unsigned end = 32;
    for (int64_t nearest = (int64_t)block - 1; end == 32; nearest -= 32) {
        const int64_t mine = nearest - lane;
        uint64_t descriptor;
        for (bool ready = false; !ready;) {
            descriptor = mine >= 0 ? load_relaxed(descriptors + mine) : (uint64_t)LOOKBACK_ALL << 32;
            const unsigned ends = __ballot_sync(all, descriptor >> 32 == LOOKBACK_ALL);
            const unsigned missing = __ballot_sync(all, descriptor >> 32 == LOOKBACK_NOTHING);
            end = ends ? __ffs(ends) - 1 : 32;
            ready = !(missing & (end < 32 ? (1u << end) - 1 : all));
        }
        before += __reduce_add_sync(all, lane <= end ? (uint32_t)descriptor : 0);
    }
    if (lane == 0)
        lookback_store(descriptors + block, LOOKBACK_ALL, before + own);
    return before;
}

/* Both at once. */
static __device__ __forceinline__ uint32_t lookback_sum_now(uint64_t *descriptors, uint32_t block,
                                                            uint32_t own)
{
    if (threadIdx.x % 32 == 0)
        lookback_publish(descriptors, block, own);
    return lookback_sum(descriptors, block, own);
}

#endif

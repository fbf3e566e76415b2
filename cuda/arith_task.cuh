/* SPDX-License-Identifier: MIT
 * What arith's kernels know of a chunk, and where a symbol's range starts. */
#ifndef FPGZ_CUDA_ARITH_TASK_CUH
#define FPGZ_CUDA_ARITH_TASK_CUH

#include "arith_coder.cuh"
#include "codec.cuh"
#include "lookback.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/arith/arith.h"
}

enum { LENGTHS_AT = 8 + 4 + 2 * ARITH_SYMBOLS }; /* in the stream */

struct arith_task {
    uint64_t bytes;
    uint32_t block, blocks;
    uint8_t *values, *stream;
    uint64_t length; /* decoding: of the stream */
    struct fpgz_cuda_result *result;
    uint64_t *descriptors; /* of 32 blocks each */
    uint32_t *ticket;
    uint32_t *counts; /* of bytes */
    uint32_t *shares; /* of the total, as narrow() takes them */
    uint32_t *slots;  /* where blocks are coded, slot_words each */
    uint32_t slot_words;
};

static __device__ __forceinline__ uint32_t block_bytes(const struct arith_task &task, uint32_t block)
{
    return (uint32_t)min(task.bytes - (uint64_t)block * task.block, (uint64_t)task.block);
}

/* A symbol's start: the sum of the frequencies before it, of which each thread has one. */
static __device__ uint32_t start_of(uint32_t frequency)
{
    __shared__ uint32_t parts[ARITH_SYMBOLS / 32];
    const uint32_t sum = warp_scan(frequency);
    if (threadIdx.x % 32 == 31)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t i = 0; i < threadIdx.x / 32; i++)
        before += parts[i];
    return before + sum - frequency;
}

#endif

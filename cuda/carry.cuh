/* SPDX-License-Identifier: MIT
 * Small copies between a device and pinned memory. Copies by the driver wait for those of other lanes in the
 * same direction, whole chunks mostly; threads of a kernel do not. */
#ifndef FPGZ_CUDA_CARRY_CUH
#define FPGZ_CUDA_CARRY_CUH

#include "codec.cuh"
#include "move.cuh"

enum { CARRY_THREADS = 256, CARRY_BLOCKS = 128 };

static __global__ void __launch_bounds__(CARRY_THREADS)
    fpgz_carry_bytes(const uint8_t *from, uint8_t *to, uint32_t bytes)
{
    fpgz_move_any(from, to, bytes, blockIdx.x * CARRY_THREADS + threadIdx.x, gridDim.x * CARRY_THREADS);
}

/* Enqueues a copy of at most 1 GiB, either way or on the device. */
static inline cudaError_t fpgz_carry(void *to, const void *from, size_t bytes, cudaStream_t queue)
{
    const size_t blocks = (bytes / sizeof(uint4) + CARRY_THREADS) / CARRY_THREADS;
    fpgz_carry_bytes<<<(unsigned)fpgz_min(blocks, CARRY_BLOCKS), CARRY_THREADS, 0, queue>>>(
        (const uint8_t *)from, (uint8_t *)to, (uint32_t)bytes);
    return cudaGetLastError();
}

#endif

/* SPDX-License-Identifier: MIT
 * Shifts as the machine has them: by any count, with zeros from the word's width on. */
#ifndef FPGZ_CUDA_BITS_CUH
#define FPGZ_CUDA_BITS_CUH

#include <stdint.h>

static __device__ __forceinline__ uint32_t fpgz_shift_right(uint32_t word, uint32_t count)
{
    uint32_t shifted;
    asm("shr.u32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint64_t fpgz_shift_right(uint64_t word, uint32_t count)
{
    uint64_t shifted;
    asm("shr.u64 %0, %1, %2;" : "=l"(shifted) : "l"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint32_t fpgz_shift_left(uint32_t word, uint32_t count)
{
    uint32_t shifted;
    asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint64_t fpgz_shift_left(uint64_t word, uint32_t count)
{
    uint64_t shifted;
    asm("shl.b64 %0, %1, %2;" : "=l"(shifted) : "l"(word), "r"(count));
    return shifted;
}

#endif

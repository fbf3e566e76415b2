/* SPDX-License-Identifier: MIT
 * The 32 x 32 bit transpose inside one thread: each of its registers is a row. */
#ifndef FPGZ_CUDA_TRANSPOSE_CUH
#define FPGZ_CUDA_TRANSPOSE_CUH

#include "machine.cuh"

template <int STEP, uint32_t HIGH> static __device__ __forceinline__ void transpose_step(uint32_t (&u)[32])
{
#pragma unroll
    for (int i = 0; i < 32; i++)
        if (!(i & STEP)) {
            const uint32_t a = u[i], b = u[i + STEP];
            u[i] = select_bits(HIGH, a, b >> STEP);
            u[i + STEP] = select_bits(HIGH, a << STEP, b);
        }
}

/* Most significant bit first: bit 31 - j of u[i] and bit 31 - i of u[j] change places. Its own inverse. */
static __device__ __forceinline__ void transpose32(uint32_t (&u)[32])
{
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t a = u[i], b = u[i + 16];
        u[i] = __byte_perm(a, b, 0x3276);
        u[i + 16] = __byte_perm(a, b, 0x1054);
    }
#pragma unroll
    for (int i = 0; i < 32; i++)
        if (!(i & 8)) {
            const uint32_t a = u[i], b = u[i + 8];
            u[i] = __byte_perm(a, b, 0x3715);
            u[i + 8] = __byte_perm(a, b, 0x2604);
        }
    transpose_step<4, 0xF0F0F0F0>(u);
    transpose_step<2, 0xCCCCCCCC>(u);
    transpose_step<1, 0xAAAAAAAA>(u);
}

#endif

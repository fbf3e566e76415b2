/* SPDX-License-Identifier: MIT
 * MPC on the GPU. WORDS is the 32-bit words of a value. A tile is 128 lines of 128 bytes of the grid, one a
 * thread: four segments of 32-bit values or two of 64-bit ones. Every 32 x 32 bits that are transposed lie in
 * the registers of one thread. Between a group's transposed words and their thread there are two orders:
 *   32 bits: the group is a line, its words are the thread's;
 *   64 bits: the group is four lines. Thread 2x + y of the four has line 2y + x, so that with the thread of
 *   the other x it can make 32 values' low (x = 0) and high halves, and with that of the other y whole words
 *   of what transposing gives: words 32x + 16y and the next 15. */
#ifndef FPGZ_CUDA_MPC_CUH
#define FPGZ_CUDA_MPC_CUH

#include <stdint.h>

#include "transpose.cuh"

template <int WORDS> struct mpc_type;
template <> struct mpc_type<1> {
    typedef uint32_t value, bitmap;
};
template <> struct mpc_type<2> {
    typedef uint64_t value;
    typedef uint16_t bitmap; /* of a thread's words */
};

enum {
    MPC_LINE = 128, /* bytes */
    MPC_THREADS = 128,
    MPC_TILE = MPC_LINE * MPC_THREADS, /* bytes of the grid */
};

template <int WORDS> struct mpc_size {
    static const int COUNT = 32 / WORDS;                       /* values of a line, words of a thread */
    static const int VALUES = COUNT * MPC_THREADS;             /* of a tile */
    static const int SEGMENT = 32 * WORDS;                     /* lines of it, threads */
    static const int PADDED = 32 * COUNT + 32 * COUNT / COUNT; /* places for a warp's words, see below */
};

/* Where words wait in shared memory: with a gap behind each COUNT, so that threads that write or read a run
 * of COUNT each do not meet in one bank. */
template <int WORDS> static __device__ __forceinline__ uint32_t mpc_padded(uint32_t word)
{
    return word + word / mpc_size<WORDS>::COUNT;
}

/* The line of a thread. Its own inverse. */
template <int WORDS> static __device__ __forceinline__ uint32_t mpc_line_of(uint32_t thread)
{
    return WORDS == 1 ? thread : (thread & ~3u) | (thread & 1) << 1 | (thread >> 1 & 1);
}

/* Byte `at` of a line of shared memory. Its 16-byte pieces change their places with the line, so that threads
 * can read lines of their own at once. */
static __device__ __forceinline__ uint32_t mpc_place(uint32_t line, uint32_t at)
{
    return line * MPC_LINE + (at ^ (line & 7) << 4);
}

/* BIT: from a line of residuals to the thread's words, and back. Bit i of word L is bit L of residual i: the
 * least significant bit first, which makes transpose32() a transpose of rows in reverse order. */
static __device__ __forceinline__ void mpc_transpose(const uint32_t (&from)[32], uint32_t (&to)[32])
{
    uint32_t u[32];
#pragma unroll
    for (int i = 0; i < 32; i++)
        u[31 - i] = from[i];
    transpose32(u);
#pragma unroll
    for (int i = 0; i < 32; i++)
        to[i] = u[31 - i];
}

static __device__ __forceinline__ void mpc_words(const uint32_t (&residual)[32], uint32_t (&word)[32])
{
    mpc_transpose(residual, word);
}

static __device__ __forceinline__ void mpc_residuals(const uint32_t (&word)[32], uint32_t (&residual)[32])
{
    mpc_transpose(word, residual);
}

static __device__ __forceinline__ void mpc_words(const uint64_t (&residual)[16], uint64_t (&word)[16])
{
    const bool x = threadIdx.x & 2, y = threadIdx.x & 1;
    uint32_t half[32];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t low = (uint32_t)residual[i], high = (uint32_t)(residual[i] >> 32);
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, x ? low : high, 2);
        half[i] = x ? other : low;
        half[i + 16] = x ? high : other;
    }
    mpc_transpose(half, half);
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, y ? half[i] : half[i + 16], 1);
        word[i] = (uint64_t)(y ? half[i + 16] : other) << 32 | (y ? other : half[i]);
    }
}

static __device__ __forceinline__ void mpc_residuals(const uint64_t (&word)[16], uint64_t (&residual)[16])
{
    const bool x = threadIdx.x & 2, y = threadIdx.x & 1;
    uint32_t half[32];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t low = (uint32_t)word[i], high = (uint32_t)(word[i] >> 32);
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, y ? low : high, 1);
        half[i] = y ? other : low;
        half[i + 16] = y ? high : other;
    }
    mpc_transpose(half, half);
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, x ? half[i] : half[i + 16], 2);
        residual[i] = (uint64_t)(x ? half[i + 16] : other) << 32 | (x ? other : half[i]);
    }
}

#endif

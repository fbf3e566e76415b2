/* SPDX-License-Identifier: MIT
 * ndzip on the GPU: a block of threads codes hypercubes. WORDS is the 32-bit words of a value, DIMS the
 * grid's dimensions; a hypercube is 4096 values in lines of 128 bytes, one a thread. Thread and line carry
 * the same number, and every 32 x 32 bits that are transposed lie in the registers of one thread. */
#ifndef FPGZ_CUDA_NDZIP_CUH
#define FPGZ_CUDA_NDZIP_CUH

#include <stdint.h>

#include "codec.cuh"
#include "machine.cuh"

/* As the kernels want it; distances in bytes. */
struct ndzip_cubes {
    uint32_t count, across, down; /* hypercubes: all, along the fastest axis, along the one before */
    uint64_t row, plane;
};

template <int WORDS> struct ndzip_type;
template <> struct ndzip_type<1> {
    typedef uint32_t value;
};
template <> struct ndzip_type<2> {
    typedef uint64_t value;
};

template <int WORDS> struct ndzip_size {
    static const int THREADS = 128 * WORDS; /* that compute: a line each */
    static const int WARPS = THREADS / 32;
    static const int LINE_VALUES = 32 / WORDS;
    static const int TILE = THREADS * 128;   /* bytes of a hypercube */
    static const int HEADS = 128 / WORDS;    /* words of the type, one a group */
    static const int LONGEST = HEADS + 4096; /* words that a hypercube may become */
    /* A hypercube's words as they wait in shared memory: a gap behind each 32, so that threads that write a
     * run of 32 each do not meet in one bank. */
    static const int STAGED = (LONGEST + LONGEST / 32 + 15) / 16 * 16 * 4 * WORDS; /* bytes */
    /* Most hypercubes side by side that a block decodes, and how many such blocks a multiprocessor should
     * hold. More of either leave threads 40 registers, and are slower. */
    static const int TEAMS = 4 - WORDS, TEAMS_BLOCKS = 4 - WORDS;
};

/* The threads that restore a hypercube: those of a block, or those of one of its TEAMS. */
template <int WORDS, bool TEAMS> struct ndzip_team {
    static __device__ __forceinline__ uint32_t thread()
    {
        return TEAMS ? threadIdx.x % ndzip_size<WORDS>::THREADS : threadIdx.x;
    }

    static __device__ __forceinline__ void sync()
    {
        if (TEAMS)
            barrier<ndzip_size<WORDS>::THREADS>(1 + threadIdx.x / ndzip_size<WORDS>::THREADS);
        else
            __syncthreads();
    }
};

static __device__ __forceinline__ uint32_t ndzip_staged(uint32_t word)
{
    return word + (word >> 5);
}

/* Byte distance of a hypercube's first value from the grid's. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ uint64_t ndzip_origin(const struct ndzip_cubes &cubes, uint32_t cube)
{
    if (DIMS == 1)
        return (uint64_t)cube * ndzip_size<WORDS>::TILE;
    const uint32_t x = cube % cubes.across, rest = cube / cubes.across;
    if (DIMS == 2)
        return rest * 64 * cubes.row + x * (uint64_t)(64 * 4 * WORDS);
    return rest / cubes.down * 16 * cubes.plane + rest % cubes.down * 16 * cubes.row +
           x * (uint64_t)(16 * 4 * WORDS);
}

/* Byte distance of byte `at` of a line from the hypercube's first value. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ uint64_t ndzip_place(const struct ndzip_cubes &cubes, uint32_t line,
                                                       uint32_t at)
{
    const uint32_t side = (DIMS == 3 ? 16 : 64) * 4 * WORDS; /* bytes of its row */
    const uint32_t byte = line * 128 + at;
    if (DIMS == 1)
        return byte;
    if (DIMS == 2)
        return byte / side * cubes.row + byte % side;
    return byte / (16 * side) * cubes.plane + byte / side % 16 * cubes.row + byte % side;
}

/* A 16-byte piece of a line changes its place with the line, so that threads can read lines and columns. */
static __device__ __forceinline__ uint32_t ndzip_swizzled(uint32_t line, uint32_t piece)
{
    return line * 128 + ((piece ^ (line & 7)) << 4);
}

template <int WORDS>
static __device__ __forceinline__ typename ndzip_type<WORDS>::value ndzip_rotate_left(
    typename ndzip_type<WORDS>::value v)
{
    return v << 1 | v >> (32 * WORDS - 1);
}

template <int WORDS>
static __device__ __forceinline__ typename ndzip_type<WORDS>::value ndzip_rotate_right(
    typename ndzip_type<WORDS>::value v)
{
    return v >> 1 | v << (32 * WORDS - 1);
}

#endif

/* SPDX-License-Identifier: MIT
 * Copies to any address, and clearing. */
#ifndef FPGZ_CUDA_MOVE_CUH
#define FPGZ_CUDA_MOVE_CUH

#include <stdint.h>

/* Clears memory that is aligned to 16 bytes, and so is its room: by all threads of a kernel. */
static __device__ __forceinline__ void fpgz_clear(void *memory, size_t bytes)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (bytes + 15) / 16;
         i += (size_t)gridDim.x * blockDim.x)
        ((uint4 *)memory)[i] = make_uint4(0, 0, 0, 0);
}

/* Copies what stands from byte `begin` on to `end` to the same place of memory of the host, and what else
 * there is of the sectors, of 32 bytes, that these begin and end in: whole ones take the bus less time. Both
 * memories are aligned to 16 bytes and have `length`. By a warp. */
static __device__ __forceinline__ void fpgz_tell_sectors(const uint8_t *__restrict__ from,
                                                         uint8_t *__restrict__ to, size_t begin, size_t end,
                                                         size_t length)
{
    enum { SECTOR = 32 };
    const uint32_t lane = threadIdx.x % 32;
    const size_t last = end + SECTOR - 1 - (end + SECTOR - 1) % SECTOR, most = last < length ? last : length;
    size_t at = begin - begin % SECTOR + sizeof(uint4) * lane;
    for (; at + sizeof(uint4) <= most; at += 32 * sizeof(uint4))
        *(uint4 *)(to + at) = *(const uint4 *)(from + at);
    for (; at < most; at++) /* of at most one lane: behind are the last bytes of all */
        to[at] = from[at];
}

/* Copies `length` bytes, which begin at a word, to any address: by `threads` threads, of which this is number
 * `thread`. */
static __device__ __forceinline__ void fpgz_move(const uint32_t *__restrict__ words, uint8_t *__restrict__ to,
                                                 uint32_t length, uint32_t thread, uint32_t threads)
{
    const uint32_t head = min((uint32_t) - (uintptr_t)to & 3, length), whole = (length - head) / 4,
                   tail = head + 4 * whole;
    const uint8_t *const bytes = (const uint8_t *)words;
    if (thread < head)
        to[thread] = bytes[thread];
    if (thread < length - tail)
        to[tail + thread] = bytes[tail + thread];
    uint32_t *const to_words = (uint32_t *)(to + head);
    if (head == 0) {
#pragma unroll 4
        for (uint32_t i = thread; i < whole; i += threads)
            to_words[i] = words[i];
        return;
    }
#pragma unroll 4
    for (uint32_t i = thread; i < whole; i += threads)
        to_words[i] = __funnelshift_r(words[i], words[i + 1], 8 * head);
}

/* The same between any addresses, 16 bytes at once. Of those that are read, some are the source's. */
static __device__ __forceinline__ void fpgz_move_any(const uint8_t *__restrict__ from,
                                                     uint8_t *__restrict__ to, uint32_t length,
                                                     uint32_t thread, uint32_t threads)
{
    const uint32_t head = min((uint32_t) - (uintptr_t)to & 15, length),
                   shift = (uint32_t)(uintptr_t)(from + head) & 15, bits = shift % 4 * 8;
    const uint4 *const source = (const uint4 *)(from + head - shift);
    uint4 *const target = (uint4 *)(to + head);
    const uint32_t whole = (length - head) / 16,
                   pieces = whole - (shift && whole), /* the last one ends behind */
        tail = head + 16 * pieces;
    if (thread < head)
        to[thread] = from[thread];
    if (thread < length - tail)
        to[tail + thread] = from[tail + thread];
#pragma unroll 2
    for (uint32_t i = thread; i < pieces; i += threads) {
        const uint4 low = source[i], high = shift ? source[i + 1] : low;
        uint32_t word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (unsigned k = 0; k < 6; k++)
            word[k] = shift & 8 ? word[k + 2] : word[k];
#pragma unroll
        for (unsigned k = 0; k < 5; k++)
            word[k] = shift & 4 ? word[k + 1] : word[k];
        target[i] =
            make_uint4(__funnelshift_r(word[0], word[1], bits), __funnelshift_r(word[1], word[2], bits),
                       __funnelshift_r(word[2], word[3], bits), __funnelshift_r(word[3], word[4], bits));
    }
}

#endif

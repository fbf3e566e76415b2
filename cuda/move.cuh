/* SPDX-License-Identifier: MIT
 * Copies to any address. */
#ifndef FPGZ_CUDA_MOVE_CUH
#define FPGZ_CUDA_MOVE_CUH

#include <stdint.h>

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

/* The same from any address. */
static __device__ __forceinline__ void fpgz_move_any(const uint8_t *__restrict__ from,
                                                     uint8_t *__restrict__ to, uint32_t length,
                                                     uint32_t thread, uint32_t threads)
{
    const uint32_t head = min((uint32_t) - (uintptr_t)from & 3, length), whole = (length - head) & ~3u,
                   tail = head + whole;
    if (thread < head)
        to[thread] = from[thread];
    if (thread < length - tail)
        to[tail + thread] = from[tail + thread];
    fpgz_move((const uint32_t *)(from + head), to + head, whole, thread, threads);
}

#endif

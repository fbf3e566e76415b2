/* SPDX-License-Identifier: MIT
 * Where codecs look at a grid to sample it, and how they sort what they find. */
#ifndef FPGZ_CODEC_SAMPLE_H
#define FPGZ_CODEC_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* Place i of `places` of the sample, among `count` (below 2^32). With no more than `places` of them,
 * simply place i. Otherwise places are spread evenly, but not at a regular distance, which might be that of
 * rows (the fractional parts of i times the golden ratio). */
static inline size_t fpgz_sample_place(uint32_t i, size_t places, size_t count)
{
    return count <= places ? i : (size_t)((uint64_t)(i * UINT32_C(0x9e3779b9)) * count >> 32);
}

/* For qsort(): words of 64 bits in rising order. */
static inline int fpgz_sample_by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

#endif

/* SPDX-License-Identifier: MIT
 * Where codecs look at a grid that they take a sample of. */
#ifndef FPGZ_CODEC_SAMPLE_H
#define FPGZ_CODEC_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* Number i of `places` of the sample, out of `count` (below 2^32): the first ones where there are not more,
 * else spread evenly but at no regular distance, which might be that of rows (the fractions of i times the
 * golden ratio). */
static inline size_t fpgz_sample_place(uint32_t i, size_t places, size_t count)
{
    return count <= places ? i : (size_t)((uint64_t)(i * UINT32_C(0x9e3779b9)) * count >> 32);
}

#endif

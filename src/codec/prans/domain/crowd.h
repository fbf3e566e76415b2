/* SPDX-License-Identifier: MIT
 * How close to each other integers stand. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_CROWD_H
#define FPGZ_CODEC_PRANS_DOMAIN_CROWD_H

#include "codec/width.h"
#include "core/inline.h"

enum { CROWD_BITS = 18 };

/* A bit of a map for each of them. All bits count: those of second parts may stand far up. */
INLINE size_t crowd_place(WORD integer)
{
    return (size_t)((uint64_t)integer * UINT64_C(0x9E3779B97F4A7C15) >> (64 - CROWD_BITS));
}

/* How many of the integers at y have a successor among them, as far as a map of their hashes tells. */
static size_t count_followed(const void *y, size_t count)
{
    const WORD *const integer = y;
    uint64_t stands[(1 << CROWD_BITS) / 64] = {0};
    size_t followed = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = crowd_place(integer[i]);
        stands[at / 64] |= (uint64_t)1 << at % 64;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t next = crowd_place((WORD)(integer[i] + 1));
        followed += stands[next / 64] >> next % 64 & 1;
    }
    return followed;
}

#endif

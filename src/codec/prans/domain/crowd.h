/* SPDX-License-Identifier: MIT
 * How close to each other integers stand. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_CROWD_H
#define FPGZ_CODEC_PRANS_DOMAIN_CROWD_H

#include "codec/width.h"

/* How many of the integers at y have a successor among them, as far as their lowest bits tell. */
static size_t count_followed(const void *y, size_t count)
{
    enum { BITS = 18 };
    const WORD *const integer = y;
    uint64_t stands[(1 << BITS) / 64] = {0};
    size_t followed = 0;
    for (size_t i = 0; i < count; i++)
        stands[integer[i] % (1 << BITS) / 64] |= (uint64_t)1 << integer[i] % 64;
    for (size_t i = 0; i < count; i++) {
        const WORD next = (WORD)(integer[i] + 1);
        followed += stands[next % (1 << BITS) / 64] >> next % 64 & 1;
    }
    return followed;
}

#endif

/* SPDX-License-Identifier: MIT
 * The kernel, as compilers make it at each CPU level. A float's exponent and first bits are nearly a
 * logarithm. */
#ifndef FPGZ_CODEC_PRANS_PERIODIC_LEVEL_H
#define FPGZ_CODEC_PRANS_PERIODIC_LEVEL_H

#include <string.h>

#include "codec/prans/periodic/kernels.h"

static uint32_t length(const int32_t *a, const int32_t *b, size_t count)
{
    enum { MANTISSA = 23, NONE = 126 << PERIODIC_DIGITS /* of a half */ };
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const float apart = (float)(a[i] - b[i]);
        uint32_t bits;
        memcpy(&bits, &apart, sizeof bits);
        const uint32_t length = (bits & INT32_MAX) >> (MANTISSA - PERIODIC_DIGITS);
        sum += length > NONE ? length - NONE : 0;
    }
    return sum;
}

#endif

/* SPDX-License-Identifier: MIT
 * Quotients and products, value by value. For width templates. */
#ifndef FPGZ_CODEC_PRANS_SCALED_LEVEL_H
#define FPGZ_CODEC_PRANS_SCALED_LEVEL_H

#include "codec/prans/domain/real.h"
#include "codec/prans/parted/multiples.h"
#include "codec/prans/scaled/kernels.h"

INLINE bool is_finite(FLOAT real)
{
    return (bits_of(real) & EXPONENT_MASK) != EXPONENT_MASK;
}

INLINE FLOAT quotient_of(FLOAT real, FLOAT scale)
{
    return !is_finite(real) || real == 0 || scale == 1 ? real
                                                       : (FLOAT)parted_nearest((double)real / (double)scale);
}

INLINE FLOAT product_of(FLOAT quotient, FLOAT scale)
{
    return is_finite(quotient) ? quotient * scale : quotient;
}

INLINE void walk(const struct scaled_runs *runs, size_t count, const FLOAT *scale, FLOAT *value,
                 FLOAT (*turn)(FLOAT value, FLOAT scale))
{
    for (size_t at = 0, s = 0; at < count; s = s + 1 == runs->count ? 0 : s + 1) {
        const size_t end = count - at < runs->run ? count : at + runs->run;
        for (; at < end; at++)
            value[at] = turn(value[at], scale[s]);
    }
}

static void divide(const struct scaled_runs *runs, size_t count, const void *scales, void *values)
{
    walk(runs, count, scales, values, quotient_of);
}

static void multiply(const struct scaled_runs *runs, size_t count, const void *scales, void *values)
{
    walk(runs, count, scales, values, product_of);
}

#define PRANS_SCALED_KERNELS                                                                                 \
    {                                                                                                        \
        divide, multiply                                                                                     \
    }

#endif

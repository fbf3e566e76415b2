/* SPDX-License-Identifier: MIT
 * Quotients and products, value by value. For width templates. */
#ifndef FPGZ_CODEC_PRANS_SCALED_LEVEL_H
#define FPGZ_CODEC_PRANS_SCALED_LEVEL_H

#include "codec/prans/domain/real.h"
#include "codec/prans/scaled/kernels.h"

/* The bits without the sign. Numbers are compared by these, for compilers then need not mind exceptions. */
INLINE WORD magnitude_of(FLOAT real)
{
    return bits_of(real) & ~((WORD)1 << (WORD_BITS - 1));
}

/* The integer next to a quotient; of large ones, which have few bits behind the point or none, the quotient.
 */
INLINE FLOAT quotient_of(FLOAT real, FLOAT scale)
{
    const FLOAT magic = (FLOAT)((WORD)3 << (MANTISSA_BITS - 1)), exact = real / scale;
    const FLOAT near = (exact + magic) - magic,
                quotient = magnitude_of(exact) < bits_of(magic / 3) ? near : exact;
    return magnitude_of(real) - 1 < EXPONENT_MASK - 1 ? quotient : real; /* neither 0 nor infinite nor NaN */
}

INLINE FLOAT product_of(FLOAT quotient, FLOAT scale)
{
    const FLOAT product = quotient * scale;
    return magnitude_of(quotient) < EXPONENT_MASK ? product : quotient;
}

INLINE void walk(const struct scaled_runs *runs, size_t count, const FLOAT *scale, FLOAT *value,
                 FLOAT (*turn)(FLOAT value, FLOAT scale))
{
    for (size_t at = 0, s = 0; at < count; s = s + 1 == runs->count ? 0 : s + 1) {
        const size_t values = count - at < runs->run ? count - at : runs->run;
        const FLOAT by = scale[s];
        for (size_t i = at; by != 1 && i < at + values; i++)
            value[i] = turn(value[i], by);
        at += values;
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

/* SPDX-License-Identifier: MIT
 * Quotients and products, value by value. For width templates. */
#ifndef FPGZ_CODEC_PRANS_SCALED_LEVEL_H
#define FPGZ_CODEC_PRANS_SCALED_LEVEL_H

#include "codec/prans/scaled/kernels.h"
#include "codec/prans/scaled/rounding.h"
#include "codec/width.h"

/* What is computed with. Bits are compared, not numbers, for compilers then need not mind exceptions. */
#if FPGZ_BITS == 64
#include "codec/prans/domain/real.h"
typedef FLOAT REAL;
typedef WORD BITS;
enum { REAL_DIGITS = MANTISSA_BITS };
#define REAL_BITS bits_of
#define BITS_REAL real_of
#else
typedef float REAL;
typedef uint32_t BITS;
enum { REAL_DIGITS = 23 };
#define REAL_BITS scaled_bits
#define BITS_REAL scaled_single
#endif

#define SIGN ((BITS)1 << (8 * sizeof(BITS) - 1))
#define INFINITE (SIGN - ((BITS)1 << REAL_DIGITS))

INLINE BITS magnitude_of(REAL real)
{
    return REAL_BITS(real) & ~SIGN;
}

/* Words as numbers, if they are finite, and numbers as words, rounded. */
#if FPGZ_BITS == 16
INLINE bool is_finite(uint32_t rounding, WORD word)
{
    return scaled_is_finite(rounding, word);
}

INLINE REAL number_of(uint32_t rounding, WORD word)
{
    return scaled_widened(rounding, word);
}

INLINE WORD word_of(uint32_t rounding, REAL real)
{
    return scaled_narrowed(rounding, scaled_rounded(rounding, REAL_BITS(real)));
}
#else
INLINE bool is_finite(uint32_t rounding, WORD word)
{
    (void)rounding;
    return (word & ~SIGN) < INFINITE;
}

INLINE REAL number_of(uint32_t rounding, WORD word)
{
    (void)rounding;
    return BITS_REAL(word);
}

INLINE WORD word_of(uint32_t rounding, REAL real)
{
#if FPGZ_BITS == 64
    return REAL_BITS(rounding == SCALED_SINGLE ? (double)(float)real : real);
#else
    return rounding == SCALED_WHOLE ? REAL_BITS(real) : scaled_rounded(rounding, REAL_BITS(real));
#endif
}
#endif

/* Of a quotient that may be a little wrong the integer next to it; but the number of few digits next to it,
 * if it is that, and no integer, as quotients of 8 bits with exponents of their own are. Of a large one,
 * which has few bits behind the point or none, the quotient. */
INLINE REAL simplest(uint32_t rounding, REAL exact)
{
    enum { FEW_DIGITS = 3 };
    const REAL magic = (REAL)((BITS)3 << (REAL_DIGITS - 1)), near = (exact + magic) - magic,
               wrong =
                   BITS_REAL(magnitude_of(exact)) / (REAL)((BITS)1 << scaled_digits(rounding, REAL_DIGITS));
    const BITS half = (BITS)1 << (REAL_DIGITS - FEW_DIGITS - 1);
    const REAL few = BITS_REAL((REAL_BITS(exact) + half) & ~(2 * half - 1));
    const bool is_near = magnitude_of(exact - near) <= REAL_BITS(wrong),
               is_short = magnitude_of(exact - few) <= REAL_BITS(wrong);
    const REAL quotient = is_short && !is_near ? few : near;
    return magnitude_of(exact) < REAL_BITS(magic / 3) ? quotient : exact;
}

INLINE WORD quotient_of(uint32_t rounding, WORD word, REAL scale)
{
    const uint32_t kept = FPGZ_BITS == 16 ? rounding : SCALED_WHOLE;
    const REAL real = number_of(rounding, word);
    const WORD quotient = word_of(kept, simplest(rounding, real / scale));
    return is_finite(rounding, word) && magnitude_of(real) && scale != 1 ? quotient : word;
}

INLINE WORD product_of(uint32_t rounding, WORD quotient, REAL scale)
{
    const WORD product = word_of(rounding, number_of(rounding, quotient) * scale);
    return is_finite(rounding, quotient) ? product : quotient;
}

INLINE void walk_as(uint32_t rounding, const struct scaled_runs *runs, size_t count, const REAL *scale,
                    WORD *value, WORD (*turn)(uint32_t rounding, WORD value, REAL scale))
{
    for (size_t at = 0, s = 0; at < count; s = s + 1 == runs->count ? 0 : s + 1) {
        const size_t values = count - at < runs->run ? count - at : runs->run;
        const REAL by = scale[s];
        for (size_t i = at; i < at + values; i++)
            value[i] = turn(rounding, value[i], by);
        at += values;
    }
}

INLINE void walk(const struct scaled_runs *runs, size_t count, const REAL *scale, WORD *value,
                 WORD (*turn)(uint32_t rounding, WORD value, REAL scale))
{
    if (FPGZ_BITS == 64 && runs->rounding == SCALED_SINGLE)
        walk_as(SCALED_SINGLE, runs, count, scale, value, turn);
    else if (FPGZ_BITS < 64 && runs->rounding == SCALED_HALF)
        walk_as(SCALED_HALF, runs, count, scale, value, turn);
    else if (FPGZ_BITS == 16 || (FPGZ_BITS == 32 && runs->rounding == SCALED_BFLOAT))
        walk_as(SCALED_BFLOAT, runs, count, scale, value, turn);
    else
        walk_as(SCALED_WHOLE, runs, count, scale, value, turn);
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

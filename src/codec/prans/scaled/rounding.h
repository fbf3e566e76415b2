/* SPDX-License-Identifier: MIT
 * Numbers of 16 bits as those of 32, and products that are rounded to them. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_SCALED_ROUNDING_H
#define FPGZ_CODEC_PRANS_SCALED_ROUNDING_H

#include <stdbool.h>
#include <string.h>

#include "codec/prans/scaled/runs.h"

#ifdef __CUDACC__
#define SCALED_BOTH static __host__ __device__ inline
#else
#define SCALED_BOTH static inline __attribute__((always_inline))
#endif

/* Whether products are rounded to numbers of 16 bits. */
SCALED_BOTH bool scaled_is_coarse(uint32_t rounding)
{
    return rounding == SCALED_HALF || rounding == SCALED_BFLOAT;
}

/* Binary digits of values behind the first one; whole: those of their dtype. */
SCALED_BOTH unsigned scaled_digits(uint32_t rounding, unsigned whole)
{
    return rounding == SCALED_BFLOAT   ? 7
           : rounding == SCALED_HALF   ? 10
           : rounding == SCALED_SINGLE ? 23
                                       : whole;
}

SCALED_BOTH float scaled_single(uint32_t bits)
{
    float real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

SCALED_BOTH uint32_t scaled_bits(float real)
{
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* Whether a number of 16 bits is neither infinite nor NaN. */
SCALED_BOTH bool scaled_is_finite(uint32_t rounding, uint16_t number)
{
    const uint16_t exponent = rounding == SCALED_HALF ? 0x7C00 : 0x7F80;
    return (number & exponent) != exponent;
}

/* A finite number of 16 bits. */
SCALED_BOTH float scaled_widened(uint32_t rounding, uint16_t number)
{
    const uint32_t sign = (uint32_t)(number & 0x8000) << 16, size = (uint32_t)(number & 0x7FFF);
    return rounding == SCALED_BFLOAT
               ? scaled_single((uint32_t)number << 16)
               : scaled_single(sign | scaled_bits(scaled_single(size << 13) * 0x1p112F));
}

/* The bits of a number, finite or infinite, rounded to one of 16 bits: to the nearest, of two to the even
 * one.
 */
SCALED_BOTH uint32_t scaled_rounded(uint32_t rounding, uint32_t bits)
{
    const uint32_t sign = bits & 0x80000000, size = bits ^ sign, infinite = 0x7F800000, above = 0x47800000,
                   least_normal = 0x38800000, half = (size + 0xFFF + (size >> 13 & 1)) & 0xFFFFE000;
    if (rounding == SCALED_BFLOAT)
        return (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000;
    const uint32_t subnormal = scaled_bits((scaled_single(size) + 0.5F) - 0.5F); /* steps of 2^-24 */
    return sign | (size < least_normal ? subnormal : half < above ? half : infinite);
}

/* The number of 16 bits that has the bits, as scaled_rounded() gives them. */
SCALED_BOTH uint16_t scaled_narrowed(uint32_t rounding, uint32_t bits)
{
    const uint32_t sign = bits & 0x80000000, size = bits ^ sign,
                   half = scaled_bits(scaled_single(size) * 0x1p-112F) >> 13;
    return (uint16_t)(rounding == SCALED_BFLOAT ? bits >> 16
                                                : sign >> 16 | (size < 0x7F800000 ? half : 0x7C00));
}

#endif

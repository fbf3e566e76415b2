/* SPDX-License-Identifier: MIT
 * The code of one value. */
#ifndef FPGZ_CODEC_FRSZ2_VALUE_H
#define FPGZ_CODEC_FRSZ2_VALUE_H

#include "codec/width.h"

/* Exponents here are the biased ones of the words; `nonfinite` is that of NaNs and infinities. */
enum {
    BIAS = (1 << (WORD_BITS - MANTISSA_BITS - 2)) - 1,
    NONFINITE = 2 * BIAS + 1,
    INTEGER_BIT = WORD_BITS - 2, /* top bit of a significand in fixed point, below its sign */
};
#define MANTISSA (((WORD)1 << MANTISSA_BITS) - 1)
#define SIGN ((WORD)1 << (WORD_BITS - 1))

static inline unsigned exponent_of(WORD value)
{
    return (unsigned)(value >> MANTISSA_BITS) & NONFINITE;
}

/* The significand in fixed point below the block's exponent (the paper's steps "shift" and "cut"). Bits
 * that do not fit are cut off, toward zero. Subnormals count as if their exponent 0 had no hidden bit, which
 * is half their true weight; value_of() undoes that. */
static inline WORD code_of(WORD value, unsigned block_exponent, unsigned bits)
{
    const unsigned exponent = exponent_of(value);
    WORD significand = 0;
    if (exponent != NONFINITE && block_exponent - exponent < WORD_BITS) {
        significand = (value & MANTISSA) | (WORD)(exponent != 0) << MANTISSA_BITS;
        significand = significand << (INTEGER_BIT - MANTISSA_BITS) >> (block_exponent - exponent);
    }
    return ((value & SIGN) | significand) >> (WORD_BITS - bits);
}

/* A code of zero becomes zero; the published decoder makes a small number of it. */
static inline WORD value_of(WORD code, unsigned block_exponent, unsigned bits)
{
    const WORD aligned = code << (WORD_BITS - bits), significand = aligned & ~SIGN;
    if (!significand)
        return aligned;
    const unsigned zeros = (unsigned)CLZ(significand) - 1;
    const unsigned shift = zeros < block_exponent ? zeros : block_exponent;
    const WORD mantissa = significand << shift >> (INTEGER_BIT - MANTISSA_BITS) & MANTISSA;
    return (aligned & SIGN) | (WORD)(block_exponent - shift) << MANTISSA_BITS | mantissa;
}

#endif

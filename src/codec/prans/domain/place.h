/* SPDX-License-Identifier: MIT
 * Floating-point words and their places among all numbers, in rising order. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_PLACE_H
#define FPGZ_CODEC_PRANS_DOMAIN_PLACE_H

#include <string.h>

#include "codec/width.h"

#define SIGN_BIT ((WORD)1 << (WORD_BITS - 1))
enum { EXPONENT_MAX = (1 << (WORD_BITS - 1 - MANTISSA_BITS)) - 1 }; /* of infinities and NaNs */
#define EXPONENT_MASK ((WORD)EXPONENT_MAX << MANTISSA_BITS)

INLINE WORD bits_of(FLOAT real)
{
    WORD bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

INLINE FLOAT real_of(WORD bits)
{
    FLOAT real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

INLINE WORD place_of(WORD bits)
{
    return bits ^ ((WORD)((SIGNED)bits >> (WORD_BITS - 1)) | SIGN_BIT);
}

INLINE WORD word_of_place(WORD place)
{
    return place ^ ((WORD)((SIGNED)~place >> (WORD_BITS - 1)) | SIGN_BIT);
}

#endif

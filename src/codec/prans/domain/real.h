/* SPDX-License-Identifier: MIT
 * Floating-point numbers and their words. For templates of widths that have FLOAT. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_REAL_H
#define FPGZ_CODEC_PRANS_DOMAIN_REAL_H

#include <string.h>

#include "codec/prans/domain/place.h"

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

#endif

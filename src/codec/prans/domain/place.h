/* SPDX-License-Identifier: MIT
 * Words and their places among all numbers, in rising order. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_PLACE_H
#define FPGZ_CODEC_PRANS_DOMAIN_PLACE_H

#include "codec/prans/domain/domain.h"
#include "codec/width.h"

#define SIGN_BIT ((WORD)((WORD)1 << (WORD_BITS - 1)))

INLINE WORD place_of(WORD bits)
{
    return (WORD)(bits ^ ((WORD)((SIGNED)bits >> (WORD_BITS - 1)) | SIGN_BIT));
}

INLINE WORD word_of_place(WORD place)
{
    return (WORD)(place ^ ((WORD)((SIGNED)(WORD)~place >> (WORD_BITS - 1)) | SIGN_BIT));
}

/* The same for numbers of any kind. */
INLINE WORD place_among(enum prans_number number, WORD bits)
{
    return number == PRANS_REAL ? place_of(bits) : number == PRANS_SIGNED ? bits ^ SIGN_BIT : bits;
}

INLINE WORD word_of_place_among(enum prans_number number, WORD place)
{
    return number == PRANS_REAL ? word_of_place(place) : number == PRANS_SIGNED ? place ^ SIGN_BIT : place;
}

/* Puts special values where their flags are. */
INLINE void put_specials(const uint64_t *special, unsigned specials, const uint8_t *flag, size_t count,
                         void *values)
{
    WORD *const word = values;
    for (unsigned s = 0; s < specials; s++) {
        const WORD one = (WORD)special[s];
        for (size_t i = 0; i < count; i++)
            word[i] = flag[i] == s + 1 ? one : word[i];
    }
}

#endif

/* SPDX-License-Identifier: MIT
 * Parting values and joining them again, for words of one width. For width templates. */
#ifndef FPGZ_CODEC_PRANS_PARTED_LEVEL_H
#define FPGZ_CODEC_PRANS_PARTED_LEVEL_H

#include "codec/prans/parted/kernels.h"

#include "codec/prans/domain/real.h"

/* Integers that binary64 has, with room for differences. */
#define LARGEST (WORD_BITS == 32 ? 0x1p29 : 0x1p51)

INLINE SIGNED integer_of(const struct prans_parts *parts, WORD word)
{
    const double real = (double)real_of(word), magic = 0x1.8p52;
    const double exact = parts->parting == PRANS_PARTED_PRODUCT ? real / parts->base : real * parts->base;
    return exact > -LARGEST && exact < LARGEST ? (SIGNED)((exact + magic) - magic) : 0;
}

INLINE WORD place_for(enum prans_parting parting, double base, SIGNED integer)
{
    const double real = parting == PRANS_PARTED_PRODUCT ? (double)integer * base : (double)integer / base;
    return place_of(bits_of((FLOAT)real));
}

static void first_parts(const struct prans_parts *parts, const void *values, size_t count, void *part)
{
    const WORD *const word = values;
    WORD *const out = part;
    if (parts->parting == PRANS_PARTED_BITS)
        for (size_t i = 0; i < count; i++)
            out[i] = place_of(word[i]) >> parts->shift;
    else
        for (size_t i = 0; i < count; i++)
            out[i] = (WORD)integer_of(parts, word[i]);
}

static void second_parts(const struct prans_parts *parts, const void *values, size_t count, void *part)
{
    const WORD *const word = values;
    WORD *const out = part;
    if (parts->parting == PRANS_PARTED_BITS)
        for (size_t i = 0; i < count; i++)
            out[i] = place_of(word[i]) & (((WORD)1 << parts->shift) - 1);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = (WORD)(place_of(word[i]) -
                            place_for(parts->parting, parts->base, integer_of(parts, word[i])));
}

static void join(const struct prans_parts *parts, const void *part, size_t count, void *values)
{
    const WORD *const first = part;
    WORD *restrict const word = values;
    const double base = parts->base;
    const unsigned shift = parts->shift;
    if (parts->parting == PRANS_PARTED_BITS)
        for (size_t i = 0; i < count; i++)
            word[i] = word_of_place((WORD)((WORD)(first[i] << shift) + word[i]));
    else if (parts->parting == PRANS_PARTED_PRODUCT)
        for (size_t i = 0; i < count; i++)
            word[i] =
                word_of_place((WORD)(place_for(PRANS_PARTED_PRODUCT, base, (SIGNED)first[i]) + word[i]));
    else
        for (size_t i = 0; i < count; i++)
            word[i] =
                word_of_place((WORD)(place_for(PRANS_PARTED_QUOTIENT, base, (SIGNED)first[i]) + word[i]));
}

#define PRANS_PARTED_KERNELS                                                                                 \
    {                                                                                                        \
        .first = first_parts, .second = second_parts, .join = join,                                          \
    }

#endif

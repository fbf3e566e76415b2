/* SPDX-License-Identifier: MIT
 * Parting values and joining them again, for words of one width. For width templates. */
#ifndef FPGZ_CODEC_PRANS_PARTED_LEVEL_H
#define FPGZ_CODEC_PRANS_PARTED_LEVEL_H

#include <string.h>

#include "codec/prans/parted/kernels.h"

#include "codec/prans/domain/real.h"

/* Integers that binary64 has, with room for differences. */
#define LARGEST (WORD_BITS == 32 ? 0x1p29 : 0x1p51)

#define SINGLE_SIGN (UINT32_C(1) << 31)
#define SINGLE_INFINITY (UINT32_C(255) << 23)

INLINE uint64_t bits_of_double(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* What makes integers of values: they are divided by the base, or multiplied. Powers of two have an exact
 * inverse. */
struct scaling {
    bool divides;
    double by;
};

static struct scaling scaling_of(const struct prans_parts *parts)
{
    enum { DIGITS = 52, SMALLEST = 2, LARGEST_EXPONENT = 2044 };
    const uint64_t bits = bits_of_double(parts->base), exponent = bits >> DIGITS,
                   digits = bits & (((uint64_t)1 << DIGITS) - 1);
    const bool inverts = !digits && exponent >= SMALLEST && exponent <= LARGEST_EXPONENT;
    if (parts->parting == PRANS_PARTED_QUOTIENT || !inverts)
        return (struct scaling){parts->parting == PRANS_PARTED_PRODUCT, parts->base};
    return (struct scaling){false, 1 / parts->base};
}

/* The integer of a value, and what it is as a real number; 0 where it would be too large. Without a branch or
 * a conversion, which compilers have no vectors of. */
INLINE SIGNED integer_of(bool divides, double by, WORD word, double *rounded)
{
    const double real = (double)real_of(word), magic = 0x1.8p52, largest = LARGEST;
    const double exact = divides ? real / by : real * by;
    const uint64_t bits = bits_of_double(exact),
                   fits = -(uint64_t)((bits & INT64_MAX) < bits_of_double(largest)), some = bits & fits;
    double usual;
    memcpy(&usual, &some, sizeof usual);
    const double moved = usual + magic;
    *rounded = moved - magic;
    return (SIGNED)(bits_of_double(moved) - bits_of_double(magic));
}

INLINE WORD place_for(enum prans_parting parting, double base, double integer)
{
    const double real = parting == PRANS_PARTED_PRODUCT ? integer * base : integer / base;
    return place_of(bits_of((FLOAT)real));
}

INLINE void find_first(bool divides, double by, const WORD *word, size_t count, WORD *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        double rounded;
        out[i] = (WORD)integer_of(divides, by, word[i], &rounded);
    }
}

/* The place of a single that times the base is about the value; of 0 where that is too large. */
INLINE WORD single_for(double base, WORD word)
{
    const float single = (float)((double)real_of(word) / base);
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    bits &= -(uint32_t)((bits & INT32_MAX) < SINGLE_INFINITY);
    return bits ^ ((bits >> 31 ? UINT32_MAX : 0) | SINGLE_SIGN);
}

/* What it is times the base. Places of no number are those of 0. */
INLINE WORD place_of_single(double base, WORD place)
{
    uint32_t bits = (uint32_t)place;
    bits ^= (bits & SINGLE_SIGN ? 0 : UINT32_MAX) | SINGLE_SIGN;
    bits &= -(uint32_t)((bits & INT32_MAX) < SINGLE_INFINITY);
    float single;
    memcpy(&single, &bits, sizeof single);
    return place_of(bits_of((FLOAT)((double)single * base)));
}

static void first_parts(const struct prans_parts *parts, const void *values, size_t count, void *part)
{
    const WORD *const word = values;
    WORD *restrict const out = part;
    const unsigned shift = parts->shift;
    const struct scaling scaling = scaling_of(parts);
    if (parts->parting == PRANS_PARTED_BITS)
        for (size_t i = 0; i < count; i++)
            out[i] = place_of(word[i]) >> shift;
    else if (parts->parting == PRANS_PARTED_UNIT)
        for (size_t i = 0; i < count; i++)
            out[i] = single_for(parts->base, word[i]);
    else if (scaling.divides)
        find_first(true, scaling.by, word, count, out);
    else
        find_first(false, scaling.by, word, count, out);
}

INLINE void find_second(enum prans_parting parting, double base, bool divides, double by, const WORD *word,
                        size_t count, WORD *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        double rounded;
        integer_of(divides, by, word[i], &rounded);
        out[i] = (WORD)(place_of(word[i]) - place_for(parting, base, rounded));
    }
}

static void second_parts(const struct prans_parts *parts, const void *values, size_t count, void *part)
{
    const WORD *const word = values;
    WORD *restrict const out = part;
    const WORD mask = ((WORD)1 << parts->shift) - 1;
    const struct scaling scaling = scaling_of(parts);
    if (parts->parting == PRANS_PARTED_BITS)
        for (size_t i = 0; i < count; i++)
            out[i] = place_of(word[i]) & mask;
    else if (parts->parting == PRANS_PARTED_UNIT)
        for (size_t i = 0; i < count; i++)
            out[i] =
                (WORD)(place_of(word[i]) - place_of_single(parts->base, single_for(parts->base, word[i])));
    else if (scaling.divides)
        find_second(PRANS_PARTED_PRODUCT, parts->base, true, scaling.by, word, count, out);
    else if (parts->parting == PRANS_PARTED_PRODUCT)
        find_second(PRANS_PARTED_PRODUCT, parts->base, false, scaling.by, word, count, out);
    else
        find_second(PRANS_PARTED_QUOTIENT, parts->base, false, scaling.by, word, count, out);
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
    else if (parts->parting == PRANS_PARTED_UNIT)
        for (size_t i = 0; i < count; i++)
            word[i] = word_of_place((WORD)(place_of_single(base, first[i]) + word[i]));
    else if (parts->parting == PRANS_PARTED_PRODUCT)
        for (size_t i = 0; i < count; i++)
            word[i] = word_of_place(
                (WORD)(place_for(PRANS_PARTED_PRODUCT, base, (double)(SIGNED)first[i]) + word[i]));
    else
        for (size_t i = 0; i < count; i++)
            word[i] = word_of_place(
                (WORD)(place_for(PRANS_PARTED_QUOTIENT, base, (double)(SIGNED)first[i]) + word[i]));
}

#define PRANS_PARTED_KERNELS                                                                                 \
    {                                                                                                        \
        .first = first_parts, .second = second_parts, .join = join,                                          \
    }

#endif

/* SPDX-License-Identifier: MIT
 * How values become symbols: for counting them and for writing them. */
#ifndef FPGZ_CODEC_PRANS_HIGH_TOKEN_H
#define FPGZ_CODEC_PRANS_HIGH_TOKEN_H

#include "codec/prans/domain/word.h"
#include "codec/prans/entropy/number.h"
#include "codec/prans/high/encoding.h"

static inline size_t prans_size_of(const struct prans_field *field)
{
    return field->is_f64 ? 8 : 4;
}

static inline const void *prans_const_at(const void *array, size_t at, size_t size)
{
    return (const uint8_t *)array + at * size;
}

static inline uint64_t prans_magnitude(int64_t residual)
{
    return residual < 0 ? -(uint64_t)residual : (uint64_t)residual;
}

/* What of a residual's size tells its symbol: sizes below 8, then octaves and two bits more. */
static inline unsigned prans_lead(uint64_t size)
{
    const unsigned octave = 63 - (unsigned)__builtin_clzll(size | 4);
    return size < 8 ? (unsigned)size : octave << 2 | (unsigned)(size >> (octave - 2) & 3);
}

/* A value itself: its symbol and, at most 64, its raw bits. */
struct prans_direct {
    unsigned symbol, bits;
    uint64_t raw;
};

static inline struct prans_direct prans_direct_of(const struct prans_field *field, uint64_t word)
{
    const unsigned mantissa = field->is_f64 ? 52 : 23, exponents = field->is_f64 ? 0x7FF : 0xFF;
    const unsigned exponent = (unsigned)(word >> mantissa) & exponents,
                   below = field->model.direct_top - exponent;
    const unsigned sign = (unsigned)(word >> (field->is_f64 ? 63 : 31));
    if (exponent > field->model.direct_top || below > (PRANS_SYMBOLS - PRANS_EXACT) / 4 - 1)
        return (struct prans_direct){PRANS_RAW, field->is_f64 ? 64 : 32, word};
    return (struct prans_direct){PRANS_EXACT + 4 * below + 2 * (unsigned)(word >> (mantissa - 1) & 1) + sign,
                                 mantissa - 1 - field->model.shift,
                                 (word & (((uint64_t)1 << (mantissa - 1)) - 1)) >> field->model.shift};
}

static inline int64_t prans_residual_at(const struct prans_field *field, const void *residual, size_t at)
{
    return field->is_f64 ? ((const int64_t *)residual)[at] : ((const int32_t *)residual)[at];
}

static inline bool prans_is_direct(const struct prans_field *field, size_t tile)
{
    return field->model.kind == PRANS_FLOAT && !field->bank[field->tile[tile]].reach;
}

#endif

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

/* The least size of such a lead. */
static inline uint64_t prans_size_of_lead(unsigned lead)
{
    return lead < 12 ? lead & 7 : (uint64_t)(4 + lead % 4) << (lead / 4 - 2);
}

/* A residual's symbol, and its raw bits: the lowest ones of its size. */
static inline unsigned prans_residual_symbol(const struct prans_encoding *e, int64_t residual, uint64_t *raw)
{
    const uint64_t size = prans_magnitude(residual);
    if (size < 8)
        return (unsigned)(PRANS_EXACT + 7 + residual);
    const unsigned octave = 63 - (unsigned)__builtin_clzll(size), bits = e->octave_bits[octave];
    const unsigned lead = (unsigned)(size >> (octave - bits)) & ((1u << bits) - 1);
    *raw = size & (((uint64_t)1 << (octave - bits)) - 1);
    return e->octave_symbol[octave] + 2 * lead + (residual < 0);
}

/* A value's direct symbol, and its raw bits (but for PRANS_RAW, whose are all). */
static inline unsigned prans_direct_symbol(const struct prans_field *field, uint64_t bits, uint64_t *raw)
{
    const unsigned mantissa = field->is_f64 ? 52 : 23, exponents = field->is_f64 ? 0x7FF : 0xFF;
    const unsigned exponent = (unsigned)(bits >> mantissa) & exponents,
                   below = field->model.direct_top - exponent;
    const unsigned sign = (unsigned)(bits >> (field->is_f64 ? 63 : 31));
    if (exponent > field->model.direct_top || below > (PRANS_SYMBOLS - PRANS_EXACT) / 4 - 1)
        return PRANS_RAW;
    *raw = (bits & (((uint64_t)1 << (mantissa - 1)) - 1)) >> field->model.shift;
    return PRANS_EXACT + 4 * below + 2 * (unsigned)(bits >> (mantissa - 1) & 1) + sign;
}

/* Whether the value itself is shorter than its residual. */
static inline bool prans_escapes(const struct prans_field *field, int64_t residual)
{
    const uint64_t size = prans_magnitude(residual);
    return field->model.kind == PRANS_FLOAT && size >> ((field->is_f64 ? 51 : 22) - field->model.shift);
}

/* A value's symbols: that of its context and, behind PRANS_ESCAPE, the direct one. */
struct prans_token {
    unsigned symbol, direct;
    unsigned bits; /* of raw, at most 64 */
    uint64_t raw;
};

static inline struct prans_token prans_token_of(const struct prans_encoding *e,
                                                const struct prans_field *field, bool direct,
                                                const void *real, int64_t residual)
{
    struct prans_token t = {0};
    if (direct || prans_escapes(field, residual)) {
        const uint64_t bits = prans_word_at(real, field->is_f64, 0);
        t.direct = prans_direct_symbol(field, bits, &t.raw);
        t.symbol = direct ? t.direct : PRANS_ESCAPE;
        t.bits = (field->is_f64 ? 51 : 22) - field->model.shift;
        if (t.direct == PRANS_RAW) {
            t.bits = field->is_f64 ? 64 : 32;
            t.raw = bits;
        }
        return t;
    }
    t.symbol = prans_residual_symbol(e, residual, &t.raw);
    t.bits = e->symbol[t.symbol].bits;
    return t;
}

static inline int64_t prans_residual_at(const struct prans_field *field, const void *residual, size_t at)
{
    return field->is_f64 ? ((const int64_t *)residual)[at] : ((const int32_t *)residual)[at];
}

static inline bool prans_is_direct(const struct prans_field *field, size_t tile)
{
    return field->model.kind == PRANS_FLOAT && !field->bank[field->tile[tile]].reach;
}

static inline unsigned prans_group_of(const struct prans_encoding *e, uint16_t context)
{
    return e->description.class_of[0][context / PRANS_FLAGS] * PRANS_FLAGS + context % PRANS_FLAGS;
}

#endif

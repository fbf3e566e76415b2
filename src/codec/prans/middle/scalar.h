/* SPDX-License-Identifier: MIT
 * The decoder for levels that have decode_block() alone: raw bits are taken one by one. For width templates.
 */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_SCALAR_H
#define FPGZ_CODEC_PRANS_MIDDLE_SCALAR_H

#include "codec/prans/middle/rows.h"

/* Decodes the symbols of a block: value i of it is of state i % MIDDLE_LANES. */
INLINE void decode_block(const uint32_t *slots, uint32_t *states, const uint8_t **words, uint8_t *symbol);

/* The residual of an ordinary symbol, with the raw bits from `bit` on. */
INLINE WORD residual_of(unsigned symbol, unsigned width, const uint8_t *raw, uint64_t bit)
{
    const uint8_t *const at = raw + bit / 8;
    uint64_t number = fpgz_load64(at) >> bit % 8;
    if (width > 57)
        number |= (uint64_t)at[8] << (63 - bit % 8) << 1;
    number &= ((uint64_t)1 << width) - 1;
    number |= symbol < 8 ? symbol : (uint64_t)(4 | (symbol & 3)) << width;
    return (WORD)(number >> 1 ^ -(number & 1));
}

static bool unpack_one(const struct middle_source *source, uint8_t *symbol)
{
    const uint8_t *words = source->words;
    uint32_t state[MIDDLE_LANES];
    memcpy(state, source->states, sizeof state);
    for (size_t block = 0; block < source->blocks; block++, symbol += MIDDLE_BLOCK) {
        if (words > source->words_end)
            return false;
        decode_block(source->tables[source->ids[block]], state, &words, symbol);
    }
    return words_complete(source, state, words);
}

static bool unpack(const struct middle_source *source, unsigned segments, uint8_t *symbol)
{
    bool right = true;
    for (unsigned s = 0; right && s < segments; s++)
        right = unpack_one(&source[s], symbol + s * source->blocks * MIDDLE_BLOCK);
    return right;
}

static bool decode(const struct middle_source *source, void *residuals, uint8_t *flag)
{
    WORD *residual = residuals;
    const uint8_t *words = source->words;
    uint64_t bit = 0;
    uint32_t state[MIDDLE_LANES];
    memcpy(state, source->states, sizeof state);
    for (size_t block = 0; block < source->blocks; block++, residual += MIDDLE_BLOCK) {
        uint8_t symbol[MIDDLE_BLOCK];
        if (words > source->words_end || (bit + 7) / 8 > (size_t)(source->raw_end - source->raw))
            return false;
        decode_block(source->tables[source->ids[block]], state, &words, symbol);
        for (unsigned i = 0; i < MIDDLE_BLOCK; i++) {
            const unsigned width = raw_bits(symbol[i]);
            residual[i] = symbol[i] < MIDDLE_SPECIAL ? residual_of(symbol[i], width, source->raw, bit) : 0;
            bit += width;
        }
        for (unsigned i = 0; flag && i < MIDDLE_BLOCK; i++)
            flag[block * MIDDLE_BLOCK + i] =
                symbol[i] < MIDDLE_SPECIAL ? 0 : (uint8_t)(symbol[i] - MIDDLE_SPECIAL + 1);
    }
    return is_complete(source, state, words, bit);
}

#endif

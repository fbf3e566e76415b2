/* SPDX-License-Identifier: MIT
 * Words of symbols and raw bits for levels that take them one by one. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_PLAIN_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_PLAIN_H

#include "codec/prans/bins/level.h"

INLINE void classes_about_zero(const WORD *word, size_t count, uint16_t *restrict class)
{
    classes_one_by_one(word, count, class);
}

INLINE void map_classes(const uint8_t *map, const struct bins_numbers *numbers, const uint16_t *class,
                        size_t count, uint8_t *symbol)
{
    (void)numbers;
    map_one_by_one(map, class, count, symbol);
}

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out)
{
    struct prans_raw_bits raw = {out, 0, 0};
    add_raw(symbols, words, symbol, count, &raw);
    return raw_bits_end(&raw);
}

static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words)
{
    uint64_t bit = raw->bit;
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    for (size_t begin = 0; begin < count && bit <= end; begin += MIDDLE_BLOCK)
        take_words(symbols, symbol, begin, fpgz_min(begin + MIDDLE_BLOCK, count), raw->at, &bit, words);
    raw->bit = bit;
    return bit <= end;
}

#endif

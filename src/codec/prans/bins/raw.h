/* SPDX-License-Identifier: MIT
 * Raw bits of words of one width, written, and read one by one. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_RAW_H
#define FPGZ_CODEC_PRANS_BINS_RAW_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/width.h"

enum {
    FEW_RAW = 56 /* bits, which one load or store has wherever they begin */,
    GROUP = WORD_BITS == 8 ? 8 : 4
};

/* Raw bits of a group's words. */
INLINE unsigned group_width(const struct bins_symbols *symbols, const uint8_t *symbol)
{
    unsigned width = 0;
    for (unsigned k = 0; k < GROUP; k++)
        width += symbols->width[symbol[k]];
    return width;
}

/* Adds the raw bits of `count` words, 64 at most. */
INLINE void add_together(const struct bins_symbols *symbols, const WORD *word, const uint8_t *symbol,
                         unsigned count, struct prans_raw_bits *raw)
{
    uint64_t bits = 0;
    unsigned width = 0;
    for (unsigned k = 0; k < count; k++) {
        const unsigned s = symbol[k];
        bits |= (uint64_t)(WORD)(word[k] - (WORD)symbols->low[s]) << width;
        width += symbols->width[s];
    }
    raw_bits_add(raw, bits, width);
}

/* Adds words' raw bits, a group's together if these are few, else of as many words as have no more than 64.
 */
INLINE void add_raw(const struct bins_symbols *symbols, const WORD *word, const uint8_t *symbol, size_t count,
                    struct prans_raw_bits *raw)
{
    enum { TOGETHER = 64 / WORD_BITS };
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP)
        if (group_width(symbols, symbol + i) <= FEW_RAW)
            add_together(symbols, word + i, symbol + i, GROUP, raw);
        else
            for (unsigned k = 0; k < GROUP; k += TOGETHER)
                add_together(symbols, word + i + k, symbol + i + k, TOGETHER, raw);
    for (; i < count; i++)
        add_together(symbols, word + i, symbol + i, 1, raw);
}

/* The word of a symbol with the raw bits from `bit` on. */
INLINE WORD take_word(const struct bins_symbols *symbols, unsigned symbol, const uint8_t *raw, uint64_t bit)
{
    const unsigned width = symbols->width[symbol];
    const uint8_t *const at = raw + bit / 8;
    uint64_t rest = fpgz_load64(at) >> bit % 8;
    if (WORD_BITS == 64 && width > 57)
        rest |= (uint64_t)at[8] << (63 - bit % 8) << 1;
    rest &= ((uint64_t)1 << (width & 63)) - 1 - (width >> 6);
    return (WORD)(symbols->low[symbol] + rest);
}

/* The words of a group's symbols, which have few raw bits: these. */
INLINE void take_group(const struct bins_symbols *symbols, const uint8_t *symbol, uint64_t bits, WORD *word)
{
    for (unsigned k = 0; k < GROUP; k++) {
        const unsigned width = symbols->width[symbol[k]];
        word[k] = (WORD)(symbols->low[symbol[k]] + (bits & (((uint64_t)1 << width) - 1)));
        bits >>= width;
    }
}

/* The words of the symbols from `begin` to before `end`; *bit is behind their raw bits then. */
INLINE void take_words(const struct bins_symbols *symbols, const uint8_t *symbol, size_t begin, size_t end,
                       const uint8_t *raw, uint64_t *bit, WORD *word)
{
    uint64_t from = *bit;
    size_t i = begin;
    for (; i + GROUP <= end; i += GROUP) {
        const unsigned width = group_width(symbols, symbol + i);
        if (width <= FEW_RAW) {
            take_group(symbols, symbol + i, fpgz_load64(raw + from / 8) >> from % 8, word + i);
            from += width;
            continue;
        }
        for (unsigned k = 0; k < GROUP; k++) {
            word[i + k] = take_word(symbols, symbol[i + k], raw, from);
            from += symbols->width[symbol[i + k]];
        }
    }
    for (; i < end; i++) {
        word[i] = take_word(symbols, symbol[i], raw, from);
        from += symbols->width[symbol[i]];
    }
    *bit = from;
}

#endif

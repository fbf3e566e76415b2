/* SPDX-License-Identifier: MIT
 * Raw bits of words of one width, written, and read one by one. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_RAW_H
#define FPGZ_CODEC_PRANS_BINS_RAW_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/width.h"

/* Words' raw bits behind each other, which are at most 64. */
struct few_raw {
    uint64_t bits;
    unsigned width;
};

INLINE struct few_raw raw_of(const struct bins_symbols *symbols, WORD word, unsigned symbol)
{
    return (struct few_raw){(WORD)(word - (WORD)symbols->low[symbol]), symbols->width[symbol]};
}

INLINE struct few_raw with_raw(struct few_raw a, struct few_raw b)
{
    return (struct few_raw){a.bits | b.bits << a.width % 64, a.width + b.width};
}

INLINE void add_raw(struct prans_raw_bits *raw, struct few_raw few)
{
    raw_bits_add(raw, few.bits, few.width);
}

/* Whether four words mostly have more raw bits together than are added in one step, by a few. */
INLINE bool are_wide(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count)
{
    enum { STEP = 61, MOST = 12 /* of one, on average */ };
    size_t bits = 0, words = 0;
    for (size_t i = 0; i < count; i += STEP, words++)
        bits += symbols->width[symbol[i]];
    return bits > words * MOST;
}

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out)
{
    enum { TOGETHER = 4, FEW = 56 /* that are added in one step */ };
    const WORD *const word = words;
    struct prans_raw_bits raw = {out, 0, 0};
    const size_t together = are_wide(symbols, symbol, count) ? 0 : count / TOGETHER * TOGETHER;
    size_t i = 0;
    for (; i < together; i += TOGETHER) {
        const struct few_raw lower = with_raw(raw_of(symbols, word[i], symbol[i]),
                                              raw_of(symbols, word[i + 1], symbol[i + 1])),
                             upper = with_raw(raw_of(symbols, word[i + 2], symbol[i + 2]),
                                              raw_of(symbols, word[i + 3], symbol[i + 3]));
        if (lower.width + upper.width <= FEW) {
            const struct few_raw all = with_raw(lower, upper);
            raw_bits_add_few(&raw, all.bits, all.width);
        } else
            for (size_t k = i; k < i + TOGETHER; k++)
                add_raw(&raw, raw_of(symbols, word[k], symbol[k]));
    }
    for (; WORD_BITS <= 32 && i + 2 <= count; i += 2)
        add_raw(&raw,
                with_raw(raw_of(symbols, word[i], symbol[i]), raw_of(symbols, word[i + 1], symbol[i + 1])));
    for (; i < count; i++)
        add_raw(&raw, raw_of(symbols, word[i], symbol[i]));
    return raw_bits_end(&raw);
}

/* The words of the symbols from `begin` to before `end`; *bit is behind their raw bits then. */
INLINE void take_words(const struct bins_symbols *symbols, const uint8_t *symbol, size_t begin, size_t end,
                       const uint8_t *raw, uint64_t *bit, WORD *word)
{
    uint64_t from = *bit;
    for (size_t i = begin; i < end; i++) {
        const unsigned width = symbols->width[symbol[i]];
        const uint8_t *const at = raw + from / 8;
        uint64_t rest = fpgz_load64(at) >> from % 8;
        if (WORD_BITS == 64 && width > 57)
            rest |= (uint64_t)at[8] << (63 - from % 8) << 1;
        rest &= ((uint64_t)1 << (width & 63)) - 1 - (width >> 6);
        word[i] = (WORD)(symbols->low[symbol[i]] + rest);
        from += width;
    }
    *bit = from;
}

#endif

/* SPDX-License-Identifier: MIT
 * Raw bits of words of one width, written, and read one by one. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_RAW_H
#define FPGZ_CODEC_PRANS_BINS_RAW_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/width.h"

/* Adds words' raw bits, of as many together as fit into 64. */
INLINE void add_raw(const struct bins_symbols *symbols, const WORD *word, const uint8_t *symbol, size_t count,
                    struct prans_raw_bits *raw)
{
    enum { TOGETHER = 64 / WORD_BITS };
    size_t i = 0;
    for (; i + TOGETHER <= count; i += TOGETHER) {
        uint64_t bits = 0;
        unsigned width = 0;
        for (unsigned k = 0; k < TOGETHER; k++) {
            const unsigned s = symbol[i + k];
            bits |= (uint64_t)(WORD)(word[i + k] - (WORD)symbols->low[s]) << width;
            width += symbols->width[s];
        }
        raw_bits_add(raw, bits, width);
    }
    for (; i < count; i++)
        raw_bits_add(raw, (WORD)(word[i] - (WORD)symbols->low[symbol[i]]), symbols->width[symbol[i]]);
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

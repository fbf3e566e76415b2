/* SPDX-License-Identifier: MIT
 * Raw bits of words of one width, written and read. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_RAW_H
#define FPGZ_CODEC_PRANS_BINS_RAW_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/width.h"

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out)
{
    enum { TOGETHER = 64 / WORD_BITS }; /* as many fit into 64 bits */
    const WORD *const word = words;
    struct prans_raw_bits raw = {out, 0, 0};
    size_t i = 0;
    for (; i + TOGETHER <= count; i += TOGETHER) {
        uint64_t bits = 0;
        unsigned width = 0;
        for (unsigned k = 0; k < TOGETHER; k++) {
            const unsigned s = symbol[i + k];
            bits |= (uint64_t)(WORD)(word[i + k] - (WORD)symbols->low[s]) << width;
            width += symbols->width[s];
        }
        raw_bits_add(&raw, bits, width);
    }
    for (; i < count; i++)
        raw_bits_add(&raw, (WORD)(word[i] - (WORD)symbols->low[symbol[i]]), symbols->width[symbol[i]]);
    return raw_bits_end(&raw);
}

static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words)
{
    WORD *const word = words;
    uint64_t bit = raw->bit;
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    for (size_t begin = 0; begin < count; begin += MIDDLE_BLOCK) {
        const size_t block_end = fpgz_min(begin + MIDDLE_BLOCK, count);
        if (bit > end)
            return false;
        for (size_t i = begin; i < block_end; i++) {
            const unsigned width = symbols->width[symbol[i]];
            const uint8_t *const at = raw->at + bit / 8;
            uint64_t rest = fpgz_load64(at) >> bit % 8;
            if (WORD_BITS == 64 && width > 57)
                rest |= (uint64_t)at[8] << (63 - bit % 8) << 1;
            rest &= ((uint64_t)1 << (width & 63)) - 1 - (width >> 6);
            word[i] = (WORD)(symbols->low[symbol[i]] + rest);
            bit += width;
        }
    }
    raw->bit = bit;
    return bit <= end;
}

#endif

/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins for AVX-512: sums are vectors, and raw bits are taken apart in them. */
#include "codec/prans/middle/sums_avx512.h"

#include "codec/prans/bins/level.h"
#if FPGZ_BITS == 64
#include "codec/prans/bins/words_avx512_64.h"
#else
#include "codec/prans/bins/words_avx512_32.h"
#endif

/* The bytes of a table of 256 that these are the numbers of. */
INLINE __m512i look_up(const __m512i table[4], __m512i number)
{
    const __m512i low = _mm512_permutex2var_epi8(table[0], number, table[1]),
                  high = _mm512_permutex2var_epi8(table[2], number, table[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(number), low, high);
}

static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words)
{
    WORD *const word = words;
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    uint64_t bit = raw->bit;
    __m512i width[4];
    size_t i = 0;
    memcpy(width, symbols->width, sizeof width);
    for (; i + 64 <= count && bit <= end; i += 64) {
        uint8_t widths[64];
        _mm512_storeu_si512(widths, look_up(width, _mm512_loadu_si512(symbol + i)));
        for (unsigned k = 0; k < 64; k += TOGETHER) {
            const uint64_t from = bit;
            store_words(symbols, symbol + i + k, widths + k, raw->at, &bit, word + i + k);
            if (bit - from / 8 * 8 <= 512)
                continue;
            bit = from; /* more than the vector of raw bits has */
            take_words(symbols, symbol, i + k, i + k + TOGETHER, raw->at, &bit, word);
        }
    }
    if (bit <= end)
        take_words(symbols, symbol, i, count, raw->at, &bit, word);
    raw->bit = bit;
    return bit <= end;
}

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_avx512) = PRANS_BINS_KERNELS;

/* SPDX-License-Identifier: MIT
 * Words of 64 bits in vectors of eight, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/middle/raw_avx512_64.h"

enum { TOGETHER = 8 };

/* The words of eight symbols, with raw bits of these widths. */
INLINE void store_words(const struct bins_symbols *symbols, const uint8_t *symbol, const uint8_t *width,
                        const uint8_t *raw, uint64_t *bit, WORD *word)
{
    const __m256i number = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)symbol));
    const __m512i low = _mm512_i32gather_epi64(number, symbols->low, sizeof *symbols->low);
    const __m512i rest = raw_bits_of(raw, bit, _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)width)));
    _mm512_storeu_si512(word, _mm512_add_epi64(low, rest));
}

#endif

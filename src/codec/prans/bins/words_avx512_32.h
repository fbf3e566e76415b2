/* SPDX-License-Identifier: MIT
 * Words of up to 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/middle/raw_avx512_32.h"

enum { TOGETHER = 16 };

/* The words of sixteen symbols, with raw bits of these widths. */
INLINE void store_words(const struct bins_symbols *symbols, const uint8_t *symbol, const uint8_t *width,
                        const uint8_t *raw, uint64_t *bit, WORD *word)
{
    const __m512i number = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)symbol));
    const __m512i low = _mm512_i32gather_epi32(number, symbols->low, sizeof *symbols->low);
    const __m512i rest = raw_bits_of(raw, bit, _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)width)));
    const __m512i all = _mm512_add_epi32(low, rest);
    if (WORD_BITS == 32)
        _mm512_storeu_si512(word, all);
    else if (WORD_BITS == 16)
        _mm256_storeu_si256((__m256i *)word, _mm512_cvtepi32_epi16(all));
    else
        _mm_storeu_si128((__m128i *)word, _mm512_cvtepi32_epi8(all));
}

#endif

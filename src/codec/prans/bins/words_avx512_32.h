/* SPDX-License-Identifier: MIT
 * Words of up to 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H

#include "codec/prans/bins/raw_avx512.h"
#include "codec/prans/middle/raw_avx512.h"
#include "codec/prans/middle/raw_avx512_32.h"

enum { TOGETHER = 16, LOW_BYTES = 4 };

INLINE void classes_about_zero(const WORD *word, size_t count, uint16_t *restrict class)
{
    classes_one_by_one(word, count, class);
}

INLINE __m512i in_turns(__m512i symbol)
{
    return in_turns_of_four(symbol);
}

INLINE void interleave(const __m512i byte[LOW_BYTES], __m512i word[4])
{
    interleave_four(byte, word);
}

/* Sixteen words from `low` on. */
INLINE void put_words(const __m512i low[1], __m512i rest, WORD *word)
{
    const __m512i all = _mm512_add_epi32(low[0], rest);
    if (WORD_BITS == 32)
        _mm512_storeu_si512(word, all);
    else if (WORD_BITS == 16)
        _mm256_storeu_si256((__m256i *)word, _mm512_cvtepi32_epi16(all));
    else
        _mm_storeu_si128((__m128i *)word, _mm512_cvtepi32_epi8(all));
}

/* The same, with raw bits of these widths. */
INLINE void take_vector(__m512i low, const uint8_t *width, const uint8_t *raw, uint64_t *bit, WORD *word)
{
    put_words(&low, raw_bits_of(raw, bit, _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)width))),
              word);
}

#endif

/* SPDX-License-Identifier: MIT
 * Words of up to 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H

#include "codec/prans/bins/raw_avx512.h"
#include "codec/prans/middle/raw_avx512.h"
#include "codec/prans/middle/raw_avx512_32.h"

enum { TOGETHER = 16, LOW_BYTES = 4 };

/* How far the classes of sixteen words are from that of 0. */
INLINE __m512i class_distances(__m512i word)
{
    const __m512i size = _mm512_abs_epi32(word), zeros = _mm512_lzcnt_epi32(size);
    const __m512i digits = _mm512_srli_epi32(_mm512_sllv_epi32(size, zeros), 28),
                  large = _mm512_sub_epi32(_mm512_add_epi32(digits, _mm512_set1_epi32(8 * 28)),
                                           _mm512_slli_epi32(zeros, 3));
    const __m512i small = _mm512_min_epu32(size, _mm512_set1_epi32(8));
    return _mm512_max_epi32(small, large);
}

/* Sixteen words, each in 32 bits with its sign. */
INLINE __m512i sixteen_of(const WORD *word)
{
    if (WORD_BITS == 32)
        return _mm512_loadu_si512(word);
    return WORD_BITS == 16 ? _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)word))
                           : _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)word));
}

INLINE void classes_about_zero(const WORD *word, size_t count, uint16_t *restrict class)
{
    const __m512i zero = _mm512_set1_epi32(8 * WORD_BITS - 24);
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m512i words = sixteen_of(word + i), from = class_distances(words);
        const __m512i number =
            _mm512_mask_sub_epi32(_mm512_add_epi32(zero, from), _mm512_movepi32_mask(words), zero, from);
        _mm256_storeu_si256((__m256i *)(class + i), _mm512_cvtepi32_epi16(number));
    }
    classes_one_by_one(word + i, count - i, class + i);
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

/* SPDX-License-Identifier: MIT
 * Words of 64 bits in vectors of eight, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H

#include "codec/prans/bins/raw_avx512.h"
#include "codec/prans/middle/raw_avx512.h"
#include "codec/prans/middle/raw_avx512_64.h"

enum { TOGETHER = 8, LOW_BYTES = 8 };

/* How far the classes of eight words are from that of 0. */
INLINE __m128i class_distances(__m512i word)
{
    const __m512i size = _mm512_abs_epi64(word), zeros = _mm512_lzcnt_epi64(size);
    const __m512i digits = _mm512_srli_epi64(_mm512_sllv_epi64(size, zeros), 60),
                  large = _mm512_sub_epi64(_mm512_add_epi64(digits, _mm512_set1_epi64(8 * 60)),
                                           _mm512_slli_epi64(zeros, 3));
    const __m512i small = _mm512_min_epu64(size, _mm512_set1_epi64(8));
    return _mm512_cvtepi64_epi16(_mm512_max_epi64(small, large));
}

INLINE void classes_about_zero(const WORD *word, size_t count, uint16_t *restrict class)
{
    const __m128i zero = _mm_set1_epi16(8 * WORD_BITS - 24);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m512i words = _mm512_loadu_si512(word + i);
        const __m128i from = class_distances(words);
        _mm_storeu_si128((__m128i *)(class + i), _mm_mask_sub_epi16(_mm_add_epi16(zero, from),
                                                                    _mm512_movepi64_mask(words), zero, from));
    }
    classes_one_by_one(word + i, count - i, class + i);
}

/* The symbols in the order in which interleaving their words' bytes puts them in order. */
INLINE __m512i in_turns(__m512i symbol)
{
    const __m512i rows =
        _mm512_setr_epi64(0x000C000800040000, 0x001C001800140010, 0x000D000900050001, 0x001D001900150011,
                          0x000E000A00060002, 0x001E001A00160012, 0x000F000B00070003, 0x001F001B00170013);
    return _mm512_permutexvar_epi16(rows, symbol);
}

/* Words of 64 symbols, by their bytes, the lowest first. */
INLINE void interleave(const __m512i byte[LOW_BYTES], __m512i word[8])
{
    __m512i two[8], four[8];
    for (unsigned i = 0; i < 4; i++) {
        two[i] = _mm512_unpacklo_epi8(byte[2 * i], byte[2 * i + 1]);
        two[i + 4] = _mm512_unpackhi_epi8(byte[2 * i], byte[2 * i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 2) { /* the lower and the upper halves of words, in turns */
        four[i] = _mm512_unpacklo_epi16(two[i], two[i + 1]);
        four[i + 1] = _mm512_unpackhi_epi16(two[i], two[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned k = 0; k < 2; k++) {
            word[i + 2 * k] = _mm512_unpacklo_epi32(four[i + k], four[i + k + 2]);
            word[i + 2 * k + 1] = _mm512_unpackhi_epi32(four[i + k], four[i + k + 2]);
        }
}

/* Sixteen words from `low` on. */
INLINE void put_words(const __m512i low[2], __m512i rest, WORD *word)
{
    const __m512i first = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(rest)),
                  second = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(rest, 1));
    _mm512_storeu_si512(word, _mm512_add_epi64(low[0], first));
    _mm512_storeu_si512(word + 8, _mm512_add_epi64(low[1], second));
}

/* Eight words from `low` on, with raw bits of these widths. */
INLINE void take_vector(__m512i low, const uint8_t *width, const uint8_t *raw, uint64_t *bit, WORD *word)
{
    const __m512i rest = raw_bits_of(raw, bit, _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)width)));
    _mm512_storeu_si512(word, _mm512_add_epi64(low, rest));
}

#endif

/* SPDX-License-Identifier: MIT
 * Words of up to 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_32_H

#include "codec/prans/bins/fours_avx512.h"
#include "codec/prans/bins/raw_avx512.h"
#include "codec/prans/middle/raw_avx512_32.h"

enum {
    TOGETHER = 16,
    LOW_BYTES = 4,
    FEW_BITS = 25,  /* that are in four bytes wherever they begin */
    SOME_BITS = 30, /* four times as many are in 16 bytes */
};

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

/* Words of 64 symbols, by their `bytes` lowest bytes, the lowest first, of which the last one has the sign.
 */
INLINE void interleave(const __m512i byte[LOW_BYTES], unsigned bytes, __m512i word[4])
{
    const __m512i a = _mm512_unpacklo_epi8(byte[0], byte[1]), b = _mm512_unpackhi_epi8(byte[0], byte[1]),
                  c = bytes > 2 ? _mm512_unpacklo_epi8(byte[2], byte[3]) : _mm512_srai_epi16(a, 15),
                  d = bytes > 2 ? _mm512_unpackhi_epi8(byte[2], byte[3]) : _mm512_srai_epi16(b, 15);
    word[0] = _mm512_unpacklo_epi16(a, c);
    word[1] = _mm512_unpackhi_epi16(a, c);
    word[2] = _mm512_unpacklo_epi16(b, d);
    word[3] = _mm512_unpackhi_epi16(b, d);
}

/* Sixteen words from `low` on. */
INLINE void put_words(__m512i low, __m512i rest, WORD *word)
{
    const __m512i all = _mm512_add_epi32(low, rest);
    if (WORD_BITS == 32)
        _mm512_storeu_si512(word, all);
    else if (WORD_BITS == 16)
        _mm256_storeu_si256((__m256i *)word, _mm512_cvtepi32_epi16(all));
    else
        _mm_storeu_si128((__m128i *)word, _mm512_cvtepi32_epi8(all));
}

/* Sixteen words of 64 from `low` on: their number j and those behind it. fifth: some may have bits in a fifth
 * byte. */
INLINE void put_fours(__m512i low, const struct fours *fours, const uint8_t *raw, unsigned j, bool fifth,
                      WORD *word)
{
    const __m512i words = _mm512_set_epi32(0x0F0F0F0F, 0x0E0E0E0E, 0x0D0D0D0D, 0x0C0C0C0C, 0x0B0B0B0B,
                                           0x0A0A0A0A, 0x09090909, 0x08080808, 0x07070707, 0x06060606,
                                           0x05050505, 0x04040404, 0x03030303, 0x02020202, 0x01010101, 0);
    const __m512i bit =
        _mm512_permutexvar_epi8(_mm512_add_epi8(words, _mm512_set1_epi8((char)j)), fours->bit);
    const uint32_t *const begin = fours->begin + j / 4;
    __m512i bytes = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(raw + begin[0])));
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(raw + begin[1])), 1);
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(raw + begin[2])), 2);
    bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(raw + begin[3])), 3);
    const __m512i from = _mm512_add_epi8(fours_byte(bit), _mm512_set1_epi32(0x03020100)),
                  shift = _mm512_and_si512(bit, _mm512_set1_epi32(7));
    __m512i value = _mm512_srlv_epi32(_mm512_shuffle_epi8(bytes, from), shift);
    if (fifth) {
        const __m512i more = _mm512_shuffle_epi8(bytes, _mm512_add_epi8(from, _mm512_set1_epi8(4)));
        value =
            _mm512_or_si512(value, _mm512_sllv_epi32(more, _mm512_sub_epi32(_mm512_set1_epi32(32), shift)));
    }
    const __m512i width = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(fours->width + j)));
    put_words(low, _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), width), value), word + j);
}

/* Sixteen words from `low` on, with raw bits of these widths. */
INLINE void take_vector(__m512i low, const uint8_t *width, const uint8_t *raw, uint64_t *bit, WORD *word)
{
    put_words(low, raw_bits_of(raw, bit, _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)width))),
              word);
}

#endif

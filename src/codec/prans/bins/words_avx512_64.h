/* SPDX-License-Identifier: MIT
 * Words of 64 bits in vectors of eight, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_AVX512_64_H

#include "codec/prans/bins/fours_avx512.h"
#include "codec/prans/bins/raw_avx512.h"
#include "codec/prans/middle/raw_avx512_64.h"

enum {
    TOGETHER = 8,
    LOW_BYTES = 8,
    FEW_BITS = 57,  /* that are in eight bytes wherever they begin */
    SOME_BITS = 62, /* four times as many are in 32 bytes */
};

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

/* Words of 64 symbols, by their `bytes` lowest bytes, the lowest first, of which the last one has the sign.
 */
INLINE void interleave(const __m512i byte[LOW_BYTES], unsigned bytes, __m512i word[8])
{
    __m512i two[8], four[8];
    for (unsigned i = 0; i < 4; i++) {
        two[i] = 2 * i < bytes ? _mm512_unpacklo_epi8(byte[2 * i], byte[2 * i + 1])
                               : _mm512_srai_epi16(two[i - 1], 15);
        two[i + 4] = 2 * i < bytes ? _mm512_unpackhi_epi8(byte[2 * i], byte[2 * i + 1])
                                   : _mm512_srai_epi16(two[i + 3], 15);
    }
    for (unsigned i = 0; i < 8; i += 2) { /* the lower and the upper halves of words, in turns */
        const bool is_sign = i % 4 && bytes <= 4;
        four[i] = is_sign ? _mm512_srai_epi32(four[i - 2], 31) : _mm512_unpacklo_epi16(two[i], two[i + 1]);
        four[i + 1] =
            is_sign ? _mm512_srai_epi32(four[i - 1], 31) : _mm512_unpackhi_epi16(two[i], two[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned k = 0; k < 2; k++) {
            word[i + 2 * k] = _mm512_unpacklo_epi32(four[i + k], four[i + k + 2]);
            word[i + 2 * k + 1] = _mm512_unpackhi_epi32(four[i + k], four[i + k + 2]);
        }
}

/* Eight words of 64 from `low` on: their number j and those behind it. ninth: some may have bits in a ninth
 * byte. */
INLINE void put_fours(__m512i low, const struct fours *fours, const uint8_t *raw, unsigned j, bool ninth,
                      WORD *word)
{
    const __m512i words = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505,
                                           0x0404040404040404, 0x0303030303030303, 0x0202020202020202,
                                           0x0101010101010101, 0),
                  behind = _mm512_set_epi64(0x2726252423222120, 0x2726252423222120, 0x2726252423222120,
                                            0x2726252423222120, 0x0706050403020100, 0x0706050403020100,
                                            0x0706050403020100, 0x0706050403020100);
    const __m512i bit =
        _mm512_permutexvar_epi8(_mm512_add_epi8(words, _mm512_set1_epi8((char)j)), fours->bit);
    const __m512i lower = _mm512_castsi256_si512(
                      _mm256_loadu_si256((const __m256i *)(raw + fours->begin[j / 4]))),
                  bytes = _mm512_inserti64x4(
                      lower, _mm256_loadu_si256((const __m256i *)(raw + fours->begin[j / 4 + 1])), 1);
    const __m512i from = _mm512_add_epi8(fours_byte(bit), behind),
                  shift = _mm512_and_si512(bit, _mm512_set1_epi64(7));
    __m512i value = _mm512_srlv_epi64(_mm512_permutexvar_epi8(from, bytes), shift);
    if (ninth) {
        const __m512i more = _mm512_permutexvar_epi8(_mm512_add_epi8(from, _mm512_set1_epi8(8)), bytes);
        value =
            _mm512_or_si512(value, _mm512_sllv_epi64(more, _mm512_sub_epi64(_mm512_set1_epi64(64), shift)));
    }
    const __m512i width = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(fours->width + j))),
                  rest = _mm512_andnot_si512(_mm512_sllv_epi64(_mm512_set1_epi64(-1), width), value);
    _mm512_storeu_si512(word + j, _mm512_add_epi64(low, rest));
}

/* Eight words from `low` on, with raw bits of these widths. */
INLINE void take_vector(__m512i low, const uint8_t *width, const uint8_t *raw, uint64_t *bit, WORD *word)
{
    const __m512i rest = raw_bits_of(raw, bit, _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)width)));
    _mm512_storeu_si512(word, _mm512_add_epi64(low, rest));
}

#endif

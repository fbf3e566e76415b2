/* SPDX-License-Identifier: MIT
 * Raw bits of words that have few, put behind each other in vectors. For kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_BINS_RAW_AVX512_H
#define FPGZ_CODEC_PRANS_BINS_RAW_AVX512_H

#include <immintrin.h>
#include <string.h>

#include "codec/prans/bins/kernels.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/prans/middle/look_up_avx512.h"
#include "codec/width.h"

/* The lowest 32 bits of sixteen words. */
INLINE __m512i lowest_of(const WORD *word)
{
    if (WORD_BITS == 64)
        return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_loadu_si512(word))),
                                  _mm512_cvtepi64_epi32(_mm512_loadu_si512(word + 8)), 1);
    if (WORD_BITS == 32)
        return _mm512_loadu_si512(word);
    return WORD_BITS == 16 ? _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)word))
                           : _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)word));
}

/* Whether words with raw bits of these widths may be added by fours: none has more than 32, and no four have
 * more than 56. fours: their sums. */
INLINE bool are_few(__m512i width, __m512i *fours)
{
    *fours = _mm512_madd_epi16(_mm512_maddubs_epi16(width, _mm512_set1_epi8(1)), _mm512_set1_epi16(1));
    return !_mm512_cmpgt_epu8_mask(width, _mm512_set1_epi8(32)) &&
           !_mm512_cmpgt_epi32_mask(*fours, _mm512_set1_epi32(56));
}

/* The raw bits of four words each, in every other lane, of sixteen. */
INLINE __m512i by_fours(__m512i rest, __m512i width)
{
    const __m512i lower = _mm512_set1_epi64(UINT32_MAX), first = _mm512_and_si512(width, lower);
    const __m512i two =
        _mm512_or_si512(_mm512_and_si512(rest, lower), _mm512_sllv_epi64(_mm512_srli_epi64(rest, 32), first));
    const __m512i both = _mm512_add_epi64(first, _mm512_srli_epi64(width, 32));
    return _mm512_or_si512(two, _mm512_sllv_epi64(_mm512_unpackhi_epi64(two, two), both));
}

/* Adds the raw bits of 64 words, what their symbols stand for from the words' `low` on, for which are_few().
 */
INLINE void add_few_raw(const WORD *word, const __m512i low[4], __m512i width, __m512i fours,
                        struct prans_raw_bits *raw)
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                  usual = _mm512_set1_epi32((int)(UINT32_MAX >> (WORD_BITS < 32 ? 32 - WORD_BITS : 0)));
    const __m128i widths[4] = {_mm512_castsi512_si128(width), _mm512_extracti32x4_epi32(width, 1),
                               _mm512_extracti32x4_epi32(width, 2), _mm512_extracti32x4_epi32(width, 3)};
    __m512i four[4];
    uint64_t bits[16];
    uint32_t counts[16];
    for (unsigned k = 0; k < 4; k++) {
        const __m512i rest = _mm512_sub_epi32(lowest_of(word + 16 * k), low[k]);
        four[k] = by_fours(_mm512_and_si512(rest, usual), _mm512_cvtepu8_epi32(widths[k]));
    }
    _mm512_storeu_si512(bits, _mm512_permutex2var_epi64(four[0], even, four[1]));
    _mm512_storeu_si512(bits + 8, _mm512_permutex2var_epi64(four[2], even, four[3]));
    _mm512_storeu_si512(counts, fours);
    for (unsigned k = 0; k < 16; k++)
        raw_bits_add_few(raw, bits[k], counts[k]);
}

#endif

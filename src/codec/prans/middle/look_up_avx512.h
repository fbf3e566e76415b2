/* SPDX-License-Identifier: MIT
 * Tables of symbols, by the bytes of what they hold, looked up by permutations: gathering takes longer. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_LOOK_UP_AVX512_H
#define FPGZ_CODEC_PRANS_MIDDLE_LOOK_UP_AVX512_H

#include <immintrin.h>

#include "core/inline.h"

/* The bytes of a table of 256 that these are the numbers of. */
INLINE __m512i look_up(const __m512i table[4], __m512i number, __mmask64 upper)
{
    const __m512i low = _mm512_permutex2var_epi8(table[0], number, table[1]);
    if (!upper)
        return low;
    return _mm512_mask_blend_epi8(upper, low, _mm512_permutex2var_epi8(table[2], number, table[3]));
}

/* The symbols in the order in which interleaving their words' bytes puts them in order. */
INLINE __m512i in_turns_of_four(__m512i symbol)
{
    const __m512i from = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(from, symbol);
}

/* Words of 32 bits of 64 symbols, by their bytes, the lowest first. */
INLINE void interleave_four(const __m512i byte[4], __m512i word[4])
{
    const __m512i a = _mm512_unpacklo_epi8(byte[0], byte[1]), b = _mm512_unpackhi_epi8(byte[0], byte[1]),
                  c = _mm512_unpacklo_epi8(byte[2], byte[3]), d = _mm512_unpackhi_epi8(byte[2], byte[3]);
    word[0] = _mm512_unpacklo_epi16(a, c);
    word[1] = _mm512_unpackhi_epi16(a, c);
    word[2] = _mm512_unpacklo_epi16(b, d);
    word[3] = _mm512_unpackhi_epi16(b, d);
}

#endif

/* SPDX-License-Identifier: MIT
 * Running sums in vectors of 64 bytes. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_SUMS_AVX512_H
#define FPGZ_CODEC_PRANS_MIDDLE_SUMS_AVX512_H

#include <immintrin.h>
#include <stddef.h>

#include "codec/width.h"

INLINE __m512i byte_numbers(void)
{
    return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
                           42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
                           21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* Lanes of so many bytes. */
INLINE __m512i add_lanes(__m512i a, __m512i b, size_t bytes)
{
    return bytes == 1   ? _mm512_add_epi8(a, b)
           : bytes == 2 ? _mm512_add_epi16(a, b)
           : bytes == 4 ? _mm512_add_epi32(a, b)
                        : _mm512_add_epi64(a, b);
}

/* What it was so many bytes before. */
INLINE __m512i move_up(__m512i a, unsigned bytes)
{
    const __m512i from = _mm512_sub_epi8(byte_numbers(), _mm512_set1_epi8((char)bytes));
    return _mm512_maskz_permutexvar_epi8(UINT64_MAX << bytes, from, a);
}

/* Sums of the lanes up to each. */
INLINE __m512i lane_sums(__m512i a, size_t bytes)
{
    const __m512i zero = _mm512_setzero_si512();
    if (bytes <= 1)
        a = add_lanes(a, move_up(a, 1), bytes);
    if (bytes <= 2)
        a = add_lanes(a, move_up(a, 2), bytes);
    if (bytes <= 4)
        a = add_lanes(a, _mm512_alignr_epi32(a, zero, 15), bytes);
    a = add_lanes(a, _mm512_alignr_epi32(a, zero, 14), bytes);
    a = add_lanes(a, _mm512_alignr_epi32(a, zero, 12), bytes);
    return add_lanes(a, _mm512_alignr_epi32(a, zero, 8), bytes);
}

/* The last lane, in all of them. */
INLINE __m512i last_lane(__m512i a, size_t bytes)
{
    return _mm512_permutexvar_epi8(_mm512_or_si512(byte_numbers(), _mm512_set1_epi8((char)(64 - bytes))), a);
}

/* Makes y its running sums, which begin with `sum`. Returns the last one. */
INLINE WORD scan(WORD *y, size_t count, WORD sum)
{
    enum { BYTES = sizeof(WORD), WORDS = 64 / BYTES };
    WORD first[WORDS] = {sum};
    __m512i before = lane_sums(_mm512_loadu_si512(first), BYTES);
    size_t i = 0;
    for (; i + WORDS <= count; i += WORDS) {
        const __m512i all = lane_sums(_mm512_loadu_si512(y + i), BYTES);
        _mm512_storeu_si512(y + i, add_lanes(all, before, BYTES));
        before = add_lanes(before, last_lane(all, BYTES), BYTES);
    }
    if (i < count) {
        const __mmask64 bytes = UINT64_MAX >> (64 - (count - i) * BYTES);
        const __m512i all = lane_sums(_mm512_maskz_loadu_epi8(bytes, y + i), BYTES);
        _mm512_mask_storeu_epi8(y + i, bytes, add_lanes(all, before, BYTES));
    }
    return count ? y[count - 1] : sum;
}

#endif

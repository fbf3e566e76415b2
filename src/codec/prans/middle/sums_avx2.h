/* SPDX-License-Identifier: MIT
 * Running sums in vectors of 32 bytes. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_SUMS_AVX2_H
#define FPGZ_CODEC_PRANS_MIDDLE_SUMS_AVX2_H

#include <immintrin.h>
#include <stddef.h>

#include "codec/width.h"

INLINE __m256i add_words(__m256i a, __m256i b)
{
    return WORD_BITS == 8    ? _mm256_add_epi8(a, b)
           : WORD_BITS == 16 ? _mm256_add_epi16(a, b)
           : WORD_BITS == 32 ? _mm256_add_epi32(a, b)
                             : _mm256_add_epi64(a, b);
}

INLINE __m256i all_words(WORD word)
{
    return WORD_BITS == 8    ? _mm256_set1_epi8((char)word)
           : WORD_BITS == 16 ? _mm256_set1_epi16((short)word)
           : WORD_BITS == 32 ? _mm256_set1_epi32((int)word)
                             : _mm256_set1_epi64x((long long)word);
}

/* The bytes of the last word of 16, as often as it goes into them. */
INLINE __m256i last_bytes(void)
{
    const __m256i number = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3,
                                            4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm256_or_si256(number, _mm256_set1_epi8(16 - (int)sizeof(WORD)));
}

/* Makes y its running sums, which begin with `sum`. Returns the last one. */
INLINE WORD scan(WORD *y, size_t count, WORD sum)
{
    enum { WORDS = 32 / sizeof(WORD) };
    const __m256i last = last_bytes();
    __m256i before = all_words(sum);
    size_t i = 0;
    for (; i + WORDS <= count; i += WORDS) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(y + i));
        if (sizeof(WORD) <= 1)
            a = add_words(a, _mm256_bslli_epi128(a, 1));
        if (sizeof(WORD) <= 2)
            a = add_words(a, _mm256_bslli_epi128(a, 2));
        if (sizeof(WORD) <= 4)
            a = add_words(a, _mm256_bslli_epi128(a, 4));
        a = add_words(a, _mm256_bslli_epi128(a, 8));
        const __m256i halves = _mm256_shuffle_epi8(a, last);
        a = add_words(a, _mm256_permute2x128_si256(halves, halves, 0x08));
        _mm256_storeu_si256((__m256i *)(y + i), add_words(a, before));
        before = add_words(before, add_words(_mm256_permute2x128_si256(halves, halves, 0x00),
                                             _mm256_permute2x128_si256(halves, halves, 0x11)));
    }
    sum = i ? y[i - 1] : sum;
    for (; i < count; i++)
        y[i] = sum = (WORD)(sum + y[i]);
    return sum;
}

#endif

/* SPDX-License-Identifier: MIT
 * What restore.h takes from its CPU level: quotients by the inverse, as vectors take three times as long to
 * divide; ranks gathered, of which compilers think that it takes longer. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_VALUES_AVX512_H
#define FPGZ_CODEC_PRANS_DOMAIN_VALUES_AVX512_H

#include <immintrin.h>
#include <stddef.h>

#include "codec/width.h"

/* What division gives, of a numerator that is 0 or at least 1 and a power of ten: the first correction brings
 * the product to within a unit in the last place, the second one rounds it right, as what it leaves is exact
 * (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990). */
INLINE double quotient_of(double numerator, double divisor, double inverse)
{
    const double guess = numerator * inverse,
                 near = __builtin_fma(__builtin_fma(-guess, divisor, numerator), inverse, guess);
    return __builtin_fma(__builtin_fma(-near, divisor, numerator), inverse, near);
}

INLINE void look_up_ranks(const WORD *dictionary, WORD last, size_t count, WORD *y)
{
    enum { WORDS = 64 / sizeof(WORD) };
    size_t i = 0;
    for (; i + WORDS <= count; i += WORDS) {
        const __m512i rank = _mm512_loadu_si512(y + i);
        if (WORD_BITS == 32)
            _mm512_storeu_si512(y + i,
                                _mm512_i32gather_epi32(_mm512_min_epu32(rank, _mm512_set1_epi32((int)last)),
                                                       (const void *)dictionary, 4));
        else
            _mm512_storeu_si512(
                y + i, _mm512_i64gather_epi64(_mm512_min_epu64(rank, _mm512_set1_epi64((long long)last)),
                                              (const void *)dictionary, 8));
    }
    for (; i < count; i++)
        y[i] = dictionary[y[i] < last ? y[i] : last];
}

#endif

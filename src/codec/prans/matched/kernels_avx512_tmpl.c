/* SPDX-License-Identifier: MIT
 * Matches, their search and their parting for AVX-512. */
#include <immintrin.h>

#include "codec/prans/matched/level.h"

/* Eight words, each in 64 bits. */
INLINE __m512i eight_of(const WORD *word)
{
    if (WORD_BITS == 64)
        return _mm512_loadu_si512(word);
    if (WORD_BITS == 32)
        return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)word));
    return WORD_BITS == 16 ? _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)word))
                           : _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)word));
}

INLINE uint64_t sampled_together(enum prans_number number, const WORD *word, uint64_t below)
{
    const __m512i sign = _mm512_set1_epi64((long long)(uint64_t)SIGN_BIT),
                  factor = _mm512_set1_epi64((long long)MATCHED_FACTOR),
                  limit = _mm512_set1_epi64((long long)below);
    uint64_t bits = 0;
    if (number == PRANS_SIGNED)
        return sampled_one_by_one(number, word, below);
    for (unsigned k = 0; k < TOGETHER; k += 8) {
        const __m512i words = eight_of(word + k),
                      size = number == PRANS_REAL ? _mm512_or_si512(words, sign) : words;
        const __m512i hash =
            _mm512_mullo_epi64(_mm512_srli_epi64(size, sizeof *word * MATCHED_CLOSE_BITS), factor);
        bits |= (uint64_t)_mm512_cmplt_epu64_mask(hash, limit) << k;
    }
    return bits;
}

const struct prans_matched_kernels WIDTH(fpgz_prans_matched_avx512) = PRANS_MATCHED_KERNELS;

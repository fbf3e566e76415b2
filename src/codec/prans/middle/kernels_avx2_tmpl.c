/* SPDX-License-Identifier: MIT
 * The middle setting's kernels for AVX2: eight lanes are decoded at once. */
#include <immintrin.h>

#include "codec/prans/middle/scalar.h"

/* Eight lanes' symbols, in the lowest byte of each. */
INLINE __m256i decode_lanes(const uint32_t *table, __m256i *state, const uint8_t **words)
{
    const __m256i low = _mm256_set1_epi32(PRANS_SCALE - 1), one = _mm256_set1_epi32(1);
    const __m256i entry = _mm256_i32gather_epi32((const int *)table, _mm256_and_si256(*state, low), 4);
    const __m256i frequency = _mm256_add_epi32(_mm256_and_si256(_mm256_srli_epi32(entry, 8), low), one);
    const __m256i quotient = _mm256_srli_epi32(*state, PRANS_SCALE_BITS);
    const __m256i next =
        _mm256_add_epi32(_mm256_mullo_epi32(frequency, quotient), _mm256_srli_epi32(entry, 20));
    const __m256i is_short = _mm256_cmpeq_epi32(_mm256_srli_epi32(next, 16), _mm256_setzero_si256());
    const unsigned lanes = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_short));
    /* The number of each lane's word: how many lanes below it take one. */
    const uint64_t spread = _pdep_u64(lanes, UINT64_C(0x0101010101010101)) * 0xFF;
    const __m128i numbers = _mm_cvtsi64_si128((long long)_pdep_u64(UINT64_C(0x0706050403020100), spread));
    const __m256i word = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)*words));
    const __m256i taken = _mm256_permutevar8x32_epi32(word, _mm256_cvtepu8_epi32(numbers));
    *state = _mm256_blendv_epi8(next, _mm256_or_si256(_mm256_slli_epi32(next, 16), taken), is_short);
    *words += 2 * (unsigned)__builtin_popcount(lanes);
    return entry;
}

INLINE void decode_block(const uint32_t *table, uint32_t *states, const uint8_t **words, uint8_t *symbol)
{
    enum { VECTORS = MIDDLE_LANES / 8 };
    const __m256i low = _mm256_set1_epi32(PRANS_SYMBOLS - 1);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i state[VECTORS], entry[VECTORS];
    memcpy(state, states, sizeof state);
    for (unsigned step = 0; step < MIDDLE_BLOCK / MIDDLE_LANES; step++) {
        for (unsigned i = 0; i < VECTORS; i++)
            entry[i] = _mm256_and_si256(decode_lanes(table, &state[i], words), low);
        const __m256i bytes = _mm256_packus_epi16(_mm256_packus_epi32(entry[0], entry[1]),
                                                  _mm256_packus_epi32(entry[2], entry[3]));
        _mm256_storeu_si256((__m256i *)(symbol + step * MIDDLE_LANES),
                            _mm256_permutevar8x32_epi32(bytes, order));
    }
    memcpy(states, state, sizeof state);
}

const struct prans_middle_kernels WIDTH(fpgz_prans_middle_avx2) = PRANS_MIDDLE_KERNELS;

/* SPDX-License-Identifier: MIT
 * The middle setting's kernels for AVX2: eight lanes are coded at once. */
#include <immintrin.h>

#include "codec/prans/domain/values.h"

#include "codec/prans/middle/sums_avx2.h"

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

/* The states of eight lanes with a symbol more, whose codes these are; words before *words, and what is free
 * before these. The quotient is that of floats, set right by its remainder. */
INLINE __m256i encode_lanes(__m256i code, __m256i state, uint8_t **words)
{
    const __m256i low = _mm256_set1_epi32(0xFFFF), frequency = _mm256_and_si256(code, low),
                  zero = _mm256_setzero_si256();
    const __m256i stays = _mm256_cmpgt_epi32(frequency, _mm256_srli_epi32(state, 32 - PRANS_SCALE_BITS));
    const unsigned lanes = 0xFF ^ (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(stays)),
                   count = (unsigned)__builtin_popcount(lanes);
    /* The numbers of lanes that give a word, the last one at the top. */
    const uint64_t spread = _pdep_u64(lanes, UINT64_C(0x0101010101010101)) * 0xFF;
    const uint64_t numbers = _pext_u64(UINT64_C(0x0706050403020100), spread) << (-8 * count & 63);
    const __m256i halves = _mm256_packus_epi32(_mm256_and_si256(state, low), zero);
    const __m128i word = _mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08));
    const __m128i number = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)numbers));
    const __m128i bytes =
        _mm_add_epi8(_mm_mullo_epi16(number, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
    _mm_storeu_si128((__m128i *)(*words - sizeof bytes), _mm_shuffle_epi8(word, bytes));
    *words -= 2 * count;
    state = _mm256_blendv_epi8(_mm256_srli_epi32(state, 16), state, stays);
    const __m256 upper =
                     _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(state, 16)), _mm256_set1_ps(65536)),
                 real = _mm256_add_ps(upper, _mm256_cvtepi32_ps(_mm256_and_si256(state, low)));
    __m256i quotient = _mm256_cvttps_epi32(_mm256_div_ps(real, _mm256_cvtepi32_ps(frequency)));
    __m256i rest = _mm256_sub_epi32(state, _mm256_mullo_epi32(quotient, frequency));
    const __m256i above = _mm256_cmpgt_epi32(zero, rest);
    quotient = _mm256_add_epi32(quotient, above);
    rest = _mm256_add_epi32(rest, _mm256_and_si256(above, frequency));
    const __m256i within = _mm256_cmpgt_epi32(frequency, rest);
    quotient = _mm256_add_epi32(quotient, _mm256_add_epi32(within, _mm256_set1_epi32(1)));
    rest = _mm256_sub_epi32(rest, _mm256_andnot_si256(within, frequency));
    return _mm256_add_epi32(_mm256_add_epi32(_mm256_slli_epi32(quotient, PRANS_SCALE_BITS), rest),
                            _mm256_srli_epi32(code, 16));
}

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    enum { VECTORS = MIDDLE_LANES / 8 };
    __m256i state[VECTORS];
    for (unsigned v = 0; v < VECTORS; v++)
        state[v] = _mm256_set1_epi32(PRANS_STATE);
    for (size_t step = blocks * (MIDDLE_BLOCK / MIDDLE_LANES); step-- > 0;) {
        const middle_code *const code = codes[ids[step / (MIDDLE_BLOCK / MIDDLE_LANES)]];
        for (unsigned v = VECTORS; v-- > 0;) {
            const uint8_t *const at = symbol + step * MIDDLE_LANES + 8 * v;
            const __m256i number = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)at));
            state[v] = encode_lanes(_mm256_i32gather_epi32((const int *)code, number, 4), state[v], &end);
        }
    }
    return memcpy(end - sizeof state, state, sizeof state);
}

const struct prans_middle_kernels WIDTH(fpgz_prans_middle_avx2) = PRANS_MIDDLE_KERNELS;

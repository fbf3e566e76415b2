/* SPDX-License-Identifier: MIT
 * What AVX2 does to words of 64 bits: a vector of 128 bits holds 2. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX2_F64_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX2_F64_H

#include "codec/mpc/segment_avx2_bits.h"

enum { LANES = 2 };

/* As for 32 bits. A lane here is two of those. */
static const union shuffle compressed[4] = {
    {{L(0), L(1), L(2), L(3)}}, {{L(2), L(3), O, O}}, {{L(0), L(1), O, O}}, {{O, O, O, O}}};
static const union shuffle expanded[4] = {
    {{L(0), L(1), L(2), L(3)}}, {{O, O, L(0), L(1)}}, {{L(0), L(1), O, O}}, {{O, O, O, O}}};
static const uint8_t compressed_bytes[4] = {16, 8, 8, 0};

INLINE __m128i add(__m128i a, __m128i b)
{
    return _mm_add_epi64(a, b);
}

INLINE __m128i subtract(__m128i a, __m128i b)
{
    return _mm_sub_epi64(a, b);
}

INLINE unsigned zero_lanes(__m128i v)
{
    return (unsigned)_mm_movemask_pd(_mm_castsi128_pd(_mm_cmpeq_epi64(v, _mm_setzero_si128())));
}

/* Running sum along the lanes. */
INLINE __m128i prefix_sum(__m128i v)
{
    return _mm_add_epi64(v, _mm_bslli_si128(v, 8));
}

INLINE __m128i broadcast_last(__m128i v)
{
    return _mm_unpackhi_epi64(v, v);
}

/* BIT. Its own inverse. A 64x64 matrix is four of 32x32, in the halves of its words. */
INLINE void transpose(WORD *words, unsigned groups)
{
    for (; groups; groups--, words += WORD_BITS) {
        __m256i *const at = (__m256i *)words, half[2][8];
        for (unsigned i = 0; i < 8; i++) {
            const __m256 a = _mm256_load_ps((const float *)(at + 2 * i)),
                         b = _mm256_load_ps((const float *)(at + 2 * i + 1));
            half[0][i] = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
                                                  _MM_SHUFFLE(3, 1, 2, 0));
            half[1][i] = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd)),
                                                  _MM_SHUFFLE(3, 1, 2, 0));
        }
        for (unsigned h = 0; h < 2; h++) {
            transpose_two(half[h]);
            /* Rows of its two matrices are the halves of a word each. */
            for (unsigned i = 0; i < 4; i++) {
                const __m256i low = _mm256_unpacklo_epi32(half[h][i], half[h][i + 4]),
                              high = _mm256_unpackhi_epi32(half[h][i], half[h][i + 4]);
                _mm256_store_si256(at + 8 * h + 2 * i, _mm256_permute2x128_si256(low, high, 0x20));
                _mm256_store_si256(at + 8 * h + 2 * i + 1, _mm256_permute2x128_si256(low, high, 0x31));
            }
        }
    }
}

#endif

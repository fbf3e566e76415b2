/* SPDX-License-Identifier: MIT
 * What AVX2 does to words of 32 bits: a vector of 128 bits holds 4. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX2_F32_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX2_F32_H

#include "codec/mpc/segment_avx2_bits.h"

enum { LANES = 4 };

/* For each set of zero lanes: the shuffle that moves the others to the front, the one that moves them
 * back, and their bytes. */
static const union shuffle compressed[16] = {
    {{L(0), L(1), L(2), L(3)}}, {{L(1), L(2), L(3), O}}, {{L(0), L(2), L(3), O}}, {{L(2), L(3), O, O}},
    {{L(0), L(1), L(3), O}},    {{L(1), L(3), O, O}},    {{L(0), L(3), O, O}},    {{L(3), O, O, O}},
    {{L(0), L(1), L(2), O}},    {{L(1), L(2), O, O}},    {{L(0), L(2), O, O}},    {{L(2), O, O, O}},
    {{L(0), L(1), O, O}},       {{L(1), O, O, O}},       {{L(0), O, O, O}},       {{O, O, O, O}}};
static const union shuffle expanded[16] = {
    {{L(0), L(1), L(2), L(3)}}, {{O, L(0), L(1), L(2)}}, {{L(0), O, L(1), L(2)}}, {{O, O, L(0), L(1)}},
    {{L(0), L(1), O, L(2)}},    {{O, L(0), O, L(1)}},    {{L(0), O, O, L(1)}},    {{O, O, O, L(0)}},
    {{L(0), L(1), L(2), O}},    {{O, L(0), L(1), O}},    {{L(0), O, L(1), O}},    {{O, O, L(0), O}},
    {{L(0), L(1), O, O}},       {{O, L(0), O, O}},       {{L(0), O, O, O}},       {{O, O, O, O}}};
static const uint8_t compressed_bytes[16] = {16, 12, 12, 8, 12, 8, 8, 4, 12, 8, 8, 4, 8, 4, 4, 0};

INLINE __m128i add(__m128i a, __m128i b)
{
    return _mm_add_epi32(a, b);
}

INLINE __m128i subtract(__m128i a, __m128i b)
{
    return _mm_sub_epi32(a, b);
}

INLINE unsigned zero_lanes(__m128i v)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(v, _mm_setzero_si128())));
}

/* Running sum along the lanes. */
INLINE __m128i prefix_sum(__m128i v)
{
    v = _mm_add_epi32(v, _mm_bslli_si128(v, 4));
    return _mm_add_epi32(v, _mm_bslli_si128(v, 8));
}

INLINE __m128i broadcast_last(__m128i v)
{
    return _mm_shuffle_epi32(v, 0xff);
}

/* BIT. Its own inverse. */
INLINE void transpose(WORD *words, unsigned groups)
{
    if (groups % 2) /* an odd group is transposed with one more */
        memset(words + groups * WORD_BITS, 0, WORD_BITS * sizeof(WORD));
    for (unsigned group = 0; group < groups; group += 2, words += 2 * WORD_BITS) {
        __m256i v[8];
        for (unsigned i = 0; i < 8; i++)
            v[i] = _mm256_load_si256((const __m256i *)words + i);
        transpose_two(v);
        for (unsigned i = 0; i < 8; i++)
            _mm256_store_si256((__m256i *)words + i, v[i]);
    }
}

#endif

/* SPDX-License-Identifier: MIT
 * Words of 64 bits in AVX-512, 8 to a vector. Include codec/avx512.h. */
#ifndef FPGZ_CODEC_AVX512_F64_H
#define FPGZ_CODEC_AVX512_F64_H

#include <immintrin.h>

#include "core/inline.h"

enum { LANES = 8 };

typedef __mmask8 lane_mask;

INLINE __m512i add(__m512i a, __m512i b)
{
    return _mm512_add_epi64(a, b);
}

INLINE __m512i subtract(__m512i a, __m512i b)
{
    return _mm512_sub_epi64(a, b);
}

/* Moves v up by one lane and the last lane of `before` in. */
INLINE __m512i shift_up(__m512i v, __m512i before)
{
    return _mm512_alignr_epi64(v, before, 7);
}

INLINE __m512i broadcast_last(__m512i v)
{
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), v);
}

INLINE lane_mask nonzero(__m512i v)
{
    return _mm512_test_epi64_mask(v, v);
}

INLINE __m512i compress(lane_mask mask, __m512i v)
{
    return _mm512_maskz_compress_epi64(mask, v);
}

/* Destination = source, for the reason given in avx512_f32.h. */
INLINE __m512i expand(lane_mask mask, __m512i v)
{
    __asm__("vpexpandq %0, %0 %{%1%}%{z%}" : "+v"(v) : "Yk"(mask));
    return v;
}

/* A 4x4 transpose of 128-bit lanes: lane i of to[L] is lane L of from[i]. */
INLINE void transpose_lanes(const __m512i from[4], __m512i to[4])
{
    const __m512i lanes_01_a = _mm512_shuffle_i64x2(from[0], from[1], 0x44),
                  lanes_23_a = _mm512_shuffle_i64x2(from[0], from[1], 0xee),
                  lanes_01_b = _mm512_shuffle_i64x2(from[2], from[3], 0x44),
                  lanes_23_b = _mm512_shuffle_i64x2(from[2], from[3], 0xee);
    to[0] = _mm512_shuffle_i64x2(lanes_01_a, lanes_01_b, 0x88);
    to[1] = _mm512_shuffle_i64x2(lanes_01_a, lanes_01_b, 0xdd);
    to[2] = _mm512_shuffle_i64x2(lanes_23_a, lanes_23_b, 0x88);
    to[3] = _mm512_shuffle_i64x2(lanes_23_a, lanes_23_b, 0xdd);
}

#endif

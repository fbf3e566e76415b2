/* SPDX-License-Identifier: MIT
 * Words of 32 bits in AVX-512, 16 to a vector. Include codec/avx512.h. */
#ifndef FPGZ_CODEC_AVX512_F32_H
#define FPGZ_CODEC_AVX512_F32_H

#include <immintrin.h>

#include "core/inline.h"

enum { LANES = 16 };

typedef __mmask16 lane_mask;

INLINE __m512i add(__m512i a, __m512i b)
{
    return _mm512_add_epi32(a, b);
}

INLINE __m512i subtract(__m512i a, __m512i b)
{
    return _mm512_sub_epi32(a, b);
}

/* Moves v up by one lane and the last lane of `before` in. */
INLINE __m512i shift_up(__m512i v, __m512i before)
{
    return _mm512_alignr_epi32(v, before, 15);
}

INLINE __m512i broadcast_last(__m512i v)
{
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v);
}

INLINE lane_mask nonzero(__m512i v)
{
    return _mm512_test_epi32_mask(v, v);
}

INLINE __m512i compress(lane_mask mask, __m512i v)
{
    return _mm512_maskz_compress_epi32(mask, v);
}

/* On Zen 4 vpexpandd waits for the last writer of its destination even where it zeroes the lanes that it
 * does not fill. With destination = source that wait costs nothing. */
INLINE __m512i expand(lane_mask mask, __m512i v)
{
    __asm__("vpexpandd %0, %0 %{%1%}%{z%}" : "+v"(v) : "Yk"(mask));
    return v;
}

#endif

/* SPDX-License-Identifier: MIT
 * Words of 64 bits in AVX-512, 8 to a vector, for kernels of one word type. The includer defines NAME() and
 * INLINE. */

enum { NAME(lanes) = 8 };

typedef __mmask8 NAME(mask);

INLINE __m512i NAME(add)(__m512i a, __m512i b)
{
    return _mm512_add_epi64(a, b);
}

INLINE __m512i NAME(subtract)(__m512i a, __m512i b)
{
    return _mm512_sub_epi64(a, b);
}

/* Moves v up by one lane and the last lane of `before` in. */
INLINE __m512i NAME(shift_up)(__m512i v, __m512i before)
{
    return _mm512_alignr_epi64(v, before, 7);
}

INLINE __m512i NAME(broadcast_last)(__m512i v)
{
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), v);
}

INLINE NAME(mask) NAME(nonzero)(__m512i v)
{
    return _mm512_test_epi64_mask(v, v);
}

INLINE __m512i NAME(compress)(NAME(mask) mask, __m512i v)
{
    return _mm512_maskz_compress_epi64(mask, v);
}

/* Destination = source, for the reason given at expand_f32(). */
INLINE __m512i NAME(expand)(NAME(mask) mask, __m512i v)
{
    __asm__("vpexpandq %0, %0 %{%1%}%{z%}" : "+v"(v) : "Yk"(mask));
    return v;
}

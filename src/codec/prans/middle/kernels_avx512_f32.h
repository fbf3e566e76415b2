/* SPDX-License-Identifier: MIT
 * Words of 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F32_H
#define FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F32_H

#include <immintrin.h>

#include "codec/prans/middle/kernels.h"
#include "codec/width.h"

/* Sums of the lanes up to each. */
INLINE __m512i lane_sums(__m512i a)
{
    const __m512i zero = _mm512_setzero_si512();
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 15));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 14));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 12));
    return _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 8));
}

INLINE WORD scan(WORD *y, size_t count, WORD sum)
{
    const __m512i last = _mm512_set1_epi32(15);
    __m512i before = _mm512_set1_epi32((int)sum);
    for (size_t i = 0; i < count; i += 16) {
        const __mmask16 lanes = (__mmask16)(count - i < 16 ? (1u << (count - i)) - 1 : 0xFFFF);
        const __m512i all = _mm512_add_epi32(before, lane_sums(_mm512_maskz_loadu_epi32(lanes, y + i)));
        _mm512_mask_storeu_epi32(y + i, lanes, all);
        before = _mm512_permutexvar_epi32(last, all);
    }
    return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(before));
}

/* Bytes 0 to 7 behind each quadword's number of a byte, which stands in all of its bytes. */
#define BYTES_BEHIND _mm512_set1_epi64(0x0706050403020100)

/* The raw bits of sixteen symbols, each `width` of them. */
INLINE __m512i raw_bits_of(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = lane_sums(width),
                  seven = _mm512_set1_epi32(7);
    const __m512i from = _mm512_add_epi32(_mm512_sub_epi32(all, width), _mm512_set1_epi32((int)(*bit % 8)));
    const __m512i byte = _mm512_srli_epi32(from, 3), shift = _mm512_and_si512(from, seven);
    *bit += (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), all)));
    const __m512i eighth =
        _mm512_set_epi64(0x1C1C1C1C1C1C1C1C, 0x1818181818181818, 0x1414141414141414, 0x1010101010101010,
                         0x0C0C0C0C0C0C0C0C, 0x0808080808080808, 0x0404040404040404, 0);
    const __m512i upper = _mm512_add_epi8(eighth, _mm512_set1_epi8(0x20));
    __m512i a =
        _mm512_permutexvar_epi8(_mm512_add_epi8(_mm512_permutexvar_epi8(eighth, byte), BYTES_BEHIND), bytes);
    __m512i b =
        _mm512_permutexvar_epi8(_mm512_add_epi8(_mm512_permutexvar_epi8(upper, byte), BYTES_BEHIND), bytes);
    a = _mm512_srlv_epi64(a, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift)));
    b = _mm512_srlv_epi64(b, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), width),
                               _mm512_permutex2var_epi32(a, even, b));
}

/* The residuals of sixteen symbols; 0 of special values. */
INLINE void store_residuals(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    const __m512i one = _mm512_set1_epi32(1);
    const __mmask16 ordinary = _mm512_cmplt_epu32_mask(symbol, _mm512_set1_epi32(MIDDLE_SPECIAL)),
                    is_long = _mm512_mask_cmpge_epu32_mask(ordinary, symbol, _mm512_set1_epi32(8));
    const __m512i width = _mm512_maskz_sub_epi32(is_long, _mm512_srli_epi32(symbol, 2), one);
    const __m512i lead = _mm512_mask_or_epi32(symbol, is_long, _mm512_and_si512(symbol, _mm512_set1_epi32(3)),
                                              _mm512_set1_epi32(4));
    const __m512i number = _mm512_or_si512(_mm512_sllv_epi32(lead, width), raw_bits_of(raw, bit, width));
    const __m512i sign = _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_and_si512(number, one));
    _mm512_storeu_si512(residual, _mm512_maskz_xor_epi32(ordinary, _mm512_srli_epi32(number, 1), sign));
}

#endif

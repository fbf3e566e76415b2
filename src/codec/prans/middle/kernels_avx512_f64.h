/* SPDX-License-Identifier: MIT
 * Words of 64 bits in vectors of eight, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F64_H
#define FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F64_H

#include <immintrin.h>

#include "codec/prans/middle/kernels.h"
#include "codec/width.h"

/* Sums of the lanes up to each. */
INLINE __m512i lane_sums(__m512i a)
{
    const __m512i zero = _mm512_setzero_si512();
    a = _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 7));
    a = _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 6));
    return _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 4));
}

INLINE WORD scan(WORD *y, size_t count, WORD sum)
{
    const __m512i last = _mm512_set1_epi64(7);
    __m512i before = _mm512_set1_epi64((long long)sum);
    for (size_t i = 0; i < count; i += 8) {
        const __mmask8 lanes = (__mmask8)(count - i < 8 ? (1u << (count - i)) - 1 : 0xFF);
        const __m512i all = _mm512_add_epi64(before, lane_sums(_mm512_maskz_loadu_epi64(lanes, y + i)));
        _mm512_mask_storeu_epi64(y + i, lanes, all);
        before = _mm512_permutexvar_epi64(last, all);
    }
    return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(before));
}

/* Bytes 0 to 7 behind each quadword's number of a byte, which stands in all of its bytes. */
#define BYTES_BEHIND _mm512_set1_epi64(0x0706050403020100)

/* The raw bits of eight symbols, each `width` of them. */
INLINE __m512i raw_bits_of(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = lane_sums(width),
                  seven = _mm512_set1_epi64(7);
    const __m512i from =
        _mm512_add_epi64(_mm512_sub_epi64(all, width), _mm512_set1_epi64((long long)(*bit % 8)));
    const __m512i shift = _mm512_and_si512(from, seven);
    const __m512i lowest = _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0);
    const __m512i behind =
        _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi64(from, 3), lowest), BYTES_BEHIND);
    *bit += (uint64_t)_mm_cvtsi128_si64(
        _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64(7), all)));
    __m512i value = _mm512_srlv_epi64(_mm512_permutexvar_epi8(behind, bytes), shift);
    if (_mm512_cmpgt_epu64_mask(width, _mm512_set1_epi64(57))) {
        const __m512i more = _mm512_permutexvar_epi8(_mm512_add_epi8(behind, _mm512_set1_epi8(8)), bytes);
        value =
            _mm512_or_si512(value, _mm512_sllv_epi64(more, _mm512_sub_epi64(_mm512_set1_epi64(64), shift)));
    }
    return _mm512_andnot_si512(_mm512_sllv_epi64(_mm512_set1_epi64(-1), width), value);
}

/* The residuals of eight symbols, and of sixteen; 0 of special values. */
INLINE void store_eight(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    const __m512i one = _mm512_set1_epi64(1);
    const __mmask8 ordinary = _mm512_cmplt_epu64_mask(symbol, _mm512_set1_epi64(MIDDLE_SPECIAL)),
                   is_long = _mm512_mask_cmpge_epu64_mask(ordinary, symbol, _mm512_set1_epi64(8));
    const __m512i width = _mm512_maskz_sub_epi64(is_long, _mm512_srli_epi64(symbol, 2), one);
    const __m512i lead = _mm512_mask_or_epi64(symbol, is_long, _mm512_and_si512(symbol, _mm512_set1_epi64(3)),
                                              _mm512_set1_epi64(4));
    const __m512i number = _mm512_or_si512(_mm512_sllv_epi64(lead, width), raw_bits_of(raw, bit, width));
    const __m512i sign = _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_and_si512(number, one));
    _mm512_storeu_si512(residual, _mm512_maskz_xor_epi64(ordinary, _mm512_srli_epi64(number, 1), sign));
}

INLINE void store_residuals(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    store_eight(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(symbol)), raw, bit, residual);
    store_eight(_mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(symbol, 1)), raw, bit,
                (uint64_t *)residual + 8);
}

#endif

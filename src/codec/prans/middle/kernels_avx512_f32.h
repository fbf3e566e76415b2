/* SPDX-License-Identifier: MIT
 * Residuals of 32 bits in vectors of sixteen, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F32_H
#define FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F32_H

#include "codec/prans/middle/kernels.h"
#include "codec/prans/middle/raw_avx512_32.h"

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

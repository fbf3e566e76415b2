/* SPDX-License-Identifier: MIT
 * Residuals of 64 bits in vectors of eight, for kernels_avx512_tmpl.c. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F64_H
#define FPGZ_CODEC_PRANS_MIDDLE_KERNELS_AVX512_F64_H

#include "codec/prans/middle/kernels.h"
#include "codec/prans/middle/raw_avx512_64.h"

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

/* SPDX-License-Identifier: MIT
 * Raw bits of sixteen words at once, where each has few. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_H
#define FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_H

#include "codec/prans/middle/sums_avx512.h"

enum { FEW_BITS = 25 }; /* that are in four bytes wherever they begin */

/* The raw bits of sixteen symbols, each `width` of them, at most FEW_BITS. */
INLINE __m512i few_bits_of(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = lane_sums(width, 4);
    const __m512i from = _mm512_add_epi32(_mm512_sub_epi32(all, width), _mm512_set1_epi32((int)(*bit % 8)));
    const __m512i lowest = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0);
    const __m512i behind = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(from, 3), lowest),
                                           _mm512_set1_epi32(0x03020100));
    *bit += (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), all)));
    const __m512i value = _mm512_srlv_epi32(_mm512_permutexvar_epi8(behind, bytes),
                                            _mm512_and_si512(from, _mm512_set1_epi32(7)));
    return _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), width), value);
}

#endif

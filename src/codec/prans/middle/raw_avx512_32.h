/* SPDX-License-Identifier: MIT
 * Raw bits of sixteen words of up to 32 bits at once, in vectors. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_32_H
#define FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_32_H

#include "codec/prans/middle/sums_avx512.h"

/* Bytes 0 to 7 behind each quadword's number of a byte, which stands in all of its bytes. */
#define BYTES_BEHIND _mm512_set1_epi64(0x0706050403020100)

/* The raw bits of sixteen symbols, each `width` of them, together at most 505. */
INLINE __m512i raw_bits_of(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = lane_sums(width, 4),
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

#endif

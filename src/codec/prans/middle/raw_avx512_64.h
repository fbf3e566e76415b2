/* SPDX-License-Identifier: MIT
 * Raw bits of eight words of up to 64 bits at once, in vectors. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_64_H
#define FPGZ_CODEC_PRANS_MIDDLE_RAW_AVX512_64_H

#include "codec/prans/middle/sums_avx512.h"

/* Bytes 0 to 7 behind each quadword's number of a byte, which stands in all of its bytes. */
#define BYTES_BEHIND _mm512_set1_epi64(0x0706050403020100)

/* The raw bits of eight symbols, each `width` of them, together at most 505. */
INLINE __m512i raw_bits_of(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = lane_sums(width, 8),
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

#endif

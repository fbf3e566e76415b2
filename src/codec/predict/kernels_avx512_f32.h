/* SPDX-License-Identifier: MIT
 * What AVX-512 does to the prefixes of a vector of f32. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_AVX512_F32_H
#define FPGZ_CODEC_PREDICT_KERNELS_AVX512_F32_H

#include "codec/predict/kernels_avx512_bits.h"

/* The zero bits of each value that are left out. Setting the lowest bit makes a value keep at least a
 * byte. */
INLINE __m512i zeros_of(__m512i v, unsigned large)
{
    v = large ? v : _mm512_or_si512(v, _mm512_set1_epi32(1));
    return _mm512_and_si512(_mm512_lzcnt_epi32(v), _mm512_set1_epi32(0x38));
}

INLINE __mmask64 kept_bytes(__m512i zeros)
{
    return _mm512_movepi8_mask(_mm512_srlv_epi32(_mm512_set1_epi8(-1), zeros));
}

INLINE void put_prefixes(uint8_t *prefixes, __m512i zeros, unsigned bits)
{
    const __m128i bytes = _mm512_cvtepi32_epi8(zeros);
    put_octet(prefixes, (uint64_t)_mm_cvtsi128_si64(bytes), bits);
    put_octet(prefixes + bits, (uint64_t)_mm_extract_epi64(bytes, 1), bits);
}

INLINE __m512i take_prefixes(const uint8_t *prefixes, unsigned bits)
{
    return _mm512_cvtepu8_epi32(
        _mm_set_epi64x((long long)take_octet(prefixes + bits, bits), (long long)take_octet(prefixes, bits)));
}

INLINE bool too_many(__m512i zeros)
{
    return _mm512_cmpgt_epu32_mask(zeros, _mm512_set1_epi32(32));
}

#endif

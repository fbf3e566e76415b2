/* SPDX-License-Identifier: MIT
 * What AVX-512 does to the prefixes of a vector of f64. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_AVX512_F64_H
#define FPGZ_CODEC_PREDICT_KERNELS_AVX512_F64_H

#include "codec/predict/kernels_avx512_bits.h"

/* The zero bits of each value that are left out. Setting the lowest bit makes a value keep at least a
 * byte. */
INLINE __m512i zeros_of(__m512i v, unsigned large)
{
    v = large ? v : _mm512_or_si512(v, _mm512_set1_epi64(1));
    return _mm512_and_si512(_mm512_lzcnt_epi64(v), _mm512_set1_epi64(0x78));
}

INLINE __mmask64 kept_bytes(__m512i zeros)
{
    return _mm512_movepi8_mask(_mm512_srlv_epi64(_mm512_set1_epi8(-1), zeros));
}

INLINE void put_prefixes(uint8_t *prefixes, __m512i zeros, unsigned bits)
{
    put_octet(prefixes, (uint64_t)_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(zeros)), bits);
}

INLINE __m512i take_prefixes(const uint8_t *prefixes, unsigned bits)
{
    return _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)take_octet(prefixes, bits)));
}

INLINE bool too_many(__m512i zeros)
{
    return _mm512_cmpgt_epu64_mask(zeros, _mm512_set1_epi64(64));
}

#endif

/* SPDX-License-Identifier: MIT
 * A vector of values at a time: their leading zero bytes become a mask of the bytes to keep, which
 * vpcompressb packs and vpexpandb spreads again. */
#include <immintrin.h>

#include "codec/predict/kernels.h"

/* The same byte in all eight of a quadword. */
#define BYTES(n) (UINT64_C(0x0101010101010101) * (n))

/* On Zen 4 vpexpandb waits for the last writer of its destination even where it zeroes the lanes that it does
 * not fill: only with destination = source does that cost nothing. */
INLINE __m512i expand(__mmask64 mask, __m512i v)
{
    __asm__("vpexpandb %0, %0 %{%1%}%{z%}" : "+v"(v) : "Yk"(mask));
    return v;
}

/* Where prefixes stand in a quadword of zero bits' counts, which are multiples of 8 in bytes. */
INLINE uint64_t prefix_mask(unsigned bits)
{
    return BYTES(((1u << bits) - 1) << 3);
}

INLINE void put_octet(uint8_t *prefixes, uint64_t zeros, unsigned bits)
{
    store_octet(prefixes, (uint32_t)_pext_u64(zeros, prefix_mask(bits)), bits);
}

INLINE uint64_t take_octet(const uint8_t *prefixes, unsigned bits)
{
    return _pdep_u64(load_octet(prefixes, bits), prefix_mask(bits));
}

/* The zero bits that are left out, of each value. With its lowest bit set a value keeps a byte at least. */
INLINE __m512i zeros_f32(__m512i v, unsigned large)
{
    v = large ? v : _mm512_or_si512(v, _mm512_set1_epi32(1));
    return _mm512_and_si512(_mm512_lzcnt_epi32(v), _mm512_set1_epi32(0x38));
}

INLINE __m512i zeros_f64(__m512i v, unsigned large)
{
    v = large ? v : _mm512_or_si512(v, _mm512_set1_epi64(1));
    return _mm512_and_si512(_mm512_lzcnt_epi64(v), _mm512_set1_epi64(0x78));
}

INLINE __mmask64 kept_f32(__m512i zeros)
{
    return _mm512_movepi8_mask(_mm512_srlv_epi32(_mm512_set1_epi8(-1), zeros));
}

INLINE __mmask64 kept_f64(__m512i zeros)
{
    return _mm512_movepi8_mask(_mm512_srlv_epi64(_mm512_set1_epi8(-1), zeros));
}

INLINE void put_prefixes_f32(uint8_t *prefixes, __m512i zeros, unsigned bits)
{
    const __m128i bytes = _mm512_cvtepi32_epi8(zeros);
    put_octet(prefixes, (uint64_t)_mm_cvtsi128_si64(bytes), bits);
    put_octet(prefixes + bits, (uint64_t)_mm_extract_epi64(bytes, 1), bits);
}

INLINE void put_prefixes_f64(uint8_t *prefixes, __m512i zeros, unsigned bits)
{
    put_octet(prefixes, (uint64_t)_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(zeros)), bits);
}

INLINE __m512i take_prefixes_f32(const uint8_t *prefixes, unsigned bits)
{
    return _mm512_cvtepu8_epi32(
        _mm_set_epi64x((long long)take_octet(prefixes + bits, bits), (long long)take_octet(prefixes, bits)));
}

INLINE __m512i take_prefixes_f64(const uint8_t *prefixes, unsigned bits)
{
    return _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)take_octet(prefixes, bits)));
}

INLINE bool too_many_f32(__m512i zeros)
{
    return _mm512_cmpgt_epu32_mask(zeros, _mm512_set1_epi32(32));
}

INLINE bool too_many_f64(__m512i zeros)
{
    return _mm512_cmpgt_epu64_mask(zeros, _mm512_set1_epi64(64));
}

#define WORD uint32_t
#define NAME(name) name##_f32
#define PREFIX_BITS 2
#include "codec/predict/kernels_avx512_tmpl.h"
#undef WORD
#undef NAME
#undef PREFIX_BITS

#define WORD uint64_t
#define NAME(name) name##_f64
#define PREFIX_BITS 3
#include "codec/predict/kernels_avx512_tmpl.h"
#undef WORD
#undef NAME
#undef PREFIX_BITS

const struct predict_kernels fpgz_predict_avx512 = {
    .pack = {{wide_pack_small_f32, wide_pack_large_f32}, {wide_pack_small_f64, wide_pack_large_f64}},
    .unpack = {{wide_unpack_small_f32, wide_unpack_large_f32},
               {wide_unpack_small_f64, wide_unpack_large_f64}},
    .predict = {{predict_linear_f32, predict_mean_f32, predict_median_f32},
                {predict_linear_f64, predict_mean_f64, predict_median_f64}},
};

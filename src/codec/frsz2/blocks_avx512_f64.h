/* SPDX-License-Identifier: MIT
 * f64 in AVX-512: what blocks_simd.h asks for. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_AVX512_F64_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_AVX512_F64_H

#include "codec/frsz2/blocks_avx512_bits.h"

typedef vec_f64 vec;
typedef double real __attribute__((vector_size(64)));

INLINE struct unpacker make_unpacker(unsigned bits)
{
    const vec lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const vec bit = lane * bits, index = (bit >> 3) * 0x0101010101010101 + 0x0706050403020100;
    return (struct unpacker){
        bits, {(__m512i)index, (__m512i)(index + 0x0808080808080808)}, (__m512i)(bit & 7)};
}

INLINE unsigned top(const vec *magnitude)
{
    /* By halves. The lower halves may be anything, and do not count in the end. */
    const __m512i a = _mm512_max_epi32((__m512i)magnitude[0], (__m512i)magnitude[1]),
                  b = _mm512_max_epi32((__m512i)magnitude[2], (__m512i)magnitude[3]);
    return (unsigned)_mm512_reduce_max_epi32(_mm512_srli_epi64(_mm512_max_epi32(a, b), 32));
}

INLINE vec shift_right(vec v, vec count)
{
    return (vec)_mm512_srlv_epi64((__m512i)v, (__m512i)count);
}

INLINE real truncated(vec v)
{
    return (real)_mm512_cvt_roundepi64_pd((__m512i)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE void put(const vec *v, unsigned bits, uint8_t *codes)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits == 8)
            _mm_storel_epi64((__m128i *)(codes + 8 * i), _mm512_cvtepi64_epi8((__m512i)v[i]));
        else if (bits == 16)
            _mm_storeu_si128((__m128i *)codes + i, _mm512_cvtepi64_epi16((__m512i)v[i]));
        else if (bits == 32)
            _mm256_storeu_si256((__m256i *)codes + i, _mm512_cvtepi64_epi32((__m512i)v[i]));
        else
            _mm512_storeu_si512((__m512i *)codes + i, (__m512i)v[i]);
}

INLINE void get(const uint8_t *codes, unsigned bits, vec *v)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits == 8)
            v[i] = (vec)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 16)
            v[i] = (vec)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)codes + i));
        else if (bits == 32)
            v[i] = (vec)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)codes + i));
        else
            v[i] = (vec)_mm512_loadu_si512((const __m512i *)codes + i);
}

INLINE void put_packed(const vec *v, const struct packer *p, uint8_t *codes)
{
    if (p->unit == p->bits) {
        pack(v, 4, p, codes);
        return;
    }
    const __m512i lower = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const vec_f32 narrow[2] = {(vec_f32)_mm512_permutex2var_epi32((__m512i)v[0], lower, (__m512i)v[1]),
                               (vec_f32)_mm512_permutex2var_epi32((__m512i)v[2], lower, (__m512i)v[3])};
    put_packed_f32(narrow, p, codes);
}

INLINE void get_packed(const uint8_t *codes, const struct unpacker *u, vec *v)
{
    for (unsigned i = 0; i < 4; i++) {
        const __m512i bytes = _mm512_loadu_si512(codes + i * u->bits);
        v[i] = (vec)_mm512_shrdv_epi64(_mm512_permutexvar_epi8(u->index[0], bytes),
                                       _mm512_permutexvar_epi8(u->index[1], bytes), u->shift);
    }
}

#endif

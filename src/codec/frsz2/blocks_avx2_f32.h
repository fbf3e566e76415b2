/* SPDX-License-Identifier: MIT
 * f32 in AVX2: what blocks_simd.h asks for. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_F32_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_F32_H

#include "codec/frsz2/blocks_avx2_bits.h"

typedef vec_f32 vec;
typedef float real __attribute__((vector_size(32)));

INLINE unsigned top(const vec *magnitude)
{
    return top_lane(_mm256_max_epi32((__m256i)magnitude[0], (__m256i)magnitude[1]),
                    _mm256_max_epi32((__m256i)magnitude[2], (__m256i)magnitude[3]));
}

INLINE vec shift_right(vec v, vec count)
{
    return (vec)_mm256_srlv_epi32((__m256i)v, (__m256i)count);
}

/* The hardware rounds to nearest. An integer's first bit, shifted down by a significand's length, falls on
 * the highest bit to be cut off. With that bit cleared the rest is less than a half, so the hardware rounds
 * down. */
INLINE real truncated(vec v)
{
    return (real)_mm256_cvtepi32_ps((__m256i)(v & ~(v >> 24)));
}

INLINE void get(const uint8_t *codes, unsigned bits, vec *v)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits == 8)
            v[i] = (vec)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 16)
            v[i] = (vec)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)codes + i));
        else
            v[i] = (vec)_mm256_loadu_si256((const __m256i *)codes + i);
}

INLINE void get_packed(const uint8_t *codes, const struct unpacker *u, vec *v)
{
    if (u->in_vectors) {
        for (unsigned i = 0; i < 4; i++)
            v[i] = (vec)_mm256_srlv_epi32(get_bytes(codes, u, i, 4), u->shift[i % 2]);
        return;
    }
    uint64_t words[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, words);
    vec_f64 wide[8];
    for (unsigned i = 0; i < 8; i++)
        wide[i] = (vec_f64)load(words + 4 * i);
    narrow_f64(wide, v);
}

INLINE void put(const vec *v, unsigned bits, uint8_t *codes)
{
    put_f32(v, bits, codes);
}

INLINE void put_packed(const vec *v, const struct packer *p, uint8_t *codes)
{
    put_packed_f32(v, p, codes);
}

#endif

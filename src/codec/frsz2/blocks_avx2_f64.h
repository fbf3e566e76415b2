/* SPDX-License-Identifier: MIT
 * f64 in AVX2: what blocks_simd.h asks for. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_F64_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_F64_H

#include "codec/frsz2/blocks_avx2_bits.h"

typedef vec_f64 vec;
typedef double real __attribute__((vector_size(32)));

INLINE unsigned top(const vec *magnitude)
{
    /* By halves. The lower halves may be anything, and do not count in the end. */
    __m256i a = (__m256i)magnitude[0], b = (__m256i)magnitude[1];
    for (unsigned i = 2; i < 8; i += 2) {
        a = _mm256_max_epi32(a, (__m256i)magnitude[i]);
        b = _mm256_max_epi32(b, (__m256i)magnitude[i + 1]);
    }
    return top_lane(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
}

INLINE vec shift_right(vec v, vec count)
{
    return (vec)_mm256_srlv_epi64((__m256i)v, (__m256i)count);
}

/* AVX2 does not convert 64-bit integers: their halves become the mantissas of 2^84 and 2^52. */
INLINE real truncated(vec v)
{
    const vec cut = v & ~(v >> 53);
    const vec upper = cut >> 32 | 0x4530000000000000;
    const vec lower = (cut & 0xffffffff) | 0x4330000000000000;
    return ((real)upper - (0x1p84 + 0x1p52)) + (real)lower;
}

INLINE void put(const vec *v, unsigned bits, uint8_t *codes)
{
    if (bits == 64) {
        for (unsigned i = 0; i < 8; i++)
            store(codes + 32 * i, (vector)v[i]);
        return;
    }
    vec_f32 narrow[4];
    narrow_f64(v, narrow);
    put_f32(narrow, bits, codes);
}

INLINE void get(const uint8_t *codes, unsigned bits, vec *v)
{
    for (unsigned i = 0; i < 8; i++)
        if (bits == 8)
            v[i] = (vec)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)fpgz_load32(codes + 4 * i)));
        else if (bits == 16)
            v[i] = (vec)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 32)
            v[i] = (vec)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)codes + i));
        else
            v[i] = (vec)_mm256_loadu_si256((const __m256i *)codes + i);
}

INLINE void put_packed(const vec *v, const struct packer *p, uint8_t *codes)
{
    if (p->bits <= 32) {
        vec_f32 narrow[4];
        narrow_f64(v, narrow);
        put_packed_f32(narrow, p, codes);
        return;
    }
    uint64_t words[FRSZ2_BLOCK];
    for (unsigned i = 0; i < 8; i++)
        store(words + 4 * i, (vector)v[i]);
    frsz2_pack(words, FRSZ2_BLOCK, p->bits, codes);
}

INLINE void get_packed(const uint8_t *codes, const struct unpacker *u, vec *v)
{
    if (u->in_vectors) {
        for (unsigned i = 0; i < 8; i++)
            v[i] = (vec)_mm256_srlv_epi64(get_bytes(codes, u, i, 2), u->shift[i % 2]);
        return;
    }
    uint64_t words[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, words);
    for (unsigned i = 0; i < 8; i++)
        v[i] = (vec)load(words + 4 * i);
}

#endif

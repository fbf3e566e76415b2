/* SPDX-License-Identifier: MIT
 * Blocks in AVX2: 4 (f32) or 8 (f64) vectors each. Codes of 8, 16, 32 and 64 bits move in vectors, others
 * one by one. */
#include <immintrin.h>

#include "codec/frsz2/frsz2.h"

#define INLINE static inline __attribute__((always_inline))

typedef __m256i vector;
typedef uint32_t vec_f32 __attribute__((vector_size(32)));
typedef float real_f32 __attribute__((vector_size(32)));
typedef uint64_t vec_f64 __attribute__((vector_size(32)));
typedef double real_f64 __attribute__((vector_size(32)));

INLINE vector load(const void *at)
{
    return _mm256_loadu_si256(at);
}

INLINE void store(void *at, vector v)
{
    _mm256_storeu_si256(at, v);
}

INLINE unsigned top_lane(__m256i a, __m256i b)
{
    const __m256i c = _mm256_max_epi32(a, b);
    __m128i d = _mm_max_epi32(_mm256_castsi256_si128(c), _mm256_extracti128_si256(c, 1));
    d = _mm_max_epi32(d, _mm_shuffle_epi32(d, 0x4e));
    d = _mm_max_epi32(d, _mm_shuffle_epi32(d, 0xb1));
    return (unsigned)_mm_cvtsi128_si32(d);
}

INLINE unsigned top_f32(const vec_f32 *magnitude)
{
    return top_lane(_mm256_max_epi32((__m256i)magnitude[0], (__m256i)magnitude[1]),
                    _mm256_max_epi32((__m256i)magnitude[2], (__m256i)magnitude[3]));
}

INLINE unsigned top_f64(const vec_f64 *magnitude)
{
    /* By halves: the lower ones may be anything, and do not count in the end. */
    __m256i a = (__m256i)magnitude[0], b = (__m256i)magnitude[1];
    for (unsigned i = 2; i < 8; i += 2) {
        a = _mm256_max_epi32(a, (__m256i)magnitude[i]);
        b = _mm256_max_epi32(b, (__m256i)magnitude[i + 1]);
    }
    return top_lane(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
}

INLINE vec_f32 shift_right_f32(vec_f32 v, vec_f32 count)
{
    return (vec_f32)_mm256_srlv_epi32((__m256i)v, (__m256i)count);
}

INLINE vec_f64 shift_right_f64(vec_f64 v, vec_f64 count)
{
    return (vec_f64)_mm256_srlv_epi64((__m256i)v, (__m256i)count);
}

/* The hardware rounds to nearest. Shifted down by a significand's length, an integer's first bit falls on the
 * one that decides: without it, what is cut off is less than half. */
INLINE real_f32 truncate_f32(vec_f32 v)
{
    return (real_f32)_mm256_cvtepi32_ps((__m256i)(v & ~(v >> 24)));
}

/* AVX2 converts no 64-bit integers: their halves become the mantissas of 2^84 and 2^52. */
INLINE real_f64 truncate_f64(vec_f64 v)
{
    const vec_f64 cut = v & ~(v >> 53);
    const vec_f64 upper = cut >> 32 | 0x4530000000000000;
    const vec_f64 lower = (cut & 0xffffffff) | 0x4330000000000000;
    return ((real_f64)upper - (0x1p84 + 0x1p52)) + (real_f64)lower;
}

INLINE void put_f32(const vec_f32 *v, unsigned bits, uint8_t *codes)
{
    __m256i *const out = (__m256i *)codes;
    if (bits == 32) {
        for (unsigned i = 0; i < 4; i++)
            store(codes + 32 * i, (vector)v[i]);
        return;
    }
    const __m256i a = _mm256_packus_epi32((__m256i)v[0], (__m256i)v[1]),
                  b = _mm256_packus_epi32((__m256i)v[2], (__m256i)v[3]);
    if (bits == 16) {
        _mm256_storeu_si256(out, _mm256_permute4x64_epi64(a, 0xd8));
        _mm256_storeu_si256(out + 1, _mm256_permute4x64_epi64(b, 0xd8));
        return;
    }
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(out, _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b), order));
}

INLINE void put_f64(const vec_f64 *v, unsigned bits, uint8_t *codes)
{
    if (bits == 64) {
        for (unsigned i = 0; i < 8; i++)
            store(codes + 32 * i, (vector)v[i]);
        return;
    }
    vec_f32 narrow[4];
    for (unsigned i = 0; i < 4; i++) {
        const __m256 lower = _mm256_shuffle_ps((__m256)v[2 * i], (__m256)v[2 * i + 1], 0x88);
        narrow[i] = (vec_f32)_mm256_permute4x64_epi64((__m256i)lower, 0xd8);
    }
    put_f32(narrow, bits, codes);
}

INLINE void get_f32(const uint8_t *codes, unsigned bits, vec_f32 *v)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits == 8)
            v[i] = (vec_f32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 16)
            v[i] = (vec_f32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)codes + i));
        else
            v[i] = (vec_f32)_mm256_loadu_si256((const __m256i *)codes + i);
}

INLINE void get_f64(const uint8_t *codes, unsigned bits, vec_f64 *v)
{
    for (unsigned i = 0; i < 8; i++)
        if (bits == 8)
            v[i] = (vec_f64)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)fpgz_load32(codes + 4 * i)));
        else if (bits == 16)
            v[i] = (vec_f64)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 32)
            v[i] = (vec_f64)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)codes + i));
        else
            v[i] = (vec_f64)_mm256_loadu_si256((const __m256i *)codes + i);
}

/* All that frsz2_pack() and frsz2_unpack() need. */
struct packer {
    unsigned bits;
};

INLINE struct packer make_packer(unsigned bits)
{
    return (struct packer){bits};
}

INLINE void put_packed_f32(const vec_f32 *v, const struct packer *p, uint8_t *codes)
{
    uint64_t words[FRSZ2_BLOCK];
    for (unsigned i = 0; i < 4; i++) {
        store(words + 8 * i, _mm256_cvtepu32_epi64(_mm256_castsi256_si128((vector)v[i])));
        store(words + 8 * i + 4, _mm256_cvtepu32_epi64(_mm256_extracti128_si256((vector)v[i], 1)));
    }
    frsz2_pack(words, p->bits, codes);
}

INLINE void put_packed_f64(const vec_f64 *v, const struct packer *p, uint8_t *codes)
{
    uint64_t words[FRSZ2_BLOCK];
    for (unsigned i = 0; i < 8; i++)
        store(words + 4 * i, (vector)v[i]);
    frsz2_pack(words, p->bits, codes);
}

struct unpacker {
    unsigned bits;
};

INLINE struct unpacker make_unpacker_f32(unsigned bits)
{
    return (struct unpacker){bits};
}

INLINE struct unpacker make_unpacker_f64(unsigned bits)
{
    return (struct unpacker){bits};
}

INLINE void get_packed_f32(const uint8_t *codes, const struct unpacker *u, vec_f32 *v)
{
    uint32_t words[FRSZ2_BLOCK];
    uint64_t wide[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, wide);
    for (unsigned j = 0; j < FRSZ2_BLOCK; j++)
        words[j] = (uint32_t)wide[j];
    memcpy(v, words, sizeof words);
}

INLINE void get_packed_f64(const uint8_t *codes, const struct unpacker *u, vec_f64 *v)
{
    uint64_t words[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, words);
    memcpy(v, words, sizeof words);
}

#define WORD uint32_t
#define WORD_BITS 32
#define MANTISSA_BITS 23
#define NAME(name) name##_f32
#define LEADING_ZEROS __builtin_clz
#define REAL float
#include "codec/frsz2/blocks_simd_tmpl.h"

#define WORD uint64_t
#define WORD_BITS 64
#define MANTISSA_BITS 52
#define NAME(name) name##_f64
#define LEADING_ZEROS __builtin_clzll
#define REAL double
#include "codec/frsz2/blocks_simd_tmpl.h"

const struct frsz2_kernels fpgz_frsz2_avx2 = {
    .encode = {encode_f32, encode_f64},
    .decode = {decode_f32, decode_f64},
};

/* SPDX-License-Identifier: MIT
 * Blocks in AVX2: 4 (f32) or 8 (f64) vectors each. Codes of 8, 16, 32 and 64 bits are stored in vectors,
 * others one by one or by pairs. */
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

/* The lower halves of 32 words. */
INLINE void narrow_f64(const vec_f64 *v, vec_f32 *narrow)
{
    for (unsigned i = 0; i < 4; i++) {
        const __m256 lower = _mm256_shuffle_ps((__m256)v[2 * i], (__m256)v[2 * i + 1], 0x88);
        narrow[i] = (vec_f32)_mm256_permute4x64_epi64((__m256i)lower, 0xd8);
    }
}

INLINE void put_f64(const vec_f64 *v, unsigned bits, uint8_t *codes)
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

struct packer {
    unsigned bits;
};

INLINE struct packer make_packer(unsigned bits)
{
    return (struct packer){bits};
}

INLINE void put_packed_f32(const vec_f32 *v, const struct packer *p, uint8_t *codes)
{
    uint64_t pairs[FRSZ2_BLOCK / 2];
    for (unsigned i = 0; i < 4; i++) {
        const vec_f64 pair = (vec_f64)v[i];
        store(pairs + 4 * i, (vector)((pair & 0xffffffff) | pair >> 32 << p->bits));
    }
    frsz2_pack(pairs, FRSZ2_BLOCK / 2, 2 * p->bits, codes);
}

INLINE void put_packed_f64(const vec_f64 *v, const struct packer *p, uint8_t *codes)
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

/* Each half of a vector loads the 16 bytes from the one that its first code begins in. Each lane takes as
 * many bytes as it has from where its code begins in them (vpshufb), and shifts them down by the bits before
 * the code: up to 25 bits always fit in 4 bytes so, and up to 57 in 8. */
struct unpacker {
    unsigned bits;
    bool in_vectors;
    __m256i index[2], shift[2]; /* for even and for odd vectors: two are a whole number of bytes */
};

/* `size` is that of a lane in bytes. */
INLINE struct unpacker make_unpacker(unsigned bits, unsigned size)
{
    struct unpacker u = {.bits = bits, .in_vectors = bits <= 8 * size - 7};
    const unsigned half = 16 / size; /* lanes */
    for (unsigned odd = 0; odd < 2; odd++) {
        uint8_t index[32], shift[32] = {0};
        for (unsigned lane = 0; lane < 2 * half; lane++) {
            const unsigned code = 2 * half * odd + lane, first = code / half * half;
            const unsigned byte = code * bits / 8 - first * bits / 8;
            for (unsigned i = 0; i < size; i++)
                index[lane * size + i] = (uint8_t)(byte + i);
            shift[lane * size] = (uint8_t)(code * bits % 8);
        }
        u.index[odd] = load(index);
        u.shift[odd] = load(shift);
    }
    return u;
}

INLINE struct unpacker make_unpacker_f32(unsigned bits)
{
    return make_unpacker(bits, sizeof(uint32_t));
}

INLINE struct unpacker make_unpacker_f64(unsigned bits)
{
    return make_unpacker(bits, sizeof(uint64_t));
}

/* Vector i, of 2 x `half` codes; its lanes are still to be shifted down. */
INLINE vector get_bytes(const uint8_t *codes, const struct unpacker *u, unsigned i, unsigned half)
{
    const uint8_t *lower = codes + 2 * i * half * u->bits / 8,
                  *upper = codes + (2 * i + 1) * half * u->bits / 8;
    const vector bytes = _mm256_loadu2_m128i((const __m128i *)upper, (const __m128i *)lower);
    return _mm256_shuffle_epi8(bytes, u->index[i % 2]);
}

INLINE void get_packed_f32(const uint8_t *codes, const struct unpacker *u, vec_f32 *v)
{
    if (u->in_vectors) {
        for (unsigned i = 0; i < 4; i++)
            v[i] = (vec_f32)_mm256_srlv_epi32(get_bytes(codes, u, i, 4), u->shift[i % 2]);
        return;
    }
    uint64_t words[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, words);
    vec_f64 wide[8];
    for (unsigned i = 0; i < 8; i++)
        wide[i] = (vec_f64)load(words + 4 * i);
    narrow_f64(wide, v);
}

INLINE void get_packed_f64(const uint8_t *codes, const struct unpacker *u, vec_f64 *v)
{
    if (u->in_vectors) {
        for (unsigned i = 0; i < 8; i++)
            v[i] = (vec_f64)_mm256_srlv_epi64(get_bytes(codes, u, i, 2), u->shift[i % 2]);
        return;
    }
    uint64_t words[FRSZ2_BLOCK];
    frsz2_unpack(codes, u->bits, words);
    for (unsigned i = 0; i < 8; i++)
        v[i] = (vec_f64)load(words + 4 * i);
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

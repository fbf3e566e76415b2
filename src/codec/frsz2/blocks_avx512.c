/* SPDX-License-Identifier: MIT
 * Blocks in AVX-512: 2 (f32) or 4 (f64) vectors each. Codes of any width are moved by whole bytes
 * (vpermb) and then by the bits that remain. */
#include <immintrin.h>
#include <stdalign.h>

#include "codec/frsz2/frsz2.h"

#define INLINE static inline __attribute__((always_inline))

typedef __m512i vector;
typedef uint32_t vec_f32 __attribute__((vector_size(64)));
typedef float real_f32 __attribute__((vector_size(64)));
typedef uint64_t vec_f64 __attribute__((vector_size(64)));
typedef double real_f64 __attribute__((vector_size(64)));

INLINE vector load(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE void store(void *at, vector v)
{
    _mm512_storeu_si512(at, v);
}

/* Eight units of 7 to 57 bits are as many bytes: each is moved up to its bit in a byte, then to its bytes.
 * Those of every other unit do not overlap. A unit is a code, or two that fit. */
struct packer {
    unsigned bits; /* of a code */
    unsigned unit; /* bits of a unit */
    __m512i shift;
    __m512i index[2]; /* bytes of the units 0, 2, 4, 6 and of 1, 3, 5, 7 */
    __mmask64 stored[2];
};

enum { UNIT_MIN = 7, UNIT_MAX = 57 };

INLINE struct packer make_packer(unsigned bits)
{
    alignas(64) uint64_t shift[8] = {0};
    alignas(64) uint8_t index[2][64] = {{0}, {0}};
    struct packer p = {.bits = bits, .unit = 2 * bits <= UNIT_MAX ? 2 * bits : bits};
    for (unsigned j = 0; j < 8 && p.unit <= UNIT_MAX; j++) {
        shift[j] = j * p.unit % 8;
        for (unsigned first = j * p.unit / 8, at = first; at * 8 < (j + 1) * p.unit; at++) {
            index[j % 2][at] = (uint8_t)(8 * j + at - first);
            p.stored[j % 2] |= (__mmask64)1 << at;
        }
    }
    p.shift = _mm512_load_si512(shift);
    p.index[0] = _mm512_load_si512(index[0]);
    p.index[1] = _mm512_load_si512(index[1]);
    return p;
}

/* `count` vectors of units; stores up to 64 bytes behind them. */
INLINE void pack(const vec_f64 *units, unsigned count, const struct packer *p, uint8_t *packed)
{
    if (p->unit < UNIT_MIN || p->unit > UNIT_MAX) {
        uint64_t words[FRSZ2_BLOCK];
        for (unsigned i = 0; i < count; i++)
            store(words + 8 * i, (vector)units[i]);
        frsz2_pack(words, 8 * count, p->unit, packed);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        const __m512i shifted = _mm512_sllv_epi64((__m512i)units[i], p->shift);
        const __m512i even = _mm512_maskz_permutexvar_epi8(p->stored[0], p->index[0], shifted),
                      odd = _mm512_maskz_permutexvar_epi8(p->stored[1], p->index[1], shifted);
        _mm512_storeu_si512(packed + i * p->unit, _mm512_or_si512(even, odd));
    }
}

/* A vector of codes: each lane takes the bytes from the one that its code begins in, and as many behind
 * them, and shifts both down by the bits before the code. */
struct unpacker {
    unsigned bits;
    __m512i index[2], shift;
};

INLINE struct unpacker make_unpacker_f32(unsigned bits)
{
    const vec_f32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const vec_f32 bit = lane * bits, index = (bit >> 3) * 0x01010101 + 0x03020100;
    return (struct unpacker){bits, {(__m512i)index, (__m512i)(index + 0x04040404)}, (__m512i)(bit & 7)};
}

INLINE struct unpacker make_unpacker_f64(unsigned bits)
{
    const vec_f64 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const vec_f64 bit = lane * bits, index = (bit >> 3) * 0x0101010101010101 + 0x0706050403020100;
    return (struct unpacker){
        bits, {(__m512i)index, (__m512i)(index + 0x0808080808080808)}, (__m512i)(bit & 7)};
}

INLINE unsigned top_f32(const vec_f32 *magnitude)
{
    return (unsigned)_mm512_reduce_max_epi32(_mm512_max_epi32((__m512i)magnitude[0], (__m512i)magnitude[1]));
}

INLINE unsigned top_f64(const vec_f64 *magnitude)
{
    /* By halves: the lower ones may be anything, and do not count in the end. */
    const __m512i a = _mm512_max_epi32((__m512i)magnitude[0], (__m512i)magnitude[1]),
                  b = _mm512_max_epi32((__m512i)magnitude[2], (__m512i)magnitude[3]);
    return (unsigned)_mm512_reduce_max_epi32(_mm512_srli_epi64(_mm512_max_epi32(a, b), 32));
}

INLINE vec_f32 shift_right_f32(vec_f32 v, vec_f32 count)
{
    return (vec_f32)_mm512_srlv_epi32((__m512i)v, (__m512i)count);
}

INLINE vec_f64 shift_right_f64(vec_f64 v, vec_f64 count)
{
    return (vec_f64)_mm512_srlv_epi64((__m512i)v, (__m512i)count);
}

INLINE real_f32 truncate_f32(vec_f32 v)
{
    return (real_f32)_mm512_cvt_roundepi32_ps((__m512i)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE real_f64 truncate_f64(vec_f64 v)
{
    return (real_f64)_mm512_cvt_roundepi64_pd((__m512i)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE void put_f32(const vec_f32 *v, unsigned bits, uint8_t *codes)
{
    for (unsigned i = 0; i < 2; i++)
        if (bits == 8)
            _mm_storeu_si128((__m128i *)codes + i, _mm512_cvtepi32_epi8((__m512i)v[i]));
        else if (bits == 16)
            _mm256_storeu_si256((__m256i *)codes + i, _mm512_cvtepi32_epi16((__m512i)v[i]));
        else
            _mm512_storeu_si512((__m512i *)codes + i, (__m512i)v[i]);
}

INLINE void put_f64(const vec_f64 *v, unsigned bits, uint8_t *codes)
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

INLINE void get_f32(const uint8_t *codes, unsigned bits, vec_f32 *v)
{
    for (unsigned i = 0; i < 2; i++)
        if (bits == 8)
            v[i] = (vec_f32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)codes + i));
        else if (bits == 16)
            v[i] = (vec_f32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)codes + i));
        else
            v[i] = (vec_f32)_mm512_loadu_si512((const __m512i *)codes + i);
}

INLINE void get_f64(const uint8_t *codes, unsigned bits, vec_f64 *v)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits == 8)
            v[i] = (vec_f64)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(codes + 8 * i)));
        else if (bits == 16)
            v[i] = (vec_f64)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)codes + i));
        else if (bits == 32)
            v[i] = (vec_f64)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)codes + i));
        else
            v[i] = (vec_f64)_mm512_loadu_si512((const __m512i *)codes + i);
}

INLINE void put_packed_f32(const vec_f32 *v, const struct packer *p, uint8_t *codes)
{
    vec_f64 units[4];
    if (p->unit > p->bits) {
        for (unsigned i = 0; i < 2; i++)
            units[i] = ((vec_f64)v[i] & 0xffffffff) | (vec_f64)v[i] >> 32 << p->bits;
        pack(units, 2, p, codes);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const __m512i pair = (__m512i)v[i / 2];
        units[i] = (vec_f64)_mm512_cvtepu32_epi64(i % 2 ? _mm512_extracti64x4_epi64(pair, 1)
                                                        : _mm512_castsi512_si256(pair));
    }
    pack(units, 4, p, codes);
}

INLINE void put_packed_f64(const vec_f64 *v, const struct packer *p, uint8_t *codes)
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

INLINE void get_packed_f32(const uint8_t *codes, const struct unpacker *u, vec_f32 *v)
{
    for (unsigned i = 0; i < 2; i++) {
        const __m512i bytes = _mm512_loadu_si512(codes + 2 * i * u->bits);
        v[i] = (vec_f32)_mm512_shrdv_epi32(_mm512_permutexvar_epi8(u->index[0], bytes),
                                           _mm512_permutexvar_epi8(u->index[1], bytes), u->shift);
    }
}

INLINE void get_packed_f64(const uint8_t *codes, const struct unpacker *u, vec_f64 *v)
{
    for (unsigned i = 0; i < 4; i++) {
        const __m512i bytes = _mm512_loadu_si512(codes + i * u->bits);
        v[i] = (vec_f64)_mm512_shrdv_epi64(_mm512_permutexvar_epi8(u->index[0], bytes),
                                           _mm512_permutexvar_epi8(u->index[1], bytes), u->shift);
    }
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

const struct frsz2_kernels fpgz_frsz2_avx512 = {
    .encode = {encode_f32, encode_f64},
    .decode = {decode_f32, decode_f64},
};

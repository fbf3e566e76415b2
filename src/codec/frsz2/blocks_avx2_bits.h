/* SPDX-License-Identifier: MIT
 * What both word types share in AVX2: how codes are packed. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_BITS_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_AVX2_BITS_H

#include <immintrin.h>

#include "codec/frsz2/frsz2.h"
#include "codec/width.h"

typedef __m256i vector;
typedef uint32_t vec_f32 __attribute__((vector_size(32)));
typedef uint64_t vec_f64 __attribute__((vector_size(32)));

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

/* Each half of a vector loads 16 bytes, from the byte in which its first code begins. Each lane takes its
 * bytes from where its code begins (vpshufb), and shifts them down by the bits before the code. Up to 25 bits
 * always fit in 4 bytes so, and up to 57 in 8. */
struct unpacker {
    unsigned bits;
    bool in_vectors;
    __m256i index[2], shift[2]; /* for even and odd vectors: two vectors are a whole number of bytes */
};

INLINE struct unpacker make_unpacker(unsigned bits)
{
    const unsigned size = sizeof(WORD); /* bytes of a lane */
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

/* Vector i, of 2 x `half` codes; its lanes must still be shifted down. */
INLINE vector get_bytes(const uint8_t *codes, const struct unpacker *u, unsigned i, unsigned half)
{
    const uint8_t *lower = codes + 2 * i * half * u->bits / 8,
                  *upper = codes + (2 * i + 1) * half * u->bits / 8;
    const vector bytes = _mm256_loadu2_m128i((const __m128i *)upper, (const __m128i *)lower);
    return _mm256_shuffle_epi8(bytes, u->index[i % 2]);
}

#endif

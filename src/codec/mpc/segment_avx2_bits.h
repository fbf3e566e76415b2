/* SPDX-License-Identifier: MIT
 * What both word types share in AVX2: the bit transpose of 64 words of 32 bits, and tables of byte shuffles.
 */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX2_BITS_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX2_BITS_H

#include <immintrin.h>
#include <string.h>

#include "codec/width.h"

/* Byte shuffles that keep some of a vector's lanes. */
union shuffle {
    uint32_t lane[4];
    __m128i v;
};

/* Four bytes of a shuffle: lane n, or zeros. */
#define L(n) (0x03020100 + UINT32_C(0x04040404) * (n))
#define O UINT32_C(0x80808080)

/* Register i, lane j becomes register j, lane i. */
INLINE void transpose_lanes(__m256i *v)
{
    __m256i pairs[8], fours[8];
    for (unsigned i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned k = 0; k < 2; k++) {
            fours[i + 2 * k] = _mm256_unpacklo_epi64(pairs[i + k], pairs[i + k + 2]);
            fours[i + 2 * k + 1] = _mm256_unpackhi_epi64(pairs[i + k], pairs[i + k + 2]);
        }
    for (unsigned i = 0; i < 4; i++) {
        v[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        v[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

/* Exchanges the bits of a that `mask` selects after a shift by `distance` with those of b that it selects. */
INLINE void exchange(__m256i *a, __m256i *b, int distance, uint8_t mask)
{
    const __m256i bits = _mm256_set1_epi8((char)mask);
    const __m256i swap = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32(*a, distance), *b), bits);
    *b = _mm256_xor_si256(*b, swap);
    *a = _mm256_xor_si256(*a, _mm256_slli_epi32(swap, distance));
}

/* The bit transposes of two 32x32 matrices, a word a row: v[0] to v[3] and v[4] to v[7]. */
INLINE void transpose_two(__m256i *v)
{
    const __m256i bytes_4x4 =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    transpose_lanes(v); /* register i, lane o: word i of octet o */
    for (unsigned i = 0; i < 4; i++)
        exchange(&v[i], &v[i + 4], 4, 0x0f);
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned k = 0; k < 2; k++)
            exchange(&v[i + k], &v[i + k + 2], 2, 0x33);
    for (unsigned i = 0; i < 8; i += 2)
        exchange(&v[i], &v[i + 1], 1, 0x55);
    /* Register k, lane o, byte p: bit 8 p + k of the octet's words. With the four octets of a matrix side by
     * side, that is a row. */
    for (unsigned i = 0; i < 8; i++)
        v[i] = _mm256_shuffle_epi8(v[i], bytes_4x4);
    transpose_lanes(v);
}

#endif

/* SPDX-License-Identifier: MIT
 * What AVX-512 does to words of 32 bits: a vector holds 16, a group of 32 fills two. */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX512_F32_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX512_F32_H

#include "codec/ndzip/cube_avx512_bits.h"

enum {
    GROUP_VECTORS = 2,
};

INLINE __m512i rotate_left(__m512i v)
{
    return _mm512_rol_epi32(v, 1);
}

INLINE __m512i rotate_right(__m512i v)
{
    return _mm512_ror_epi32(v, 1);
}

/* Inverts the magnitudes of negative values: v ^ (v < 0 ? 0x7fffffff : 0). */
INLINE __m512i complement(__m512i v)
{
    /* 0x78 = a ^ (b & c) */
    return _mm512_ternarylogic_epi32(v, _mm512_srai_epi32(v, 31), _mm512_set1_epi32(INT32_MAX), 0x78);
}

/* The same on a group's columns, the first of which holds the signs and inverts all others. Here it takes
 * one shuffle, where values take a shift for each vector. */
INLINE void complement_columns(__m512i *columns)
{
    const __m512i signs = _mm512_broadcastd_epi32(_mm512_castsi512_si128(columns[0]));
    columns[0] = _mm512_mask_xor_epi32(columns[0], 0xfffe, columns[0], signs);
    columns[1] = _mm512_xor_si512(columns[1], signs);
}

/* Running sum along the lanes. */
INLINE __m512i prefix_sum(__m512i v)
{
    const __m512i zero = _mm512_setzero_si512();
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
    return _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
}

/* Swaps bytes within each 128 bits, which turns reversed bytes into a head. */
INLINE __m512i swap_bytes(__m512i heads)
{
    return _mm512_shuffle_epi8(
        heads, _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203)));
}

/* Byte indices of an octet: the same byte of eight consecutive words, of which `first` is the lowest. */
#define OCTET(first) (0x1c1814100c080400 + BYTES(first))

/* Bit transpose of a group: lane l of columns[m] becomes column 31 - (16 m + l), the stream's order. */
INLINE void to_columns(const __m512i *v, __m512i *columns)
{
    /* Quadwords are (plane, octet): byte `plane` of 8 consecutive values. Planes 3 and 2 make the columns of
     * the first vector, 1 and 0 those of the second. */
    const __m512i planes_32 = _mm512_setr_epi64(OCTET(3), OCTET(35), OCTET(67), OCTET(99), OCTET(2),
                                                OCTET(34), OCTET(66), OCTET(98));
    const __m512i planes_10 = _mm512_sub_epi8(planes_32, _mm512_set1_epi8(2));
    /* Transposed, their bytes j hold bit 7-j of the values, the first on top. Byte t of lane l is byte l % 8
     * of the quadword (l / 8, octet 3 - t): 24, 16, 8, 0 in lane 0. */
    const __m512i lanes = _mm512_setr_epi32(
        0x00081018, 0x01091119, 0x020a121a, 0x030b131b, 0x040c141c, 0x050d151d, 0x060e161e, 0x070f171f,
        0x20283038, 0x21293139, 0x222a323a, 0x232b333b, 0x242c343c, 0x252d353d, 0x262e363e, 0x272f373f);
    columns[0] =
        _mm512_permutexvar_epi8(lanes, transpose_8x8(_mm512_permutex2var_epi8(v[0], planes_32, v[1])));
    columns[1] =
        _mm512_permutexvar_epi8(lanes, transpose_8x8(_mm512_permutex2var_epi8(v[0], planes_10, v[1])));
}

/* The reverse. */
INLINE void from_columns(const __m512i *columns, __m512i *v)
{
    /* Quadword (half h, octet o): byte 3 - o of lanes 8 h to 8 h + 7. */
    const __m512i octets =
        _mm512_setr_epi64(OCTET(3), OCTET(2), OCTET(1), OCTET(0), OCTET(35), OCTET(34), OCTET(33), OCTET(32));
    /* Byte p of value i is byte i of the 32 that hold plane p: 96 + i, 64 + i, 32 + i, i. */
    const __m512i first_16 = _mm512_setr_epi32(
        0x00204060, 0x01214161, 0x02224262, 0x03234363, 0x04244464, 0x05254565, 0x06264666, 0x07274767,
        0x08284868, 0x09294969, 0x0a2a4a6a, 0x0b2b4b6b, 0x0c2c4c6c, 0x0d2d4d6d, 0x0e2e4e6e, 0x0f2f4f6f);
    const __m512i last_16 = _mm512_add_epi8(first_16, _mm512_set1_epi8(16));
    const __m512i planes_32 = transpose_8x8(_mm512_permutexvar_epi8(octets, columns[0]));
    const __m512i planes_10 = transpose_8x8(_mm512_permutexvar_epi8(octets, columns[1]));
    v[0] = _mm512_permutex2var_epi8(planes_32, first_16, planes_10);
    v[1] = _mm512_permutex2var_epi8(planes_32, last_16, planes_10);
}

#undef OCTET

#endif

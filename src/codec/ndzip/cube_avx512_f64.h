/* SPDX-License-Identifier: MIT
 * What AVX-512 does to words of 64 bits: a vector holds 8, a group of 64 fills eight. */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX512_F64_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX512_F64_H

#include "codec/ndzip/cube_avx512_bits.h"

enum {
    GROUP_VECTORS = 8,
};

INLINE __m512i rotate_left(__m512i v)
{
    return _mm512_rol_epi64(v, 1);
}

INLINE __m512i rotate_right(__m512i v)
{
    return _mm512_ror_epi64(v, 1);
}

/* Inverts the magnitudes of negative values. */
INLINE __m512i complement(__m512i v)
{
    /* 0x78 = a ^ (b & c) */
    return _mm512_ternarylogic_epi64(v, _mm512_srai_epi64(v, 63), _mm512_set1_epi64(INT64_MAX), 0x78);
}

/* The same on a group's columns, as with 32 bits. */
INLINE void complement_columns(__m512i *columns)
{
    const __m512i signs = _mm512_broadcastq_epi64(_mm512_castsi512_si128(columns[0]));
    columns[0] = _mm512_mask_xor_epi64(columns[0], 0xfe, columns[0], signs);
    for (unsigned i = 1; i < 8; i++)
        columns[i] = _mm512_xor_si512(columns[i], signs);
}

/* Running sum along the lanes. */
INLINE __m512i prefix_sum(__m512i v)
{
    const __m512i zero = _mm512_setzero_si512();
    v = _mm512_add_epi64(v, _mm512_alignr_epi64(v, zero, 7));
    v = _mm512_add_epi64(v, _mm512_alignr_epi64(v, zero, 6));
    return _mm512_add_epi64(v, _mm512_alignr_epi64(v, zero, 4));
}

/* Swaps bytes within each 128 bits, which turns reversed bytes into a head. */
INLINE __m512i swap_bytes(__m512i heads)
{
    return _mm512_shuffle_epi8(
        heads, _mm512_broadcast_i32x4(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607)));
}

/* Bit transpose of a group: lane l of columns[m] becomes column 63 - (8 m + l), the stream's order. Octet i
 * is the 8 values of v[i]. */
INLINE void to_columns(const __m512i *v, __m512i *columns)
{
    /* Quadword q takes byte 7 - q of the octet's values; transposed, its byte j belongs to column
     * 63 - (8 q + j). So octets[i] holds byte 7 - i of all columns, in the stream's order. */
    const __m512i planes = QWORDS(0x3f372f271f170f07, -UINT64_C(1));
    __m512i octets[8];
    for (unsigned i = 0; i < 8; i++)
        octets[i] = transpose_8x8(_mm512_permutexvar_epi8(planes, v[i]));

    /* Two octets a word, in lane order that the unpacking below undoes: 128-bit lane L, word 2 j + e of
     * words[s][h] belong to column index (4 h + j) 8 + 2 L + e. Its bytes come from octets 7 - 2 s and
     * 6 - 2 s; words 0 to 3 of lane 0 are columns 0, 1, 8, 9, and 4 to 7 are 16 more. */
    const __m512i low_half = _mm512_setr_epi64(0x4909480841014000, 0x4909480841014000 + BYTES(16),
                                               0x4909480841014000 + BYTES(2), 0x4909480841014000 + BYTES(18),
                                               0x4909480841014000 + BYTES(4), 0x4909480841014000 + BYTES(20),
                                               0x4909480841014000 + BYTES(6), 0x4909480841014000 + BYTES(22));
    const __m512i high_half = _mm512_add_epi8(low_half, _mm512_set1_epi8(32));
    for (unsigned h = 0; h < 2; h++) {
        __m512i words[4];
        for (unsigned s = 0; s < 4; s++)
            words[s] =
                _mm512_permutex2var_epi8(octets[7 - 2 * s], h ? high_half : low_half, octets[6 - 2 * s]);
        const __m512i low_01 = _mm512_unpacklo_epi16(words[0], words[1]),
                      high_01 = _mm512_unpackhi_epi16(words[0], words[1]),
                      low_23 = _mm512_unpacklo_epi16(words[2], words[3]),
                      high_23 = _mm512_unpackhi_epi16(words[2], words[3]);
        columns[4 * h + 0] = _mm512_unpacklo_epi32(low_01, low_23);
        columns[4 * h + 1] = _mm512_unpackhi_epi32(low_01, low_23);
        columns[4 * h + 2] = _mm512_unpacklo_epi32(high_01, high_23);
        columns[4 * h + 3] = _mm512_unpackhi_epi32(high_01, high_23);
    }
}

/* The reverse. */
INLINE void from_columns(const __m512i *columns, __m512i *v)
{
    /* 128-bit lane L of sixteen[a] is byte 7 - (4 h + L) of columns 16 a to 16 a + 15: 8 bytes from each of
     * two registers. With h = 1 the bytes lie 4 lower. */
    const __m512i high_bytes =
        _mm512_setr_epi64(0x3f372f271f170f07, 0x3f372f271f170f07 + BYTES(64), 0x3e362e261e160e06,
                          0x3e362e261e160e06 + BYTES(64), 0x3d352d251d150d05, 0x3d352d251d150d05 + BYTES(64),
                          0x3c342c241c140c04, 0x3c342c241c140c04 + BYTES(64));
    const __m512i low_bytes = _mm512_sub_epi8(high_bytes, _mm512_set1_epi8(4));
    /* Byte p of value k is byte k of the quadword 7 - p. */
    const __m512i values = QWORDS(0x0008101820283038, 1);
    for (unsigned h = 0; h < 2; h++) {
        __m512i sixteen[4];
        for (unsigned a = 0; a < 4; a++)
            sixteen[a] =
                _mm512_permutex2var_epi8(columns[2 * a], h ? low_bytes : high_bytes, columns[2 * a + 1]);
        __m512i octets[4]; /* octet 4 h + L gathers lane L of all four */
        transpose_lanes(sixteen, octets);
        for (unsigned i = 0; i < 4; i++)
            v[4 * h + i] = _mm512_permutexvar_epi8(values, transpose_8x8(octets[i]));
    }
}

#endif

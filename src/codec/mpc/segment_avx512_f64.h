/* SPDX-License-Identifier: MIT
 * What AVX-512 does to words of 64 bits: a vector holds 8, a group of 64 fills eight. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX512_F64_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX512_F64_H

#include "codec/mpc/segment_avx512_bits.h"

enum {
    GROUP_VECTORS = 8,
};

INLINE __m512i load_lanes(lane_mask mask, const void *from)
{
    return _mm512_maskz_loadu_epi64(mask, from);
}

/* Lane numbers from `first` on. */
INLINE __m512i count_from(unsigned first)
{
    return _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(first));
}

/* Zero where the mask is not set. */
INLINE __m512i select_lanes(lane_mask mask, __m512i v)
{
    return _mm512_maskz_mov_epi64(mask, v);
}

INLINE __m512i permute(lane_mask mask, __m512i index, __m512i v)
{
    return _mm512_maskz_permutexvar_epi64(mask, index, v);
}

INLINE __m512i permute_two(__m512i low, __m512i index, __m512i high)
{
    return _mm512_permutex2var_epi64(low, index, high);
}

/* Running sums along the lanes of each vector. Each step is done for all vectors, since a single one would
 * wait for itself. */
INLINE void prefix_sum(__m512i *v, unsigned vectors)
{
    const __m512i zero = _mm512_setzero_si512();
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi64(v[i], _mm512_alignr_epi64(v[i], zero, 7));
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi64(v[i], _mm512_alignr_epi64(v[i], zero, 6));
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi64(v[i], _mm512_alignr_epi64(v[i], zero, 4));
}

/* BIT on a group: lane l of planes[m] becomes bit 8 m + l of all words. Octet i is the 8 values of v[i]. */
INLINE void to_planes(const __m512i *v, __m512i *planes)
{
    /* Quadword p takes byte p of the octet's values, the last value's first; transposed, its byte k belongs
     * to plane 8 p + k. So octets[i] holds byte i of all planes, in their order. */
    const __m512i bytes = QWORDS(0x0008101820283038);
    __m512i octets[8];
    for (unsigned i = 0; i < 8; i++)
        octets[i] = transpose_8x8(_mm512_permutexvar_epi8(bytes, v[i]));

    /* Two octets a 16-bit word, in lane order that the unpacking below undoes: 128-bit lane L, word 2 j + e
     * of words[s] belong to plane (4 h + j) 8 + 2 L + e. Its bytes come from octets 2 s and 2 s + 1; words 0
     * to 3 of lane 0 are planes 0, 1, 8, 9, and 4 to 7 are 16 more. */
    const __m512i low_half = _mm512_setr_epi64(0x4909480841014000, 0x4909480841014000 + BYTES(16),
                                               0x4909480841014000 + BYTES(2), 0x4909480841014000 + BYTES(18),
                                               0x4909480841014000 + BYTES(4), 0x4909480841014000 + BYTES(20),
                                               0x4909480841014000 + BYTES(6), 0x4909480841014000 + BYTES(22));
    const __m512i high_half = _mm512_add_epi8(low_half, _mm512_set1_epi8(32));
    for (unsigned h = 0; h < 2; h++) {
        __m512i words[4];
        for (unsigned s = 0; s < 4; s++)
            words[s] = _mm512_permutex2var_epi8(octets[2 * s], h ? high_half : low_half, octets[2 * s + 1]);
        const __m512i low_01 = _mm512_unpacklo_epi16(words[0], words[1]),
                      high_01 = _mm512_unpackhi_epi16(words[0], words[1]),
                      low_23 = _mm512_unpacklo_epi16(words[2], words[3]),
                      high_23 = _mm512_unpackhi_epi16(words[2], words[3]);
        planes[4 * h + 0] = _mm512_unpacklo_epi32(low_01, low_23);
        planes[4 * h + 1] = _mm512_unpackhi_epi32(low_01, low_23);
        planes[4 * h + 2] = _mm512_unpacklo_epi32(high_01, high_23);
        planes[4 * h + 3] = _mm512_unpackhi_epi32(high_01, high_23);
    }
}

/* The reverse. */
INLINE void from_planes(const __m512i *planes, __m512i *v)
{
    /* 128-bit lane L of sixteen[a] is byte 4 h + L of planes 16 a to 16 a + 15: 8 bytes from each of two
     * registers, in the reverse order that transpose_8x8() wants. */
    const __m512i low_bytes = _mm512_setr_epi64(
        0x0008101820283038, 0x0008101820283038 + BYTES(64), 0x0008101820283038 + BYTES(1),
        0x0008101820283038 + BYTES(65), 0x0008101820283038 + BYTES(2), 0x0008101820283038 + BYTES(66),
        0x0008101820283038 + BYTES(3), 0x0008101820283038 + BYTES(67));
    const __m512i high_bytes = _mm512_add_epi8(low_bytes, _mm512_set1_epi8(4));
    /* Byte p of value k is byte k of quadword p. */
    const __m512i values = QWORDS(0x3830282018100800);
    for (unsigned h = 0; h < 2; h++) {
        __m512i sixteen[4];
        for (unsigned a = 0; a < 4; a++)
            sixteen[a] =
                _mm512_permutex2var_epi8(planes[2 * a], h ? high_bytes : low_bytes, planes[2 * a + 1]);
        __m512i octets[4]; /* octet 4 h + L gathers lane L of all four */
        transpose_lanes(sixteen, octets);
        for (unsigned i = 0; i < 4; i++)
            v[4 * h + i] = _mm512_permutexvar_epi8(values, transpose_8x8(octets[i]));
    }
}

#endif

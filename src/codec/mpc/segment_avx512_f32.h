/* SPDX-License-Identifier: MIT
 * What AVX-512 does to words of 32 bits: a vector holds 16, a group of 32 fills two. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX512_F32_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX512_F32_H

#include "codec/mpc/segment_avx512_bits.h"

enum {
    GROUP_VECTORS = 2,
};

INLINE __m512i load_lanes(lane_mask mask, const void *from)
{
    return _mm512_maskz_loadu_epi32(mask, from);
}

/* Lane numbers from `first` on. */
INLINE __m512i count_from(unsigned first)
{
    return _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                            _mm512_set1_epi32((int)first));
}

/* Zero where the mask is not set. */
INLINE __m512i select_lanes(lane_mask mask, __m512i v)
{
    return _mm512_maskz_mov_epi32(mask, v);
}

INLINE __m512i permute(lane_mask mask, __m512i index, __m512i v)
{
    return _mm512_maskz_permutexvar_epi32(mask, index, v);
}

INLINE __m512i permute_two(__m512i low, __m512i index, __m512i high)
{
    return _mm512_permutex2var_epi32(low, index, high);
}

/* Running sums along the lanes of each vector. Each step is done for all vectors, since a single one would
 * wait for itself. */
INLINE void prefix_sum(__m512i *v, unsigned vectors)
{
    const __m512i zero = _mm512_setzero_si512();
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi32(v[i], _mm512_alignr_epi32(v[i], zero, 15));
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi32(v[i], _mm512_alignr_epi32(v[i], zero, 14));
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi32(v[i], _mm512_alignr_epi32(v[i], zero, 12));
    for (unsigned i = 0; i < vectors; i++)
        v[i] = _mm512_add_epi32(v[i], _mm512_alignr_epi32(v[i], zero, 8));
}

/* Byte indices of an octet: the same byte of eight consecutive words, of which `first` is the lowest; the
 * last word's first, as transpose_8x8() wants them. */
#define OCTET(first) (0x0004080c1014181c + BYTES(first))

/* BIT on a group: lane l of planes[m] becomes bit 16 m + l of all words. */
INLINE void to_planes(const __m512i *v, __m512i *planes)
{
    /* Quadwords are (byte p, octet o of values). Bytes 0 and 1 make the planes of the first vector, 2 and 3
     * those of the second. */
    const __m512i bytes_01 = _mm512_setr_epi64(OCTET(0), OCTET(32), OCTET(64), OCTET(96), OCTET(1), OCTET(33),
                                               OCTET(65), OCTET(97));
    const __m512i bytes_23 = _mm512_add_epi8(bytes_01, _mm512_set1_epi8(2));
    /* Transposed, their byte k is of plane 8 p + k: byte o of lane l is byte l % 8 of the quadword (l / 8,
     * o). */
    const __m512i lanes = _mm512_setr_epi32(
        0x18100800, 0x19110901, 0x1a120a02, 0x1b130b03, 0x1c140c04, 0x1d150d05, 0x1e160e06, 0x1f170f07,
        0x38302820, 0x39312921, 0x3a322a22, 0x3b332b23, 0x3c342c24, 0x3d352d25, 0x3e362e26, 0x3f372f27);
    planes[0] = _mm512_permutexvar_epi8(lanes, transpose_8x8(_mm512_permutex2var_epi8(v[0], bytes_01, v[1])));
    planes[1] = _mm512_permutexvar_epi8(lanes, transpose_8x8(_mm512_permutex2var_epi8(v[0], bytes_23, v[1])));
}

/* The reverse. */
INLINE void from_planes(const __m512i *planes, __m512i *v)
{
    /* Quadword (half h, octet o): byte o of lanes 8 h to 8 h + 7. */
    const __m512i octets =
        _mm512_setr_epi64(OCTET(0), OCTET(1), OCTET(2), OCTET(3), OCTET(32), OCTET(33), OCTET(34), OCTET(35));
    /* Byte p of value i is byte i of the 32 that hold byte p of all: i, 32 + i, 64 + i, 96 + i. */
    const __m512i first_16 = _mm512_setr_epi32(
        0x60402000, 0x61412101, 0x62422202, 0x63432303, 0x64442404, 0x65452505, 0x66462606, 0x67472707,
        0x68482808, 0x69492909, 0x6a4a2a0a, 0x6b4b2b0b, 0x6c4c2c0c, 0x6d4d2d0d, 0x6e4e2e0e, 0x6f4f2f0f);
    const __m512i last_16 = _mm512_add_epi8(first_16, _mm512_set1_epi8(16));
    const __m512i bytes_01 = transpose_8x8(_mm512_permutexvar_epi8(octets, planes[0]));
    const __m512i bytes_23 = transpose_8x8(_mm512_permutexvar_epi8(octets, planes[1]));
    v[0] = _mm512_permutex2var_epi8(bytes_01, first_16, bytes_23);
    v[1] = _mm512_permutex2var_epi8(bytes_01, last_16, bytes_23);
}

#undef OCTET

#endif

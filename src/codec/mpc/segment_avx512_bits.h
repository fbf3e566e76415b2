/* SPDX-License-Identifier: MIT
 * What both word types share in AVX-512: constants of byte indices, and bit matrices. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_AVX512_BITS_H
#define FPGZ_CODEC_MPC_SEGMENT_AVX512_BITS_H

#include "codec/avx512.h"

/* Eight quadwords of byte indices, each 1 above the one before in every byte. */
#define QWORDS(first)                                                                                        \
    _mm512_setr_epi64((first), (first) + BYTES(1), (first) + BYTES(2), (first) + BYTES(3),                   \
                      (first) + BYTES(4), (first) + BYTES(5), (first) + BYTES(6), (first) + BYTES(7))

/* Transposes the 8x8 bits of each quadword, whose bytes come in reverse: bit k of byte 7-i becomes bit i of
 * byte k. vgf2p8affineqb multiplies its first operand's bytes by the second's matrices, rows from the last
 * byte on; with 1 << k as the bytes k, the product is the matrix itself, by columns. */
INLINE __m512i transpose_8x8(__m512i bits)
{
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201), bits, 0);
}

#endif

/* SPDX-License-Identifier: MIT
 * What both word types share in AVX-512: constants of byte indices, and bit matrices. */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX512_BITS_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX512_BITS_H

#include "codec/avx512.h"

/* Eight quadwords of byte indices, each `each` above the one before in every byte. */
#define QWORDS(first, each)                                                                                  \
    _mm512_setr_epi64((first), (first) + BYTES(1 * (each)), (first) + BYTES(2 * (each)),                     \
                      (first) + BYTES(3 * (each)), (first) + BYTES(4 * (each)), (first) + BYTES(5 * (each)), \
                      (first) + BYTES(6 * (each)), (first) + BYTES(7 * (each)))

/* Transposes the 8x8 bits of each quadword: bit 7-j of byte k becomes bit 7-k of byte j. vgf2p8affineqb
 * multiplies its first operand's bytes by the second's matrices; with 1 << (7-b) as the bytes b, the product
 * is the matrix itself, by columns. */
INLINE __m512i transpose_8x8(__m512i bits)
{
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(0x0102040810204080), bits, 0);
}

/* Reverses the bits of each byte: a product with the antidiagonal matrix. */
INLINE __m512i reverse_bytes(__m512i bits)
{
    return _mm512_gf2p8affine_epi64_epi8(bits, _mm512_set1_epi64((long long)0x8040201008040201), 0);
}

#endif

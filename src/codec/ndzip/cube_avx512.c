/* SPDX-License-Identifier: MIT
 * One hypercube in AVX-512: from the grid to the stream and back without a copy of the cube in between. What
 * is carried along is a row of values in registers and, in 3-D, one plane of 1 or 2 KiB. */
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "codec/ndzip/ndzip.h"

/* There is one function a direction and width, which constant arguments make into the kernels: inlined, and
 * with the loops over a step's vectors unrolled, as -O3 does, its arrays of vectors become registers. */
#define INLINE static inline __attribute__((always_inline))

/* A cube is walked in steps of whole rows and whole groups. Eight vectors are the f64 group; with the two of
 * an f32 group, the long dependency chains of one leave the units idle: 15 GB/s of decoding instead of 17 on
 * Zen 4. */
enum { STEP_VECTORS = 8 };

/* The same byte in all eight of a quadword. */
#define BYTES(n) (UINT64_C(0x0101010101010101) * (n))
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

/* Fetches a vector of the next cube, whose rows no hardware prefetcher foresees (1-D cubes need none). Its
 * last byte: where rows do not begin on cache lines, the first lies in the line that this cube's row ends
 * with. Into the second-level cache: an f64 cube alone fills the first. */
INLINE void prefetch(const void *vector)
{
    _mm_prefetch((const char *)vector + 63, _MM_HINT_T1);
}

#define WORD uint32_t
#define NAME(name) name##_f32
#include "codec/ndzip/cube_avx512_f32.h"
#include "codec/ndzip/cube_avx512_tmpl.h"
#undef WORD
#undef NAME

#define WORD uint64_t
#define NAME(name) name##_f64
#include "codec/ndzip/cube_avx512_f64.h"
#include "codec/ndzip/cube_avx512_tmpl.h"
#undef WORD
#undef NAME

const struct ndzip_kernels fpgz_ndzip_avx512 = {
    .encode = {{encode_1d_f32, encode_2d_f32, encode_3d_f32}, {encode_1d_f64, encode_2d_f64, encode_3d_f64}},
    .decode = {{decode_1d_f32, decode_2d_f32, decode_3d_f32}, {decode_1d_f64, decode_2d_f64, decode_3d_f64}},
};

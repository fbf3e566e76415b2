/* SPDX-License-Identifier: MIT
 * A segment in AVX-512, group by group in registers. */
#include <immintrin.h>
#include <string.h>

#include "codec/mpc/mpc.h"
#include "core/bytes.h"

/* With constant arguments, and with the loops over a group's vectors unrolled, as -O3 does, arrays of vectors
 * become registers. */
#define INLINE static inline __attribute__((always_inline))

/* Vectors that are decoded side by side: the f64 group. With the two of an f32 group, the long dependency
 * chains of one leave the units idle. */
enum { STEP_VECTORS = 8 };

/* The same byte in all eight of a quadword. */
#define BYTES(n) (UINT64_C(0x0101010101010101) * (n))
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

/* How lanes are summed up at distances dim, 2 dim, ... in a vector: by doublings. */
struct doubling {
    __m512i from; /* what each lane adds */
    uint32_t lanes;
};

/* What decoding carries along. */
struct state {
    const uint8_t *bitmaps, *words;
    uint8_t *values;
    __m512i sum; /* undoes LNV1: of the words so far, in all lanes */
    /* Undoes LNVdim: the doublings, none when dim is not less than the lanes; the vectors before, the last
     * one first; and which of their lanes each lane adds. */
    struct doubling doubling[4];
    __m512i past[4], source;
};

#define WORD uint32_t
#define WORD_BITS 32
#define NAME(name) name##_f32
#define LOAD fpgz_load32
#define POPCOUNT __builtin_popcount
#include "codec/mpc/segment_avx512_f32.h"
#include "codec/mpc/segment_avx512_tmpl.h"
#undef WORD
#undef WORD_BITS
#undef NAME
#undef LOAD
#undef POPCOUNT

#define WORD uint64_t
#define WORD_BITS 64
#define NAME(name) name##_f64
#define LOAD fpgz_load64
#define POPCOUNT __builtin_popcountll
#include "codec/mpc/segment_avx512_f64.h"
#include "codec/mpc/segment_avx512_tmpl.h"

const struct mpc_kernels fpgz_mpc_avx512 = {
    .encode = {encode_f32, encode_f64},
    .decode = {decode_f32, decode_f64},
    .cost = {cost_f32, cost_f64},
};

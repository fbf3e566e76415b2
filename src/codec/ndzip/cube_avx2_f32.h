/* SPDX-License-Identifier: MIT
 * f32 in AVX2: a batch is one tile of 8 registers. As rows: reg (v5 v4 v3), half v2, in-half (v1 v0 k). */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX2_F32_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX2_F32_H

#include "codec/ndzip/cube_avx2_bits.h"

enum {
    LANES = 8, /* words of a register */
    TILES = 1, /* of 8 registers in a batch */
};

INLINE vec add(vec a, vec b)
{
    return _mm256_add_epi32(a, b);
}

INLINE vec subtract(vec a, vec b)
{
    return _mm256_sub_epi32(a, b);
}

INLINE vec rotate_left(vec v)
{
    return _mm256_or_si256(_mm256_add_epi32(v, v), _mm256_srli_epi32(v, 31));
}

INLINE vec rotate_right(vec v)
{
    return _mm256_or_si256(_mm256_srli_epi32(v, 1), _mm256_slli_epi32(v, 31));
}

/* Exchanges the two low register bits with the two bits of the 32-bit lane in its half. Its own inverse. */
INLINE void transpose_lanes(vec r[8])
{
    UNROLL
    for (unsigned i = 0; i < 8; i += 4) {
        interleave32(&r[i], &r[i + 1]);
        interleave32(&r[i + 2], &r[i + 3]);
        interleave64(&r[i], &r[i + 2]);
        interleave64(&r[i + 1], &r[i + 3]);
        const vec second = r[i + 2];
        r[i + 2] = r[i + 1];
        r[i + 1] = second;
    }
}

/* From reg (v2 v4 v3), half v5, in-half (v1 v0 k) to octets: reg (v2 v1 v0), half v5, in-half (v4 v3 k). */
INLINE void rows_to_octets(vec r[8])
{
    transpose_lanes(r);
}

/* Differences along x in octets: register 0 takes the last register's values an octet later. *last is that
 * register of the batch before, rotated up by one lane, or 0. */
INLINE void difference_octets(vec r[8], const unsigned dims, vec *last)
{
    vec before;
    if (dims == 3) { /* a row is two octets */
        before = _mm256_slli_epi64(r[7], 32);
    } else {
        const vec rotated = _mm256_permutevar8x32_epi32(r[7], _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
        before = _mm256_blend_epi32(rotated, *last, 0x01);
        *last = rotated;
    }
    UNROLL
    for (unsigned i = 7; i > 0; i--)
        r[i] = _mm256_sub_epi32(r[i], r[i - 1]);
    r[0] = _mm256_sub_epi32(r[0], before);
}

#define SIGN_BYTE                                                                                            \
    _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15))
#define REST _mm256_set1_epi32(0x00ffffff)

/* Appends the batch's columns, and stores the masks of the absent ones in the place of the heads. */
INLINE uint8_t *put_columns(vec tile[1][8], uint8_t *heads, uint8_t *to)
{
    vec *const r = tile[0];
    transpose_bits(r);
    complement_bits(r, SIGN_BYTE, REST);

    /* reg (l2 l1 l0), half v5, in-half (v4 v3 k1 k0) -> in-half (k1 k0 ~v4 ~v3) -> reg (l2 k1 k0), in-half
     * (l1 l0 ~v4 ~v3) -> reg (v5 k1 k0), half l2: columns of byte k of group v5, in the stream's order. */
    const vec gather =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3));
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i] = _mm256_shuffle_epi8(r[i], gather);
    transpose_lanes(r);
    swap_halves_of_tile(r);

    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = i ^ 3; /* the high byte's columns come first */
        const vec zero = _mm256_cmpeq_epi32(r[at], _mm256_setzero_si256());
        const unsigned absent = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
        heads[at] = (uint8_t)absent;
        to = pack_lanes(to, r[at], absent);
    }
    return to;
}

/* The reverse, to octets whose 32-bit lanes count downwards in each half: reg (v2 v1 v0), half v5, in-half
 * (~v4 ~v3 k1 k0). That order comes from two byte interleaves, without a shuffle. `heads` are masks of the
 * columns present. */
INLINE const uint8_t *get_columns(vec tile[1][8], const uint8_t *heads, const uint8_t *from)
{
    vec *const r = tile[0];
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i ^ 3] = unpack_lanes(&from, heads[i ^ 3]);

    /* reg (v5 k1 k0), half l2, in-half (l1 l0 ~v4 ~v3) -> reg (v5 l1 k0), in-half (l0 ~v4 ~v3 k1) -> reg
     * (v5 l1 l0), in-half (~v4 ~v3 k1 k0) -> reg (l2 l1 l0), half v5 */
    UNROLL
    for (unsigned i = 0; i < 8; i += 4) {
        interleave8(&r[i], &r[i + 2]);
        interleave8(&r[i + 1], &r[i + 3]);
        interleave8(&r[i], &r[i + 1]);
        interleave8(&r[i + 2], &r[i + 3]);
    }
    swap_halves_of_tile(r);

    complement_bits(r, SIGN_BYTE, REST);
    transpose_bits(r);
    return from;
}

#undef SIGN_BYTE
#undef REST

/* Sums along x in these octets. *total is what the values before sum up to, in every lane, and is carried on;
 * it must be 0 unless dims is 1. */
INLINE void sum_octets(vec r[8], const unsigned dims, vec *total)
{
    UNROLL
    for (unsigned i = 1; i < 8; i++)
        r[i] = _mm256_add_epi32(r[i], r[i - 1]);
    vec before; /* each octet: the sum of those before it in its row */
    if (dims == 3) {
        before = _mm256_srli_epi64(r[7], 32);
    } else {
        vec sums = _mm256_add_epi32(r[7], _mm256_bsrli_epi128(r[7], 4));
        sums = _mm256_add_epi32(sums, _mm256_bsrli_epi128(sums, 8));
        const vec low_half = _mm256_permute2x128_si256(sums, sums, 0x08); /* behind the high one's */
        sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(low_half, 0x00));
        before = _mm256_add_epi32(_mm256_sub_epi32(sums, r[7]), *total);
        *total = _mm256_add_epi32(*total, _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(4)));
    }
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i] = _mm256_add_epi32(r[i], before);
}

/* From these octets to rows. */
INLINE void octets_to_rows(vec r[8])
{
    transpose_lanes(r); /* reg (v2 ~v4 ~v3), half v5, in-half (v1 v0 k) */
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        if (!(i & 2)) {
            const vec swap = r[i];
            r[i] = r[i ^ 3];
            r[i ^ 3] = swap;
        }
    swap_halves_of_tile(r);
}

#endif

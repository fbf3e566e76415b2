/* SPDX-License-Identifier: MIT
 * f64 in AVX2: a batch is two tiles (v5) of 8 registers. As rows: reg (v4 v3 v2), half v1, in-half (v0 k). */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX2_F64_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX2_F64_H

#include "codec/ndzip/cube_avx2_bits.h"

enum {
    LANES = 4, /* words of a register */
    TILES = 2, /* of 8 registers in a batch */
};

INLINE vec add(vec a, vec b)
{
    return _mm256_add_epi64(a, b);
}

INLINE vec subtract(vec a, vec b)
{
    return _mm256_sub_epi64(a, b);
}

INLINE vec rotate_left(vec v)
{
    return _mm256_or_si256(_mm256_add_epi64(v, v), _mm256_srli_epi64(v, 63));
}

INLINE vec rotate_right(vec v)
{
    return _mm256_or_si256(_mm256_srli_epi64(v, 1), _mm256_slli_epi64(v, 63));
}

/* From reg (v1 v3 v2), half v4, in-half (v0 k) to octets: reg (v2 v1 v0), half v4, in-half (v3 k). */
INLINE void rows_to_octets(vec r[8])
{
    vec octets[8];
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        if (!(i & 2))
            interleave64(&r[i], &r[i + 2]);
    UNROLL
    for (unsigned i = 0; i < 8; i++) /* reg (v1 v0 v2) */
        octets[(i & 1) << 2 | i >> 1] = r[i];
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i] = octets[i];
}

/* Differences along x in octets: register 0 takes the last register's values an octet later. *last is that
 * register of the tile before, rotated up by one lane, or 0. */
INLINE void difference_octets(vec r[8], const unsigned dims, vec *last)
{
    vec before;
    if (dims == 3) { /* a row is two octets */
        before = _mm256_bslli_epi128(r[7], 8);
    } else {
        const vec rotated = _mm256_permute4x64_epi64(r[7], 0x93);
        before = _mm256_blend_epi32(rotated, *last, 0x03);
        *last = rotated;
    }
    UNROLL
    for (unsigned i = 7; i > 0; i--)
        r[i] = _mm256_sub_epi64(r[i], r[i - 1]);
    r[0] = _mm256_sub_epi64(r[0], before);
}

#define SIGN_BYTE                                                                                            \
    _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 7, 7, 7, 7, 7, 7, 7, 15, 15, 15, 15, 15, 15, 15, 15))
#define REST _mm256_set1_epi64x(0x00ffffffffffffff)

/* Appends the batch's columns, and stores the masks of the absent ones in the place of the head. */
INLINE uint8_t *put_columns(vec r[2][8], uint8_t *head, uint8_t *to)
{
    UNROLL
    for (unsigned tile = 0; tile < 2; tile++) {
        transpose_bits(r[tile]);
        complement_bits(r[tile], SIGN_BYTE, REST);
        /* reg (l2 l1 l0), half v4, in-half (v3 k2 k1 k0) -> reg (l2 v4 l0), half l1 -> reg (l2 ~v3 l0),
         * in-half (k2 k1 k0 ~v4) -> reg (l2 k2 l0), in-half (k1 k0 ~v4 ~v3) */
        UNROLL
        for (unsigned i = 0; i < 8; i++)
            if (!(i & 2)) {
                swap_halves(&r[tile][i], &r[tile][i + 2]);
                interleave8(&r[tile][i + 2], &r[tile][i]);
                interleave8(&r[tile][i], &r[tile][i + 2]);
            }
    }
    /* tile ~k1, in-half (k0 ~v5 ~v4 ~v3) -> reg (l2 k2 k0), in-half (l0 ~v5 ~v4 ~v3) */
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        interleave32(&r[1][i], &r[0][i]);
    UNROLL
    for (unsigned i = 0; i < 8; i += 2) {
        interleave64(&r[0][i], &r[0][i + 1]);
        interleave64(&r[1][i], &r[1][i + 1]);
    }

    UNROLL
    for (unsigned byte = 8; byte-- > 0;) { /* the high byte's columns come first */
        unsigned absent[2];
        UNROLL
        for (unsigned l2 = 0; l2 < 2; l2++) {
            const vec columns = r[!(byte & 2)][l2 << 2 | (byte & 4) >> 1 | (byte & 1)];
            const vec zero = _mm256_cmpeq_epi64(columns, _mm256_setzero_si256());
            absent[l2] = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
            to = pack_lanes(to, columns, absent[l2]);
        }
        head[byte] = (uint8_t)_pext_u32(absent[0] | absent[1] << 8, 0x5555);
    }
    return to;
}

/* The reverse, to octets whose 64-bit lanes count downwards in each half: reg (v2 v1 v0), half v4, in-half
 * (~v3 k2 k1 k0). `head` is the mask of the columns present. */
INLINE const uint8_t *get_columns(vec r[2][8], const uint8_t *head, const uint8_t *from)
{
    UNROLL
    for (unsigned byte = 8; byte-- > 0;) { /* tile ~k1, reg (l2 ~k0 k2), half l1, in-half (l0 ~v5 ~v4 ~v3) */
        const unsigned present = _pdep_u32(head[byte], 0x5555) * 3;
        UNROLL
        for (unsigned l2 = 0; l2 < 2; l2++)
            r[!(byte & 2)][l2 << 2 | !(byte & 1) << 1 | byte >> 2] =
                unpack_lanes(&from, present >> 8 * l2 & 0xff);
    }

    UNROLL
    for (unsigned i = 0; i < 8; i += 2) { /* reg (l2 ~k0 l0), in-half (~v5 ~v4 ~v3 k2) */
        interleave8(&r[0][i], &r[0][i + 1]);
        interleave8(&r[1][i], &r[1][i + 1]);
    }
    UNROLL
    for (unsigned i = 0; i < 8; i++) /* tile v5, in-half (~v4 ~v3 k2 k1) */
        interleave8(&r[1][i], &r[0][i]);
    UNROLL
    for (unsigned tile = 0; tile < 2; tile++) {
        UNROLL
        for (unsigned i = 0; i < 8; i++)
            if (!(i & 2)) { /* reg (l2 v4 l0), in-half (~v3 k2 k1 k0) -> reg (l2 l1 l0), half v4 */
                interleave8(&r[tile][i + 2], &r[tile][i]);
                swap_halves(&r[tile][i], &r[tile][i + 2]);
            }
        complement_bits(r[tile], SIGN_BYTE, REST);
        transpose_bits(r[tile]);
    }
    return from;
}

#undef SIGN_BYTE
#undef REST

/* Sums along x in these octets. *total is what the values before sum up to, in every lane, and is carried on;
 * it must be 0 where a row starts. */
INLINE void sum_octets(vec r[8], const unsigned dims, vec *total)
{
    UNROLL
    for (unsigned i = 1; i < 8; i++)
        r[i] = _mm256_add_epi64(r[i], r[i - 1]);
    vec before; /* each octet: the sum of those before it in its row */
    if (dims == 3) {
        before = _mm256_bsrli_epi128(r[7], 8);
    } else {
        vec sums = _mm256_add_epi64(r[7], _mm256_bsrli_epi128(r[7], 8));
        const vec low_half = _mm256_permute2x128_si256(sums, sums, 0x08); /* behind the high one's */
        sums = _mm256_add_epi64(sums, _mm256_unpacklo_epi64(low_half, low_half));
        before = _mm256_add_epi64(_mm256_sub_epi64(sums, r[7]), *total);
        *total = _mm256_add_epi64(*total, _mm256_permute4x64_epi64(sums, 0xaa));
    }
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i] = _mm256_add_epi64(r[i], before);
}

/* From these octets to rows. */
INLINE void octets_to_rows(vec r[8])
{
    vec rows[8];
    UNROLL
    for (unsigned i = 0; i < 8; i++) /* reg (v1 ~v0 v2) */
        rows[(i & 2) << 1 | !(i & 1) << 1 | i >> 2] = r[i];
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        if (!(i & 2))
            interleave64(&rows[i + 2], &rows[i]); /* reg (v1 v3 v2), half v4, in-half (v0 k) */
    swap_halves_of_tile(rows);
    UNROLL
    for (unsigned i = 0; i < 8; i++)
        r[i] = rows[i];
}

#endif

/* SPDX-License-Identifier: MIT
 * What both word types share in AVX2: exchanges between registers, the bit transposition, and the packing of
 * columns.
 *
 * Lane orders are written as index bits, highest first. A value of a batch of 64 has the index v5..v0, a byte
 * of a word k1 k0 (f32) or k2 k1 k0 (f64), a bit of a byte, counted from the top, l2 l1 l0; ~ marks an index
 * that counts downwards. "reg (v2 v4 v3), half v5, in-half (v1 v0 k1 k0)" says which of them pick the
 * register, its 128-bit half, and the byte in that half. Every exchange swaps bits between the three. */
#ifndef FPGZ_CODEC_NDZIP_CUBE_AVX2_BITS_H
#define FPGZ_CODEC_NDZIP_CUBE_AVX2_BITS_H

#include <immintrin.h>

#include "codec/ndzip/ndzip.h"
#include "core/bytes.h"
#include "core/inline.h"

/* Arrays of registers stay in registers only when every loop over them is unrolled. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef __m256i vec;

enum {
    BATCH = 64,       /* values that are coded together: two groups of f32 or one of f64 */
    HEAD_BYTES = 512, /* of a hypercube, for either word type */
    BATCH_HEADS = 8,  /* bytes of a batch's heads, for either word type */
};

INLINE vec load(const void *at)
{
    return _mm256_loadu_si256((const vec *)at);
}

INLINE void store(void *at, vec v)
{
    _mm256_storeu_si256((vec *)at, v);
}

/* The exchange of the register bit that tells `low` from `high` with the half. */
INLINE void swap_halves(vec *low, vec *high)
{
    const vec a = *low, b = *high;
    *low = _mm256_permute2x128_si256(a, b, 0x20);
    *high = _mm256_permute2x128_si256(a, b, 0x31);
}

/* The highest in-half bit becomes the register bit, the others move up, and the old register bit comes in as
 * the lowest one of the unit's index: for 64-bit units that is a plain exchange. */
#define DEFINE_INTERLEAVE(bits)                                                                              \
    INLINE void interleave##bits(vec *low, vec *high)                                                        \
    {                                                                                                        \
        const vec a = *low, b = *high;                                                                       \
        *low = _mm256_unpacklo_epi##bits(a, b);                                                              \
        *high = _mm256_unpackhi_epi##bits(a, b);                                                             \
    }
DEFINE_INTERLEAVE(8)
DEFINE_INTERLEAVE(32)
DEFINE_INTERLEAVE(64)
#undef DEFINE_INTERLEAVE

INLINE void swap_halves_of_tile(vec r[8])
{
    UNROLL
    for (unsigned i = 0; i < 4; i++)
        swap_halves(&r[i], &r[i + 4]);
}

/* Swaps the bits of a's bytes that `mask` names with those of b's bytes that lie `shift` higher. */
INLINE void swap_bits(vec *a, vec *b, const int shift, const char mask)
{
    const vec t =
        _mm256_and_si256(_mm256_xor_si256(*a, _mm256_srli_epi16(*b, shift)), _mm256_set1_epi8(mask));
    *a = _mm256_xor_si256(*a, t);
    *b = _mm256_xor_si256(*b, shift == 1 ? _mm256_add_epi8(t, t) : _mm256_slli_epi16(t, shift));
}

/* The 8 bytes at one place of the 8 registers as a bit matrix, transposed: from register i = value i to
 * register l = bit l of the byte counted from the top, value 0 in the top bit. Its own inverse. */
INLINE void transpose_bits(vec r[8])
{
    UNROLL
    for (unsigned i = 0; i < 4; i++)
        swap_bits(&r[i], &r[i + 4], 4, 0x0f);
    UNROLL
    for (unsigned i = 0; i < 4; i++)
        swap_bits(&r[i + i / 2 * 2], &r[i + i / 2 * 2 + 2], 2, 0x33);
    UNROLL
    for (unsigned i = 0; i < 4; i++)
        swap_bits(&r[2 * i], &r[2 * i + 1], 1, 0x55);
}

/* The complement of negative residuals, after transpose_bits(): the sign column inverts all other columns.
 * `sign_byte` copies each word's top byte, which in register 0 is the sign column, to its other bytes, and
 * `rest` masks the sign column out. Its own inverse. */
INLINE void complement_bits(vec r[8], vec sign_byte, vec rest)
{
    const vec sign = _mm256_shuffle_epi8(r[0], sign_byte);
    r[0] = _mm256_xor_si256(r[0], _mm256_and_si256(sign, rest));
    UNROLL
    for (unsigned i = 1; i < 8; i++)
        r[i] = _mm256_xor_si256(r[i], sign);
}

/* Entries for the 256 bytes: EACH_BYTE(E) is E(0), E(1) ... E(255). */
#define EACH_4(E, m) E(m), E(m + 1), E(m + 2), E(m + 3)
#define EACH_16(E, m) EACH_4(E, m), EACH_4(E, m + 4), EACH_4(E, m + 8), EACH_4(E, m + 12)
#define EACH_64(E, m) EACH_16(E, m), EACH_16(E, m + 16), EACH_16(E, m + 32), EACH_16(E, m + 48)
#define EACH_BYTE(E)                                                                                         \
    {                                                                                                        \
        EACH_64(E, 0), EACH_64(E, 64), EACH_64(E, 128), EACH_64(E, 192)                                      \
    }

#define HAS(mask, lane) (((mask) >> (lane)) & 1)

/* The lanes whose bit in `absent` is clear, in order, a byte each from the lowest byte on. */
#define KEEP(rest, absent, lane) ((rest) * (HAS(absent, lane) ? 1 : 256) + (HAS(absent, lane) ? 0 : (lane)))
#define KEEP_2(rest, absent, lane) KEEP(KEEP(rest, absent, (lane) + 1), absent, lane)
#define KEEP_4(rest, absent, lane) KEEP_2(KEEP_2(rest, absent, (lane) + 2), absent, lane)
#define KEPT(absent) KEEP_4(KEEP_4(UINT64_C(0), absent, 4), absent, 0)
static const uint64_t kept_lanes[256] = EACH_BYTE(KEPT);

/* For each lane whose bit in `present` is set the number of such lanes below it, for the others -1; a byte
 * each. */
#define RANK(present, lane)                                                                                  \
    ((uint64_t)(HAS(present, lane) ? __builtin_popcount((present) & ((1 << (lane)) - 1)) : 255) << 8 * (lane))
#define RANKS(present)                                                                                       \
    (RANK(present, 0) | RANK(present, 1) | RANK(present, 2) | RANK(present, 3) | RANK(present, 4) |          \
     RANK(present, 5) | RANK(present, 6) | RANK(present, 7))
static const uint64_t lane_ranks[256] = EACH_BYTE(RANKS);

/* Appends the 32-bit lanes whose bit in `absent` is clear. Stores 32 bytes. */
INLINE uint8_t *pack_lanes(uint8_t *to, vec lanes, unsigned absent)
{
    const vec order = _mm256_cvtepu8_epi32(_mm_loadu_si64(&kept_lanes[absent]));
    store(to, _mm256_permutevar8x32_epi32(lanes, order));
    return to + 32 - 4 * _mm_popcnt_u32(absent);
}

/* The reverse: the lanes of `present` from *from on, 0 for the others. Loads 32 bytes. */
INLINE vec unpack_lanes(const uint8_t **from, unsigned present)
{
    const vec order = _mm256_cvtepi8_epi32(_mm_loadu_si64(&lane_ranks[present]));
    const vec lanes = _mm256_permutevar8x32_epi32(load(*from), order);
    *from += 4 * _mm_popcnt_u32(present);
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(lanes), _mm256_setzero_ps(), _mm256_castsi256_ps(order)));
}

/* Heads have their columns in the order of the words' bits, masks of packed columns in that of the stream:
 * the reverse within each byte. With `flip` 15 the bits are inverted, too; with 0 they are not. */
INLINE void reverse_heads(uint8_t *to, const uint8_t *from, const char flip)
{
    const vec nibble = _mm256_set1_epi8(15);
    const vec reversed = _mm256_xor_si256(
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15)),
        _mm256_set1_epi8(flip));
    for (unsigned i = 0; i < HEAD_BYTES; i += 32) {
        const vec bytes = load(from + i);
        const vec low = _mm256_shuffle_epi8(reversed, _mm256_and_si256(bytes, nibble));
        const vec high = _mm256_shuffle_epi8(reversed, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
        store(to + i, _mm256_or_si256(_mm256_slli_epi16(low, 4), high));
    }
}

/* Columns that the heads at `stream` ask for. */
INLINE size_t count_columns(const uint8_t *stream)
{
    size_t columns = 0;
    for (unsigned i = 0; i < HEAD_BYTES; i += sizeof(uint64_t))
        columns += (size_t)_mm_popcnt_u64(fpgz_load64(stream + i));
    return columns;
}

#endif

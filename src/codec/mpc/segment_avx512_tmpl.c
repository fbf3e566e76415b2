/* SPDX-License-Identifier: MIT
 * A segment in AVX-512, group by group in registers. With constant arguments, and with the loops over a
 * group's vectors unrolled, as -O3 does, arrays of vectors become registers. */
#include <immintrin.h>
#include <string.h>

#include "codec/mpc/cost.h"
#include "codec/mpc/mpc.h"
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/mpc/segment_avx512_f32.h"
#else
#include "codec/mpc/segment_avx512_f64.h"
#endif

/* Vectors that are decoded side by side: an f64 group. The two vectors of one f32 group have long
 * dependency chains, which leave the units idle. */
enum { STEP_VECTORS = 8 };

/* Sums lanes at distances dim, 2 dim, ... in a vector by doublings. */
struct doubling {
    __m512i from; /* the lane that each lane adds */
    uint32_t lanes;
};

/* The state of decoding. */
struct state {
    const uint8_t *bitmaps, *words;
    uint8_t *values;
    __m512i sum; /* undoes LNV1: of the words so far, in all lanes */
    /* Undoes LNVdim: the doublings (none when dim is at least the number of lanes), the previous vectors
     * (the last one first), and the lane of these that each lane adds. */
    struct doubling doubling[4];
    __m512i past[4], source;
};

/* LNVdim of the vector at `word`. `at` is the number of words from the segment's start, or any number that
 * is large enough. */
INLINE __m512i residual(const WORD *word, unsigned at, unsigned dim)
{
    const __m512i v = _mm512_loadu_si512(word);
    if (at >= MPC_MAX_DIM)
        return subtract(v, _mm512_loadu_si512(word - dim));
    /* Masked-out lanes touch no memory, so the address may lie before the grid. Pointer arithmetic must
     * not lead there. */
    const void *const before = (const void *)((uintptr_t)word - dim * sizeof(WORD));
    const uint64_t predicted = UINT64_MAX << (dim > at ? dim - at : 0);
    return subtract(v, load_lanes((lane_mask)predicted, before));
}

/* Encodes the group that begins `start` words (or any number that is large enough) behind the segment's
 * start; returns the end of its words. *before is the previous vector of planes, whose last lane counts, and
 * becomes the group's last. */
INLINE uint8_t *encode_group(const WORD *group, unsigned start, unsigned dim, __m512i *before,
                             uint8_t *bitmap, uint8_t *words)
{
    __m512i v[GROUP_VECTORS], planes[GROUP_VECTORS];
    for (unsigned i = 0; i < GROUP_VECTORS; i++)
        v[i] = residual(group + i * LANES, start + i * LANES, dim);
    to_planes(v, planes);
    for (unsigned i = 0; i < GROUP_VECTORS; i++) {
        const __m512i difference = subtract(planes[i], shift_up(planes[i], *before));
        *before = planes[i];
        const lane_mask mask = nonzero(difference);
        memcpy(bitmap + i * sizeof mask, &mask, sizeof mask);
        /* Always a whole vector: the bytes behind the stored words are overwritten by the next ones, or
         * belong to the slack. */
        _mm512_storeu_si512(words, compress(mask, difference));
        words += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    return words;
}

static size_t encode(const void *values, unsigned groups, unsigned dim, uint8_t *bitmaps, uint8_t *words)
{
    const WORD *group = values;
    const uint8_t *const start = words;
    __m512i before = _mm512_setzero_si512();
    words = encode_group(group, 0, dim, &before, bitmaps, words);
    while (--groups) {
        group += WORD_BITS;
        bitmaps += sizeof(WORD);
        words = encode_group(group, WORD_BITS, dim, &before, bitmaps, words);
    }
    return (size_t)(words - start) / sizeof(WORD);
}

/* Adds to each lane the sum of all lanes at distances dim, 2 dim, ... before it in its vector. */
INLINE void sum_lanes(const struct doubling *doubling, unsigned steps, __m512i *v, unsigned vectors)
{
    for (unsigned step = 0; step < steps; step++)
        for (unsigned i = 0; i < vectors; i++)
            v[i] = add(v[i], permute((lane_mask)doubling[step].lanes, doubling[step].from, v[i]));
}

/* Prepares to undo LNVdim with `steps` doublings. The word `dim` before a vector's first one lies `back`
 * vectors before. */
INLINE void start_sum(struct state *s, unsigned dim, unsigned steps, unsigned back)
{
    for (unsigned i = 0; i < steps; i++)
        s->doubling[i] = (struct doubling){count_from(-(dim << i)), UINT32_MAX << (dim << i)};
    /* The first dim lanes add the word dim before. The others add what the lane dim before them adds,
     * which the same summing finds. */
    const uint32_t first = steps ? ~s->doubling[0].lanes : UINT32_MAX;
    s->source = select_lanes((lane_mask)first, count_from(back * LANES - dim));
    sum_lanes(s->doubling, steps, &s->source, 1);
    for (unsigned i = 0; i < back; i++)
        s->past[i] = _mm512_setzero_si512();
}

/* Decodes `vectors` vectors: ZE, LNV1, BIT, LNVdim. */
INLINE void decode_step(struct state *s, unsigned steps, unsigned back, unsigned vectors)
{
    __m512i planes[STEP_VECTORS], v[STEP_VECTORS];
    for (unsigned i = 0; i < vectors; i++) {
        lane_mask mask;
        memcpy(&mask, s->bitmaps, sizeof mask);
        s->bitmaps += sizeof mask;
        planes[i] = expand(mask, _mm512_loadu_si512(s->words));
        s->words += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    prefix_sum(planes, vectors);
    for (unsigned i = 0; i < vectors; i++) {
        const __m512i total = broadcast_last(planes[i]);
        planes[i] = add(planes[i], s->sum);
        s->sum = add(s->sum, total);
    }
    for (unsigned i = 0; i < vectors; i += GROUP_VECTORS)
        from_planes(planes + i, v + i);
    sum_lanes(s->doubling, steps, v, vectors);
    for (unsigned i = 0; i < vectors; i++) {
        const __m512i before = permute_two(s->past[back - 1], s->source, s->past[back > 1 ? back - 2 : 0]);
        for (unsigned k = back - 1; k > 0; k--)
            s->past[k] = s->past[k - 1];
        s->past[0] = add(v[i], before);
        _mm512_storeu_si512(s->values, s->past[0]);
        s->values += sizeof(__m512i);
    }
}

INLINE void decode_with(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, void *values,
                        unsigned dim, unsigned steps, unsigned back)
{
    struct state state = {.bitmaps = bitmaps, .words = words, .values = values};
    start_sum(&state, dim, steps, back);
    unsigned vectors = groups * GROUP_VECTORS;
    for (; vectors >= STEP_VECTORS; vectors -= STEP_VECTORS)
        decode_step(&state, steps, back, STEP_VECTORS);
    for (; vectors; vectors -= GROUP_VECTORS)
        decode_step(&state, steps, back, GROUP_VECTORS);
}

static size_t decode(const uint8_t *bitmaps, const uint8_t *words, size_t available, unsigned groups,
                     unsigned dim, void *values)
{
    size_t stored = 0;
    for (unsigned group = 0; group < groups; group++)
        stored += (size_t)POPCOUNT(LOAD(bitmaps + group * sizeof(WORD)));
    if (stored > available)
        return MPC_SHORT;
    if (dim * 8 < LANES)
        decode_with(bitmaps, words, groups, values, dim, 4, 1);
    else if (dim * 4 < LANES)
        decode_with(bitmaps, words, groups, values, dim, 3, 1);
    else if (dim * 2 < LANES)
        decode_with(bitmaps, words, groups, values, dim, 2, 1);
    else if (dim < LANES)
        decode_with(bitmaps, words, groups, values, dim, 1, 1);
    else if (dim == LANES)
        decode_with(bitmaps, words, groups, values, dim, 0, 1);
    else if (dim <= 2 * LANES)
        decode_with(bitmaps, words, groups, values, dim, 0, 2);
    else if (dim <= 3 * LANES)
        decode_with(bitmaps, words, groups, values, dim, 0, 3);
    else
        decode_with(bitmaps, words, groups, values, dim, 0, 4);
    return stored;
}

const struct mpc_kernels WIDTH(fpgz_mpc_avx512) = {.encode = encode, .decode = decode, .cost = cost};

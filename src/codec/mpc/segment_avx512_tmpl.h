/* SPDX-License-Identifier: MIT
 * Encode and decode of one segment for one word type. The includer defines WORD, WORD_BITS, NAME(), LOAD
 * and POPCOUNT, and the vector operations of that width. */
#include "codec/mpc/cost_tmpl.h"

/* LNVdim of the vector at `word`, which stands `at` words behind the segment's start, or far enough. */
INLINE __m512i NAME(residual)(const WORD *word, unsigned at, unsigned dim)
{
    const __m512i v = _mm512_loadu_si512(word);
    if (at >= MPC_MAX_DIM)
        return NAME(subtract)(v, _mm512_loadu_si512(word - dim));
    /* Masked-out lanes touch no memory, so this may lie before the grid, where pointer arithmetic must not
     * lead. */
    const void *const before = (const void *)((uintptr_t)word - dim * sizeof(WORD));
    const uint64_t predicted = UINT64_MAX << (dim > at ? dim - at : 0);
    return NAME(subtract)(v, NAME(load_lanes)((NAME(mask))predicted, before));
}

/* Encodes the group that begins `start` words behind the segment's start, or far enough; the end of its
 * words. *before is the vector of planes before, whose last lane counts, and then the group's last. */
INLINE uint8_t *NAME(encode_group)(const WORD *group, unsigned start, unsigned dim, __m512i *before,
                                   uint8_t *bitmap, uint8_t *words)
{
    __m512i v[NAME(group_vectors)], planes[NAME(group_vectors)];
    for (unsigned i = 0; i < NAME(group_vectors); i++)
        v[i] = NAME(residual)(group + i * NAME(lanes), start + i * NAME(lanes), dim);
    NAME(to_planes)(v, planes);
    for (unsigned i = 0; i < NAME(group_vectors); i++) {
        const __m512i difference = NAME(subtract)(planes[i], NAME(shift_up)(planes[i], *before));
        *before = planes[i];
        const NAME(mask) mask = NAME(nonzero)(difference);
        memcpy(bitmap + i * sizeof mask, &mask, sizeof mask);
        /* A whole vector always: what lies behind the stored words is overwritten by the next ones, or is the
         * slack. */
        _mm512_storeu_si512(words, NAME(compress)(mask, difference));
        words += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    return words;
}

static size_t NAME(encode)(const void *values, unsigned groups, unsigned dim, uint8_t *bitmaps,
                           uint8_t *words)
{
    const WORD *group = values;
    const uint8_t *const start = words;
    __m512i before = _mm512_setzero_si512();
    words = NAME(encode_group)(group, 0, dim, &before, bitmaps, words);
    while (--groups) {
        group += WORD_BITS;
        bitmaps += sizeof(WORD);
        words = NAME(encode_group)(group, WORD_BITS, dim, &before, bitmaps, words);
    }
    return (size_t)(words - start) / sizeof(WORD);
}

/* To each lane, the sum of all that lie dim, 2 dim, ... before it in its vector. */
INLINE void NAME(sum_lanes)(const struct doubling *doubling, unsigned steps, __m512i *v, unsigned vectors)
{
    for (unsigned step = 0; step < steps; step++)
        for (unsigned i = 0; i < vectors; i++)
            v[i] =
                NAME(add)(v[i], NAME(permute)((NAME(mask))doubling[step].lanes, doubling[step].from, v[i]));
}

/* Makes ready to undo LNVdim: `steps` doublings, and the word `dim` before a vector's first lies `back`
 * vectors before. */
INLINE void NAME(start_sum)(struct state *s, unsigned dim, unsigned steps, unsigned back)
{
    for (unsigned i = 0; i < steps; i++)
        s->doubling[i] = (struct doubling){NAME(count_from)(-(dim << i)), UINT32_MAX << (dim << i)};
    /* The first dim lanes add the one dim before; the others add what the lane dim before them adds, which
     * the same summing finds. */
    const uint32_t first = steps ? ~s->doubling[0].lanes : UINT32_MAX;
    s->source = NAME(select)((NAME(mask))first, NAME(count_from)(back * NAME(lanes) - dim));
    NAME(sum_lanes)(s->doubling, steps, &s->source, 1);
    for (unsigned i = 0; i < back; i++)
        s->past[i] = _mm512_setzero_si512();
}

/* Decodes `vectors` vectors: ZE, LNV1, BIT, LNVdim. */
INLINE void NAME(decode_step)(struct state *s, unsigned steps, unsigned back, unsigned vectors)
{
    __m512i planes[STEP_VECTORS], v[STEP_VECTORS];
    for (unsigned i = 0; i < vectors; i++) {
        NAME(mask) mask;
        memcpy(&mask, s->bitmaps, sizeof mask);
        s->bitmaps += sizeof mask;
        planes[i] = NAME(expand)(mask, _mm512_loadu_si512(s->words));
        s->words += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    NAME(prefix_sum)(planes, vectors);
    for (unsigned i = 0; i < vectors; i++) {
        const __m512i total = NAME(broadcast_last)(planes[i]);
        planes[i] = NAME(add)(planes[i], s->sum);
        s->sum = NAME(add)(s->sum, total);
    }
    for (unsigned i = 0; i < vectors; i += NAME(group_vectors))
        NAME(from_planes)(planes + i, v + i);
    NAME(sum_lanes)(s->doubling, steps, v, vectors);
    for (unsigned i = 0; i < vectors; i++) {
        const __m512i before =
            NAME(permute_two)(s->past[back - 1], s->source, s->past[back > 1 ? back - 2 : 0]);
        for (unsigned k = back - 1; k > 0; k--)
            s->past[k] = s->past[k - 1];
        s->past[0] = NAME(add)(v[i], before);
        _mm512_storeu_si512(s->values, s->past[0]);
        s->values += sizeof(__m512i);
    }
}

INLINE void NAME(decode_with)(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, void *values,
                              unsigned dim, unsigned steps, unsigned back)
{
    struct state state = {.bitmaps = bitmaps, .words = words, .values = values};
    NAME(start_sum)(&state, dim, steps, back);
    unsigned vectors = groups * NAME(group_vectors);
    for (; vectors >= STEP_VECTORS; vectors -= STEP_VECTORS)
        NAME(decode_step)(&state, steps, back, STEP_VECTORS);
    for (; vectors; vectors -= NAME(group_vectors))
        NAME(decode_step)(&state, steps, back, NAME(group_vectors));
}

static size_t NAME(decode)(const uint8_t *bitmaps, const uint8_t *words, size_t available, unsigned groups,
                           unsigned dim, void *values)
{
    size_t stored = 0;
    for (unsigned group = 0; group < groups; group++)
        stored += (size_t)POPCOUNT(LOAD(bitmaps + group * sizeof(WORD)));
    if (stored > available)
        return MPC_SHORT;
    if (dim * 8 < NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 4, 1);
    else if (dim * 4 < NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 3, 1);
    else if (dim * 2 < NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 2, 1);
    else if (dim < NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 1, 1);
    else if (dim == NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 0, 1);
    else if (dim <= 2 * NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 0, 2);
    else if (dim <= 3 * NAME(lanes))
        NAME(decode_with)(bitmaps, words, groups, values, dim, 0, 3);
    else
        NAME(decode_with)(bitmaps, words, groups, values, dim, 0, 4);
    return stored;
}

/* SPDX-License-Identifier: MIT
 * Encode and decode of one segment for one word type. The includer defines WORD, WORD_BITS, NAME(), LOAD,
 * STORE and POPCOUNT, and the vector operations of that width. */
#include "codec/mpc/cost_tmpl.h"

/* LNVd of the vector at `word`, which stands `at` words behind the segment's start, or far enough. */
INLINE __m512i NAME(residual)(const WORD *word, unsigned at, unsigned dim)
{
    const __m512i v = _mm512_loadu_si512(word);
    if (at >= MPC_MAX_DIM)
        return NAME(subtract)(v, _mm512_loadu_si512(word - dim));
    /* Lanes that are masked out touch no memory, so this may lie before the grid; pointer arithmetic may not.
     */
    const void *const before = (const void *)((uintptr_t)word - dim * sizeof(WORD));
    const uint64_t predicted = UINT64_MAX << (dim > at ? dim - at : 0);
    return NAME(subtract)(v, NAME(load_lanes)((NAME(mask))predicted, before));
}

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
    __m512i before = _mm512_setzero_si512(); /* the vector of planes before, whose last lane counts */
    words = NAME(encode_group)(group, 0, dim, &before, bitmaps, words);
    while (--groups) {
        group += WORD_BITS;
        bitmaps += sizeof(WORD);
        words = NAME(encode_group)(group, WORD_BITS, dim, &before, bitmaps, words);
    }
    return (size_t)(words - start) / sizeof(WORD);
}

/* How lanes are summed up at distances dim, 2 dim, ... in a vector: by doublings, of which none is needed
 * when dim is not less than the lanes. */
struct NAME(doubling) {
    __m512i from;
    NAME(mask) lanes;
};

/* What undoes LNVd. The word `dim` before a vector's first lies `back` vectors before. */
struct NAME(summing) {
    unsigned steps, back;
    struct NAME(doubling) doubling[4];
    __m512i source;  /* the lane of those vectors that each lane adds */
    __m512i past[4]; /* the vectors before, the last one first */
};

INLINE void NAME(sum_lanes)(const struct NAME(summing) * s, __m512i *v, unsigned vectors)
{
    for (unsigned step = 0; step < s->steps; step++)
        for (unsigned i = 0; i < vectors; i++)
            v[i] = NAME(add)(v[i], NAME(permute)(s->doubling[step].lanes, s->doubling[step].from, v[i]));
}

INLINE struct NAME(summing) NAME(start_summing)(unsigned dim, unsigned steps, unsigned back)
{
    struct NAME(summing) s = {.steps = steps, .back = back};
    for (unsigned i = 0; i < steps; i++)
        s.doubling[i] =
            (struct NAME(doubling)){NAME(count_from)(-(dim << i)), (NAME(mask))(UINT32_MAX << (dim << i))};
    /* The first dim lanes add the one dim before; the others add what the lane dim before them adds, which
     * the same summing finds. */
    const NAME(mask) first = steps ? (NAME(mask)) ~s.doubling[0].lanes : (NAME(mask)) - 1;
    s.source = NAME(select)(first, NAME(count_from)(back * NAME(lanes) - dim));
    NAME(sum_lanes)(&s, &s.source, 1);
    for (unsigned i = 0; i < back; i++)
        s.past[i] = _mm512_setzero_si512();
    return s;
}

INLINE void NAME(sum)(struct NAME(summing) * s, __m512i *v, unsigned vectors)
{
    const unsigned back = s->back;
    NAME(sum_lanes)(s, v, vectors);
    for (unsigned i = 0; i < vectors; i++) {
        v[i] = NAME(add)(v[i],
                         NAME(permute_two)(s->past[back - 1], s->source, s->past[back > 1 ? back - 2 : 0]));
        for (unsigned k = back - 1; k > 0; k--)
            s->past[k] = s->past[k - 1];
        s->past[0] = v[i];
    }
}

/* What decoding carries along. */
struct NAME(state) {
    const uint8_t *bitmaps, *words;
    WORD *values;
    __m512i sum; /* of the words so far, in all lanes: what undoes LNV1 */
    struct NAME(summing) summing;
};

/* Decodes `vectors` vectors: ZE, LNV1, BIT, LNVd. */
INLINE void NAME(decode_step)(struct NAME(state) * s, unsigned vectors)
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
    NAME(sum)(&s->summing, v, vectors);
    for (unsigned i = 0; i < vectors; i++)
        _mm512_storeu_si512(s->values + i * NAME(lanes), v[i]);
    s->values += vectors * NAME(lanes);
}

INLINE void NAME(decode_with)(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, WORD *values,
                              unsigned dim, unsigned steps, unsigned back)
{
    struct NAME(state)
        state = {bitmaps, words, values, _mm512_setzero_si512(), NAME(start_summing)(dim, steps, back)};
    unsigned vectors = groups * NAME(group_vectors);
    for (; vectors >= STEP_VECTORS; vectors -= STEP_VECTORS)
        NAME(decode_step)(&state, STEP_VECTORS);
    for (; vectors; vectors -= NAME(group_vectors))
        NAME(decode_step)(&state, NAME(group_vectors));
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

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

INLINE __m512i NAME(sum_lanes)(__m512i v, const struct NAME(doubling) * doubling, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++)
        v = NAME(add)(v, NAME(permute)(doubling[i].lanes, doubling[i].from, v));
    return v;
}

/* Undoes LNVd in place. The word `dim` before a vector's first lies `back` vectors before. */
INLINE void NAME(sum_with)(WORD *values, unsigned vectors, unsigned dim, unsigned steps, unsigned back)
{
    const __m512i zero = _mm512_setzero_si512();
    struct NAME(doubling) doubling[4];
    for (unsigned i = 0; i < steps; i++)
        doubling[i] =
            (struct NAME(doubling)){NAME(count_from)(-(dim << i)), (NAME(mask))(UINT32_MAX << (dim << i))};
    /* Which lane of those vectors to add: for the first dim lanes the one dim before, and for the others what
     * the lane dim before them adds, which the same summing finds. */
    const NAME(mask) first = steps ? (NAME(mask)) ~doubling[0].lanes : (NAME(mask)) - 1;
    const __m512i source =
        NAME(sum_lanes)(NAME(select)(first, NAME(count_from)(back * NAME(lanes) - dim)), doubling, steps);

    __m512i past[4]; /* the last one first */
    for (unsigned i = 0; i < back; i++)
        past[i] = zero;
    for (unsigned j = 0; j < vectors; j++, values += NAME(lanes)) {
        const __m512i v = NAME(sum_lanes)(_mm512_loadu_si512(values), doubling, steps);
        const __m512i added = NAME(permute_two)(past[back - 1], source, past[back > 1 ? back - 2 : 0]);
        for (unsigned i = back - 1; i > 0; i--)
            past[i] = past[i - 1];
        past[0] = NAME(add)(v, added);
        _mm512_storeu_si512(values, past[0]);
    }
}

static void NAME(sum)(WORD *values, unsigned vectors, unsigned dim)
{
    if (dim * 8 < NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 4, 1);
    else if (dim * 4 < NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 3, 1);
    else if (dim * 2 < NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 2, 1);
    else if (dim < NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 1, 1);
    else if (dim == NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 0, 1);
    else if (dim <= 2 * NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 0, 2);
    else if (dim <= 3 * NAME(lanes))
        NAME(sum_with)(values, vectors, dim, 0, 3);
    else
        NAME(sum_with)(values, vectors, dim, 0, 4);
}

static size_t NAME(decode)(const uint8_t *bitmaps, const uint8_t *words, size_t available, unsigned groups,
                           unsigned dim, void *values)
{
    size_t stored = 0;
    for (unsigned group = 0; group < groups; group++)
        stored += (size_t)POPCOUNT(LOAD(bitmaps + group * sizeof(WORD)));
    if (stored > available)
        return MPC_SHORT;

    __m512i sum = _mm512_setzero_si512(); /* in all lanes, of the words so far */
    for (unsigned group = 0; group < groups; group++, bitmaps += sizeof(WORD)) {
        __m512i planes[NAME(group_vectors)], v[NAME(group_vectors)];
        for (unsigned i = 0; i < NAME(group_vectors); i++) {
            NAME(mask) mask;
            memcpy(&mask, bitmaps + i * sizeof mask, sizeof mask);
            const __m512i difference = NAME(expand)(mask, _mm512_loadu_si512(words));
            words += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
            const __m512i prefix = NAME(prefix_sum)(difference);
            planes[i] = NAME(add)(prefix, sum);
            sum = NAME(add)(sum, NAME(broadcast_last)(prefix));
        }
        NAME(from_planes)(planes, v);
        for (unsigned i = 0; i < NAME(group_vectors); i++)
            _mm512_storeu_si512((WORD *)values + group * WORD_BITS + i * NAME(lanes), v[i]);
    }
    NAME(sum)(values, groups * NAME(group_vectors), dim);
    return stored;
}

/* SPDX-License-Identifier: MIT
 * A segment step by step, for one word type. The includer defines WORD, WORD_BITS, NAME(), LOAD and POPCOUNT,
 * and the steps that it has its own way with: NAME(transpose), NAME(pack), NAME(unpack) and NAME(sum). */
#include "codec/mpc/cost_tmpl.h"

static size_t NAME(encode)(const void *values, unsigned groups, unsigned dim, uint8_t *bitmaps,
                           uint8_t *words)
{
    alignas(32) WORD v[MPC_SEGMENT];
    const WORD *const word = values;
    const unsigned count = groups * WORD_BITS;
    /* Two loops, so that the second is one for vectors. */
    for (unsigned i = 0; i < MPC_MAX_DIM; i++)
        v[i] = word[i] - (i < dim ? 0 : word[i - dim]);
    const WORD *const before = word + MPC_MAX_DIM - dim;
    for (unsigned i = 0; i < count - MPC_MAX_DIM; i++)
        v[MPC_MAX_DIM + i] = word[MPC_MAX_DIM + i] - before[i];
    NAME(transpose)(v, groups);
    return (size_t)(NAME(pack)(v, groups, bitmaps, words) - words) / sizeof(WORD);
}

static size_t NAME(decode)(const uint8_t *bitmaps, const uint8_t *words, size_t available, unsigned groups,
                           unsigned dim, void *values)
{
    alignas(32) WORD v[MPC_SEGMENT];
    size_t stored = 0;
    for (unsigned group = 0; group < groups; group++)
        stored += (size_t)POPCOUNT(LOAD(bitmaps + group * sizeof(WORD)));
    if (stored > available)
        return MPC_SHORT;
    NAME(unpack)(bitmaps, words, groups, v);
    NAME(transpose)(v, groups);
    NAME(sum)(v, groups * WORD_BITS, dim, values);
    return stored;
}

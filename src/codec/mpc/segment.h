/* SPDX-License-Identifier: MIT
 * Codes a segment step by step, for levels with their own version of each step: they define what is declared
 * here. */
#ifndef FPGZ_CODEC_MPC_SEGMENT_H
#define FPGZ_CODEC_MPC_SEGMENT_H

#include <stdalign.h>

#include "codec/mpc/cost.h"
#include "codec/mpc/mpc.h"
#include "codec/width.h"

/* BIT: bit i of word L becomes bit L of word i, in each group. Its own inverse. */
static void transpose(WORD *v, unsigned groups);

/* LNV1 and ZE. Returns the words' end. */
static uint8_t *pack(const WORD *v, unsigned groups, uint8_t *bitmaps, uint8_t *words);
static void unpack(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, WORD *v);

/* Undoes LNVdim. */
static void sum(const WORD *v, unsigned count, unsigned dim, WORD *values);

static size_t encode(const void *values, unsigned groups, unsigned dim, uint8_t *bitmaps, uint8_t *words)
{
    alignas(32) WORD v[MPC_SEGMENT];
    const WORD *const word = values;
    const unsigned count = groups * WORD_BITS;
    /* Two loops, so that the second one becomes a vector loop. */
    for (unsigned i = 0; i < MPC_MAX_DIM; i++)
        v[i] = word[i] - (i < dim ? 0 : word[i - dim]);
    const WORD *const before = word + MPC_MAX_DIM - dim;
    for (unsigned i = 0; i < count - MPC_MAX_DIM; i++)
        v[MPC_MAX_DIM + i] = word[MPC_MAX_DIM + i] - before[i];
    transpose(v, groups);
    return (size_t)(pack(v, groups, bitmaps, words) - words) / sizeof(WORD);
}

static size_t decode(const uint8_t *bitmaps, const uint8_t *words, size_t available, unsigned groups,
                     unsigned dim, void *values)
{
    alignas(32) WORD v[MPC_SEGMENT];
    size_t stored = 0;
    for (unsigned group = 0; group < groups; group++)
        stored += (size_t)POPCOUNT(LOAD(bitmaps + group * sizeof(WORD)));
    if (stored > available)
        return MPC_SHORT;
    unpack(bitmaps, words, groups, v);
    transpose(v, groups);
    sum(v, groups * WORD_BITS, dim, values);
    return stored;
}

#endif

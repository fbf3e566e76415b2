/* SPDX-License-Identifier: MIT
 * The way through the values that encoder and decoder share. Whether a value begins with an edge, which is
 * that it differs from the one before, is told by the edges around: two before, five above, three in the
 * plane before. Where there are none, the values up to the next edge are counted instead. Behind an edge may
 * be the value above, that in the plane before, that above to the right, the one before the last edge, or a
 * new one.
 */
#ifndef FPGZ_CODEC_PRANS_PLATEAUS_WALK_H
#define FPGZ_CODEC_PRANS_PLATEAUS_WALK_H

#include <string.h>

#include "codec/prans/plateaus/work.h"
#include "core/bytes.h"

/* A gap that is not yet over. */
struct plateaus_open {
    bool is_open;
    uint64_t gap; /* reading: values that are left; writing: its number */
};

struct plateaus_way {
    struct prans_range edges, gaps;
    uint64_t last_gap[PLATEAUS_KINDS];
    unsigned gap_history[PLATEAUS_KINDS]; /* whether the last two were those before them */
    struct plateaus_open open[PLATEAUS_KINDS];
    uint8_t *values;
    size_t fresh;                 /* new values: that there are; of the encoder, that were found */
    size_t gap_count, edge_bytes; /* of the encoder, which writes gaps behind all edges */
};

enum {
    SEEN = 53,    /* values that one look at edges tells of */
    ABOVE = 5,    /* edges there, from the second before to the second behind, */
    BEHIND = 3,   /* and in the plane before, from one before to one behind */
    OVER = 1 << 2 /* the one straight above, among these */
};

/* Edges from value `at`, or one before the grid, on: at least 57. */
INLINE uint64_t edges_from(const struct plateaus_work *w, size_t at, size_t back)
{
    const size_t bit = w->base + at - back;
    return fpgz_load64(w->edges + bit / 8) >> bit % 8;
}

INLINE uint64_t word_at(const void *values, size_t size, size_t i)
{
    return fpgz_load_word((const uint8_t *)values + i * size, size);
}

/* Marks the edge at value `at`. */
INLINE void mark(const struct plateaus_work *w, size_t at)
{
    w->edges[(w->base + at) / 8] |= (uint8_t)(1 << (w->base + at) % 8);
}

/* The same word from value `at` on. */
INLINE void fill(uint8_t *values, size_t size, size_t at, size_t count, uint64_t word)
{
    for (size_t i = at; i < at + count; i++)
        memcpy(values + i * size, &word, size);
}

/* Codes a gap: whether it is the last one of its kind again, or how long it is. */
static inline uint64_t code_gap(struct plateaus_chances *chances, struct plateaus_way *way, unsigned kind,
                                uint64_t gap)
{
    uint64_t *const last = &way->last_gap[kind];
    unsigned *const history = &way->gap_history[kind];
    const unsigned same = fpgz_prans_range_bit(&way->gaps, &chances->same_gap[kind][*history], gap == *last);
    *history = (*history << 1 | same) & 3;
    if (!same)
        *last = fpgz_prans_range_number(&way->gaps, chances->gap[kind], gap);
    return *last;
}

/* Which of the two references that there are have a value left of them like that left of value i. */
INLINE unsigned kind_of(const struct plateaus_work *w, size_t size, const uint8_t *values, size_t i,
                        uint64_t left)
{
    const bool row = w->row && i > w->row, plane = w->plane && i > w->plane;
    return (unsigned)(row && word_at(values, size, i - w->row - 1) == left) |
           (unsigned)(plane && word_at(values, size, i - w->plane - 1) == left) << 1;
}

/* How many values from `i` on have no edges around, if value i has none: as many as one look tells. */
INLINE size_t quiet_values(const struct plateaus_work *w, size_t i, uint64_t above, uint64_t behind)
{
    uint64_t near = (uint64_t)1 << SEEN;
    for (unsigned k = 0; k < ABOVE; k++)
        near |= above >> k;
    for (unsigned k = 0; k < BEHIND; k++)
        near |= behind >> k;
    const size_t known = w->row ? w->row - 2 : SEEN; /* edges behind those are yet to come */
    return fpgz_min(fpgz_min((size_t)__builtin_ctzll(near), known), w->count - i);
}

/* The value behind the edge at i, among those near, or a new one. False if these are used up. */
INLINE bool pass_edge(const struct plateaus_work *w, struct plateaus_way *way, struct prans_range *edges,
                      size_t size, bool reading, size_t i, uint64_t left, uint64_t before, unsigned around,
                      unsigned history[PLATEAUS_COPIES], size_t *fresh)
{
    uint8_t *const values = way->values;
    const bool row = w->row && i >= w->row, plane = w->plane && i >= w->plane;
    const bool has[PLATEAUS_COPIES] = {row, plane, row, true};
    const uint64_t near[PLATEAUS_COPIES] = {row ? word_at(values, size, i - w->row) : 0,
                                            plane ? word_at(values, size, i - w->plane) : 0,
                                            row ? word_at(values, size, i - w->row + 1) : 0, before},
                   value = reading ? 0 : word_at(values, size, i);
#pragma GCC unroll 4
    for (unsigned c = 0; c < PLATEAUS_COPIES; c++) {
        bool is_new = has[c] && near[c] != left;
#pragma GCC unroll 4
        for (unsigned k = 0; k < c; k++)
            is_new &= !has[k] || near[c] != near[k];
        if (!is_new)
            continue;
        const unsigned hit =
            plateaus_bit(edges, reading, &w->chances->copy[c][around | history[c] << 2], near[c] == value);
        history[c] = (history[c] << 1 | hit) & 3;
        if (hit) {
            fill(values, size, i, reading, near[c]);
            return true;
        }
    }
    if (reading && *fresh == way->fresh)
        return false;
    if (reading)
        memcpy(values + i * size, w->fresh + *fresh * size, size);
    else
        memcpy(w->fresh + *fresh * size, &value, size);
    ++*fresh;
    return true;
}

/* Passes values from *i on that have no edges around. Returns whether an edge is next, though. */
INLINE bool pass_quiet(const struct plateaus_work *w, struct plateaus_way *way, size_t size, bool reading,
                       uint64_t left, unsigned kind, size_t quiet, size_t *i)
{
    struct plateaus_open *const open = &way->open[kind];
    size_t passed;
    if (!open->is_open) {
        open->is_open = true;
        if (reading) {
            open->gap = code_gap(w->chances, way, kind, 0);
        } else {
            open->gap = way->gap_count;
            w->gap[way->gap_count++] = (struct plateaus_gap){kind, 0};
        }
    }
    if (reading) {
        passed = fpgz_min(open->gap, quiet);
        open->gap -= passed;
        fill(way->values, size, *i, passed, left);
    } else {
        passed = fpgz_min((size_t)__builtin_ctzll(edges_from(w, *i, 0) | (uint64_t)1 << SEEN), quiet);
        w->gap[open->gap].values += (uint32_t)passed;
    }
    *i += passed;
    open->is_open = passed == quiet;
    return !open->is_open;
}

/* Walks through all values. False where what is read makes no sense. */
INLINE bool walk(const struct plateaus_work *work, struct plateaus_way *way, size_t size, bool reading)
{
    const struct plateaus_work own = *work, *const w = &own; /* no byte that is written may be a part of it */
    struct prans_range edges = way->edges;
    uint8_t *const values = way->values;
    unsigned history[PLATEAUS_COPIES] = {0}, last = 1; /* last: whether an edge was at the last two values */
    size_t fresh = 1;
    uint64_t before = word_at(reading ? w->fresh : values, size, 0);
    fill(reading ? values : w->fresh, size, 0, 1, before);
    mark(w, 0);
    for (size_t i = 1; i < w->count;) {
        const uint64_t above = w->row ? edges_from(w, i, w->row + 2) : 0,
                       behind = w->plane ? edges_from(w, i, w->plane + 1) : 0,
                       left = word_at(values, size, i - 1);
        const unsigned kind = kind_of(w, size, values, i, left),
                       near = (unsigned)(above & ((1 << ABOVE) - 1)) |
                              (unsigned)(behind & ((1 << BEHIND) - 1)) << ABOVE | last << (ABOVE + BEHIND);
        bool edge = reading ? false : edges_from(w, i, 0) & 1;
        if (near)
            edge = plateaus_bit(&edges, reading, &w->chances->edge[near * PLATEAUS_KINDS + kind], edge);
        else if (pass_quiet(w, way, size, reading, left, kind, quiet_values(w, i, above, behind), &i))
            edge = true;
        else
            continue;
        last = (last << 1 | edge) & 3;
        if (edge) {
            const unsigned around = (unsigned)((above & OVER) != 0) | (kind & 1) << 1;
            if (!pass_edge(w, way, &edges, size, reading, i, left, before, around, history, &fresh))
                return false;
            if (reading)
                mark(w, i);
            before = left;
        } else {
            fill(values, size, i, reading, left);
        }
        i++;
    }
    way->edges = edges;
    if (reading)
        return fresh == way->fresh;
    way->fresh = fresh;
    return true;
}

/* The same for words of so many bytes, which compilers know. */
INLINE bool walk_by_size(const struct plateaus_work *w, struct plateaus_way *way, bool reading)
{
    switch (w->size) {
    case 1:
        return walk(w, way, 1, reading);
    case 2:
        return walk(w, way, 2, reading);
    case 4:
        return walk(w, way, 4, reading);
    default:
        return walk(w, way, 8, reading);
    }
}

#endif

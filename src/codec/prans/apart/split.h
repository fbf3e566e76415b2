/* SPDX-License-Identifier: MIT
 * Which axes of a grid are apart, and where the values of the parts stand. */
#ifndef FPGZ_CODEC_PRANS_APART_SPLIT_H
#define FPGZ_CODEC_PRANS_APART_SPLIT_H

#include "codec/codec.h"

enum { APART_MOST = 1024 /* parts */ };

/* A grid of slow x middle x fast values; part (s, f) are those of one place on the axes that are apart. */
struct apart_split {
    unsigned slow_axes, fast_axes;
    size_t slow, middle, fast; /* products of extents */
    struct fpgz_grid part;     /* of the axes between */
};

/* False if so many axes leave none, or make less than two parts, or too many. */
bool fpgz_prans_apart_split(const struct fpgz_grid *grid, unsigned slow_axes, unsigned fast_axes,
                            struct apart_split *split);

/* Whether the slowest axes, or the fastest ones, make parts. */
bool fpgz_prans_apart_has_parts(const struct fpgz_grid *grid);

/* The fewest axes that make more than one part, which are tried by estimates: the slowest, and the fastest. 0
 * where there are none. */
unsigned fpgz_prans_apart_slow_axes(const struct fpgz_grid *grid);
unsigned fpgz_prans_apart_fast_axes(const struct fpgz_grid *grid);

/* Values of the grid to parts, one behind the other, and back. */
void fpgz_prans_apart_take(const struct apart_split *split, const void *values, void *parts);
void fpgz_prans_apart_put(const struct apart_split *split, const void *parts, void *values);

/* The values of one part: s * fast + f. */
void fpgz_prans_apart_take_one(const struct apart_split *split, const void *values, size_t part, void *to);

/* Puts `count` values from `first` on alone. */
void fpgz_prans_apart_put_some(const struct apart_split *split, const void *parts, uint64_t first,
                               uint64_t count, void *values);

#endif

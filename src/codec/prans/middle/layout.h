/* SPDX-License-Identifier: MIT
 * The order in which the middle setting codes a grid's values, and what its rows are predicted by. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_LAYOUT_H
#define FPGZ_CODEC_PRANS_MIDDLE_LAYOUT_H

#include <stddef.h>

#include "core/grid.h"

enum {
    MIDDLE_BLOCK = 128,       /* values that share a table */
    MIDDLE_SEGMENT = 1 << 16, /* values that share lanes */
    MIDDLE_SEGMENT_BLOCKS = MIDDLE_SEGMENT / MIDDLE_BLOCK,
    MIDDLE_COMPONENTS = 8, /* values of one point that are taken apart, at most */
    MIDDLE_AXES = 3,       /* that rows lie along */
};

/* Values are coded by planes of equal components: those of the fastest axes, if they are few, become the
 * slowest. Rows of this order are predicted by rows before them. */
struct middle_layout {
    size_t values, points; /* points = values / components */
    unsigned components;
    unsigned axes;              /* that rows lie along, at most MIDDLE_AXES */
    size_t extent[MIDDLE_AXES]; /* slowest first, in rows */
    size_t row;                 /* values of a row */
    size_t rows, blocks, segments;
};

/* The rows that predict a row: as many are added as ... */
struct middle_rows {
    unsigned added, taken;
    size_t add[4], take[3]; /* how many values they lie before it */
};

/* The layout of a grid of at most 4 dimensions. */
struct middle_layout fpgz_prans_middle_layout(const struct fpgz_grid *grid);

/* The same values, those of each component as one row. */
struct middle_layout fpgz_prans_middle_joined(const struct middle_layout *layout);

/* The rows that predict row number `row` by the Lorenzo stencil of `axes`. Those outside are zeros. */
struct middle_rows fpgz_prans_middle_rows(const struct middle_layout *layout, unsigned axes, size_t row);

/* The rows one by one, in their order; `rows` of the present one. */
struct middle_cursor {
    const struct middle_layout *layout;
    unsigned axes, usable;
    size_t row, index[MIDDLE_AXES];
    struct middle_rows rows;
};

/* Goes to the first row, to the next one, or to any. */
void fpgz_prans_middle_first(const struct middle_layout *layout, unsigned axes, struct middle_cursor *cursor);
void fpgz_prans_middle_next(struct middle_cursor *cursor);
void fpgz_prans_middle_go(struct middle_cursor *cursor, size_t row);

/* The first value that restoring value `at` takes: that of its row, or of all rows along the axes that
 * predict it. */
size_t fpgz_prans_middle_needed(const struct middle_layout *layout, unsigned axes, size_t at);

/* Values of a slab: rows along the fastest axis that there is, or along more where these are few values. */
size_t fpgz_prans_middle_slab(const struct middle_layout *layout);

/* Values (of `size` bytes) to planes of components, and `count` of them back, from number `first` on. */
void fpgz_prans_middle_split(const struct middle_layout *layout, size_t size, const void *values,
                             void *planes);
void fpgz_prans_middle_join(const struct middle_layout *layout, size_t size, const void *planes, size_t first,
                            size_t count, void *values);

#endif

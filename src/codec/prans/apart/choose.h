/* SPDX-License-Identifier: MIT
 * Whether the parts of a grid are of different kinds. */
#ifndef FPGZ_CODEC_PRANS_APART_CHOOSE_H
#define FPGZ_CODEC_PRANS_APART_CHOOSE_H

#include "codec/prans/apart/split.h"

/* How much values differ in size from part to part. */
enum apart_difference {
    APART_SAME,
    APART_NEAR, /* by an octave, as axes of one space do */
    APART_FAR,  /* by more */
};

/* The same by a sample. */
enum apart_difference fpgz_prans_apart_differ(const struct apart_split *split, const void *values);

/* Boxes for a trial have all values of the grid but those along a long axis, of which each has a run;
 * together they have at most half of them. Returns their number and sets the grid of each. A small grid is a
 * box itself. 0 if there is no such axis. */
unsigned fpgz_prans_apart_boxes(const struct fpgz_grid *grid, struct fpgz_grid *box);

/* Copies one of several. */
void fpgz_prans_apart_box(const struct fpgz_grid *grid, const struct fpgz_grid *box, unsigned number,
                          unsigned boxes, const void *values, void *copy);

#endif

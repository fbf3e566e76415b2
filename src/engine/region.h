/* SPDX-License-Identifier: MIT
 * A box of an array, as --region names it, and the values of the box that a run of the array's values
 * holds. */
#ifndef FPGZ_ENGINE_REGION_H
#define FPGZ_ENGINE_REGION_H

#include "core/content.h"
#include "core/status.h"

/* Reads "10:20,:,-5:,7" as NumPy would, for an array of these extents: half-open, negative bounds count from
 * the end, left out ones and axes mean all; a lone index is an extent of 1. FPGZ_USAGE for what is no region,
 * and for bounds beyond the extents. NULL: all. */
enum fpgz_status fpgz_region_parse(const char *text, const uint64_t *extent, unsigned dims,
                                   struct fpgz_box *box, struct fpgz_error *error);

/* Values in the box. */
uint64_t fpgz_box_values(const struct fpgz_box *box);

/* Merges the last axes of the box into one, as far as the box takes these axes whole. `extent`, that of the
 * array, is merged with them. */
void fpgz_box_merge(struct fpgz_box *box, uint64_t *extent);

/* The part of `box` that lies in piece `number` of an array of pieces, in indexes of the piece, whose
 * extents are cut at the array's edges. *offset receives where this part begins in the output, whose axes
 * have these strides. False when the piece has no value of the box. */
bool fpgz_box_of_piece(const struct fpgz_box *box, const struct fpgz_part *part, uint64_t number,
                       const uint64_t *stride, struct fpgz_box *within, uint64_t *offset);

/* Whether any of the values [*first, *first + *count) of a dense row-major array of extents `extent` lie
 * in the box. If so, narrows *first and *count: the range then begins with the first such value and ends at
 * or behind the last one. */
bool fpgz_box_meets(const struct fpgz_box *box, const uint64_t *extent, uint64_t *first, uint64_t *count);

/* Where the values of a box go: axis d has a stride of stride[d] bytes, and the box's first value stands
 * `offset` bytes behind data. The offset may be negative where only a part of the box is there. */
struct fpgz_box_target {
    uint8_t *data;
    int64_t offset;
    uint64_t stride[FPGZ_MAX_DIMS];
};

/* Copies the box's values among the `count` values, of `size` bytes each, that stand at `values` and have
 * the indexes from `first` on in the array. */
void fpgz_box_copy(const struct fpgz_box *box, const uint64_t *extent, const uint8_t *values, uint64_t first,
                   uint64_t count, size_t size, const struct fpgz_box_target *target);

/* How many of the box's values, in row-major order, come before index `first` of the array. */
uint64_t fpgz_box_before(const struct fpgz_box *box, const uint64_t *extent, uint64_t first);

#endif

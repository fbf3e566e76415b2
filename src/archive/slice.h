/* SPDX-License-Identifier: MIT
 * What is taken out of an array: all of it, or a region, as runs of its values come in. */
#ifndef FPGZ_ARCHIVE_SLICE_H
#define FPGZ_ARCHIVE_SLICE_H

#include "core/buffer.h"
#include "engine/region.h"

struct fpgz_slice {
    const struct fpgz_part *part;
    struct fpgz_array out;          /* what it becomes: dense, row-major */
    bool ordered;                   /* the part's sequence brings the values of `out` in their order */
    uint64_t extent[FPGZ_MAX_DIMS]; /* of the array, and the box in it, by their axes in the file; */
    struct fpgz_box box;            /* where `ordered`, merged */
    uint64_t stride[FPGZ_MAX_DIMS]; /* of these axes in `out`, in bytes */
    uint8_t *canvas;                /* unless `ordered`: all of `out`, for runs in any order */
    size_t bytes;                   /* of `out` */
};

/* The shape as a user indexes it: reversed where the part is column-major. */
void fpgz_slice_shape(const struct fpgz_part *part, const struct fpgz_array *shape,
                      struct fpgz_array *indexed);

/* Plans the slice of a part that a box of that shape names; the box must lie within it. */
void fpgz_slice_of_box(struct fpgz_slice *slice, const struct fpgz_part *part, const struct fpgz_array *shape,
                       const struct fpgz_box *box, enum fpgz_order order);

/* Plans the slice of a part whose array has the shape `shape` (the part's may have an unknown extent) that
 * --region's text names (NULL: all), in byte order `order`. */
enum fpgz_status fpgz_slice_begin(struct fpgz_slice *slice, const struct fpgz_part *part,
                                  const struct fpgz_array *shape, const char *region, enum fpgz_order order,
                                  struct fpgz_error *error);

/* Makes room for what comes in any order. */
enum fpgz_status fpgz_slice_open(struct fpgz_slice *slice, struct fpgz_error *error);

/* Whether the slice needs any of the values [*first, *first + *count) of the part's sequence, which are then
 * narrowed to those that it does. */
bool fpgz_slice_needs(const struct fpgz_slice *slice, uint64_t *first, uint64_t *count);

/* Takes the values [first, first + count), in `out`'s byte order, at `values`: to the canvas or, where the
 * slice is ordered, to `piece`, whose length *bytes receives. The slice needs some of them. False without
 * memory. Any number of them may run at once. */
bool fpgz_slice_take(const struct fpgz_slice *slice, const uint8_t *values, uint64_t first, uint64_t count,
                     struct fpgz_buffer *piece, size_t *bytes);

void fpgz_slice_free(struct fpgz_slice *slice);

#endif

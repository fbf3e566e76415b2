/* SPDX-License-Identifier: MIT
 * The values that are taken out of an array (all, or a region), as runs of the array's values come in. */
#ifndef FPGZ_ARCHIVE_SLICE_H
#define FPGZ_ARCHIVE_SLICE_H

#include "core/buffer.h"
#include "engine/region.h"

struct fpgz_slice {
    const struct fpgz_part *part;
    struct fpgz_array out;          /* the array that results: dense, row-major */
    bool dense;                     /* the part's sequence is the array in row-major order */
    bool ordered;                   /* the part's sequence brings the values of `out` in their order */
    uint64_t extent[FPGZ_MAX_DIMS]; /* of the array, or of its bands. It and the box in it have their axes as
                                       in the file; */
    struct fpgz_box box;            /* where `ordered`, their last axes are merged */
    uint64_t stride[FPGZ_MAX_DIMS]; /* of these axes in `out`, in bytes */
    uint8_t *canvas;                /* unless `ordered`: all of `out`, for runs in any order */
    size_t bytes;                   /* of `out` */
};

/* The shape in the order in which users index it: reversed where the part is column-major. */
void fpgz_slice_shape(const struct fpgz_part *part, const struct fpgz_array *shape,
                      struct fpgz_array *indexed);

/* Plans the slice of a part by a box of that shape, in which the box must lie. */
void fpgz_slice_of_box(struct fpgz_slice *slice, const struct fpgz_part *part, const struct fpgz_array *shape,
                       const struct fpgz_box *box, enum fpgz_order order);

/* Plans the slice of a part by the text of --region (NULL: all), in byte order `order`. The array has the
 * shape `shape`, while the part's may have an unknown extent. */
enum fpgz_status fpgz_slice_begin(struct fpgz_slice *slice, const struct fpgz_part *part,
                                  const struct fpgz_array *shape, const char *region, enum fpgz_order order,
                                  struct fpgz_error *error);

/* Makes room for values that come in any order. */
enum fpgz_status fpgz_slice_open(struct fpgz_slice *slice, struct fpgz_error *error);

/* Whether the slice needs any of the values [*first, *first + *count) of the part's sequence. If so,
 * narrows the range to those that it needs. */
bool fpgz_slice_needs(const struct fpgz_slice *slice, uint64_t *first, uint64_t *count);

/* Takes the values [first, first + count), which stand at `values` in `out`'s byte order. They go to the
 * canvas or, where the slice is ordered, to `piece`, whose length *bytes receives. The slice needs some of
 * them. False without memory. Any number of calls may run at once. */
bool fpgz_slice_take(const struct fpgz_slice *slice, const uint8_t *values, uint64_t first, uint64_t count,
                     struct fpgz_buffer *piece, size_t *bytes);

void fpgz_slice_free(struct fpgz_slice *slice);

#endif

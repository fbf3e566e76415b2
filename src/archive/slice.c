/* SPDX-License-Identifier: MIT
 * Cuts a region out of an array's chunks, and brings it into row-major order. */
#include "archive/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/landing.h"
#include "core/bytes.h"

/* Gets memory for all of the output or, where that is much, maps a temporary file. */
static enum fpgz_status make_canvas(struct fpgz_slice *slice, struct fpgz_error *error)
{
    const size_t much = 256 << 20;
    int fd = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS, reason = 0;
    if (slice->bytes > much) {
        flags = MAP_SHARED;
        fd = fpgz_landing_temporary();
        reason = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)slice->bytes);
    }
    void *memory = reason ? MAP_FAILED : mmap(NULL, slice->bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (fd >= 0)
        close(fd);
    if (reason)
        return fpgz_fail(error, FPGZ_IO, "no temporary file of %zu bytes in $TMPDIR: %s", slice->bytes,
                         strerror(reason));
    if (memory == MAP_FAILED)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", slice->bytes);
    slice->canvas = memory;
    return FPGZ_OK;
}

/* Gives the values of missing pieces the fill value. */
static void fill_canvas(const struct fpgz_slice *slice)
{
    const struct fpgz_part *part = slice->part;
    const size_t size = fpgz_dtype_size(part->array.dtype);
    uint8_t value[8];
    for (size_t i = 0; i < size; i++)
        value[i] = part->fill[part->array.order == slice->out.order ? i : size - 1 - i];
    if (fpgz_load64(part->fill))
        for (size_t at = 0; at < slice->bytes; at += size)
            memcpy(slice->canvas + at, value, size);
}

/* Sets the strides of the box's axes in a row-major array of the box alone. */
static void set_strides(struct fpgz_slice *slice, bool reversed)
{
    const unsigned dims = slice->box.dims;
    uint64_t stride = fpgz_dtype_size(slice->part->array.dtype);
    for (unsigned d = dims; d-- > 0;) {
        const unsigned axis = reversed ? dims - 1 - d : d;
        slice->stride[axis] = stride;
        stride *= slice->box.end[axis] - slice->box.first[axis];
    }
}

static bool is_reversed(const struct fpgz_part *part, const struct fpgz_array *shape)
{
    return part->column_major && shape->dims > 1;
}

void fpgz_slice_shape(const struct fpgz_part *part, const struct fpgz_array *shape,
                      struct fpgz_array *indexed)
{
    *indexed = *shape;
    for (unsigned d = 0; is_reversed(part, shape) && d < shape->dims; d++)
        indexed->extent[d] = shape->extent[shape->dims - 1 - d];
}

void fpgz_slice_of_box(struct fpgz_slice *slice, const struct fpgz_part *part, const struct fpgz_array *shape,
                       const struct fpgz_box *box, enum fpgz_order order)
{
    const unsigned dims = shape->dims;
    const bool reversed = is_reversed(part, shape);
    *slice = (struct fpgz_slice){.part = part, .out = *shape, .box = {.dims = dims}};
    memcpy(slice->extent, shape->extent, sizeof slice->extent);
    for (unsigned d = 0; d < dims && part->banded; d++) /* pieces at the edges reach beyond the array */
        slice->extent[d] = fpgz_part_pieces(part, d) * part->piece[d];
    for (unsigned d = 0; d < dims; d++) {
        const unsigned axis = reversed ? dims - 1 - d : d;
        slice->out.extent[d] = box->end[d] - box->first[d];
        slice->box.first[axis] = box->first[d];
        slice->box.end[axis] = box->end[d];
    }
    slice->out.order = order;
    slice->bytes = fpgz_box_values(box) * fpgz_dtype_size(shape->dtype);
    slice->dense = part->banded || fpgz_part_in_order(part);
    slice->ordered = slice->dense && !reversed;
    if (slice->ordered)
        fpgz_box_merge(&slice->box, slice->extent);
    set_strides(slice, reversed);
}

enum fpgz_status fpgz_slice_begin(struct fpgz_slice *slice, const struct fpgz_part *part,
                                  const struct fpgz_array *shape, const char *region, enum fpgz_order order,
                                  struct fpgz_error *error)
{
    struct fpgz_array indexed;
    struct fpgz_box box;
    *slice = (struct fpgz_slice){.part = part};
    fpgz_slice_shape(part, shape, &indexed);
    if (!fpgz_region_parse(region, indexed.extent, indexed.dims, &box, error))
        fpgz_slice_of_box(slice, part, shape, &box, order);
    return error->status;
}

enum fpgz_status fpgz_slice_open(struct fpgz_slice *slice, struct fpgz_error *error)
{
    if (!slice->ordered && slice->bytes && !make_canvas(slice, error))
        fill_canvas(slice);
    return error->status;
}

/* The values that a piece of an FPGZ_PIECES array has of the slice. */
struct share {
    struct fpgz_box within;
    uint64_t offset;        /* in the output */
    uint64_t start;         /* of the piece in the sequence */
    uint64_t first, values; /* that are needed, in the piece */
};

/* Finds the next piece, from value *at to before `end` of the sequence, that has values of the slice.
 * Moves *at behind it. */
static bool next_share(const struct fpgz_slice *slice, uint64_t *at, uint64_t end, struct share *share)
{
    const struct fpgz_part *part = slice->part;
    const size_t size = fpgz_dtype_size(part->array.dtype);
    while (*at < end) {
        const struct fpgz_run *run = fpgz_place_run(&part->place, *at * size);
        const uint64_t piece = (*at * size - run->at) / run->bytes, values = run->bytes / size;
        share->start = run->at / size + piece * values;
        share->first = *at - share->start;
        share->values = fpgz_min(values - share->first, end - *at);
        *at += share->values;
        if (fpgz_box_of_piece(&slice->box, part, run->number + piece, slice->stride, &share->within,
                              &share->offset) &&
            fpgz_box_meets(&share->within, part->piece, &share->first, &share->values))
            return true;
    }
    return false;
}

bool fpgz_slice_needs(const struct fpgz_slice *slice, uint64_t *first, uint64_t *count)
{
    if (slice->dense)
        return fpgz_box_meets(&slice->box, slice->extent, first, count);
    struct share share;
    uint64_t at = *first;
    const uint64_t end = *first + *count;
    if (!next_share(slice, &at, end, &share))
        return false;
    *first = share.start + share.first;
    do {
        *count = share.start + share.first + share.values - *first;
    } while (next_share(slice, &at, end, &share));
    return true;
}

bool fpgz_slice_take(const struct fpgz_slice *slice, const uint8_t *values, uint64_t first, uint64_t count,
                     struct fpgz_buffer *piece, size_t *bytes)
{
    const size_t size = fpgz_dtype_size(slice->part->array.dtype);
    struct fpgz_box_target target = {.data = slice->canvas};
    memcpy(target.stride, slice->stride, sizeof target.stride);
    if (slice->ordered) {
        const uint64_t before = fpgz_box_before(&slice->box, slice->extent, first);
        *bytes = (fpgz_box_before(&slice->box, slice->extent, first + count) - before) * size;
        if (!fpgz_buffer_reserve(piece, *bytes))
            return false;
        target.data = piece->data;
        target.offset = -(int64_t)(before * size);
    }
    if (slice->dense) {
        fpgz_box_copy(&slice->box, slice->extent, values, first, count, size, &target);
        return true;
    }
    struct share share;
    for (uint64_t at = first; next_share(slice, &at, first + count, &share);) {
        target.offset = (int64_t)share.offset;
        fpgz_box_copy(&share.within, slice->part->piece, values + (share.start + share.first - first) * size,
                      share.first, share.values, size, &target);
    }
    return true;
}

void fpgz_slice_free(struct fpgz_slice *slice)
{
    if (slice->canvas)
        munmap(slice->canvas, slice->bytes);
    slice->canvas = NULL;
}

/* SPDX-License-Identifier: MIT
 * Looks for the axes of arrays in their repetitions, as the guess of raw files does. */
#include "archive/folding.h"

#include <string.h>

#include "archive/coder.h"
#include "archive/guess.h"
#include "core/bytes.h"
#include "core/gather.h"

enum {
    LEAST_LEVEL = 4,
    LEAST_BYTES = 64 << 10,
    MOST_PARTS = 64,        /* that are tried in a file: the first ones */
    COMPONENTS = 16,        /* of a value, at most */
    SAMPLE_BYTES = 4 << 20, /* from the front */
    LONG_STRETCH = 1 << 20, /* chunks end where such ones do, and rows would not */
};

/* Values of one index along the slowest axis, as the part's sequence has them. */
static uint64_t components(const struct fpgz_part *part)
{
    uint64_t values = 1;
    for (unsigned d = 1; d < part->array.dims; d++)
        values *= part->layout == FPGZ_PIECES ? part->piece[d] : part->array.extent[d];
    return values;
}

/* Whether the sequence of the part is that of its values, but for what is behind its end. */
static bool is_sequence(const struct fpgz_part *part)
{
    if (part->layout != FPGZ_PIECES)
        return part->layout == FPGZ_DENSE;
    for (unsigned d = 1; d < part->array.dims; d++)
        if (part->piece[d] != part->array.extent[d])
            return false;
    if (part->filters.count) /* their undoing again would take long */
        return part->unfiltered && part->piece[0] == part->array.extent[0];
    return fpgz_part_has_all(part) && part->place.bytes / fpgz_place_spans(&part->place) < LONG_STRETCH;
}

static bool is_tried(const struct fpgz_part *part)
{
    return part->place.bytes >= LEAST_BYTES && !part->carrier && !part->fields && !part->general &&
           is_sequence(part) && components(part) <= COMPONENTS;
}

static void fold(const struct fpgz_setup *setup, const struct fpgz_area *area, struct fpgz_buffer *sample,
                 struct fpgz_part *part)
{
    const uint64_t step = components(part), row = step * fpgz_dtype_size(part->array.dtype);
    const size_t bytes = fpgz_min(SAMPLE_BYTES, part->place.bytes) / row * row;
    struct fpgz_shape shape = {
        .view = {part->array.dtype, part->array.order}, .dims = step > 1, .extent = {step}};
    const unsigned own = shape.dims;
    uint64_t stopped, checksum;
    if (!part->unfiltered && (!fpgz_buffer_reserve(sample, bytes) ||
                              !fpgz_gather(area, &part->place, 0, sample->data, bytes, &stopped, &checksum)))
        return;
    fpgz_guess_axes(setup, part->unfiltered ? part->unfiltered : sample->data, bytes, &shape);
    if (shape.dims == own || (part->filters.count && part->place.bytes % fpgz_shape_bytes(&shape)))
        return; /* a filtered piece is one chunk, with all of its values */
    part->axes = shape.dims;
    memcpy(part->axis, shape.extent, sizeof part->axis);
}

void fpgz_fold_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content)
{
    const struct fpgz_area area = {input->fd, input->start, &content->image};
    struct fpgz_buffer sample = {0};
    unsigned tried = 0;
    if (fpgz_coder_level(setup, input, content) < LEAST_LEVEL || setup->codec)
        return;
    for (size_t i = 0; i < content->count && tried < MOST_PARTS; i++) {
        if (!is_tried(&content->part[i]))
            continue;
        fold(setup, &area, &sample, &content->part[i]);
        tried++;
    }
    fpgz_buffer_free(&sample);
}

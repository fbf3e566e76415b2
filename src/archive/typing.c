/* SPDX-License-Identifier: MIT
 * Samples of arrays without a type are guessed as raw files are. */
#include "archive/typing.h"

#include <string.h>

#include "archive/guess.h"
#include "core/bytes.h"
#include "core/gather.h"

enum {
    LEAST_BYTES = 16 << 10, /* smaller arrays stay bytes */
    SAMPLE_BYTES = 4 << 20,
    GUESSES = 8, /* of a file: each takes as long as coding some MB */
};

/* What is known of a file's types. */
struct typing {
    const struct fpgz_setup *setup;
    const struct fpgz_input *input;
    struct fpgz_buffer sample;
    unsigned guesses;
    struct fpgz_view last; /* that was found; dtype 0: none was */
};

/* Bytes of one index along the slowest axis. */
static uint64_t row_of(const struct fpgz_part *part)
{
    return part->array.dims > 1 ? part->array.extent[1] : part->place.bytes;
}

/* Guesses from the middle of the part, from the beginning of a row on where that holds several. */
static enum fpgz_status guess(struct typing *t, const struct fpgz_part *part, struct fpgz_shape *shape,
                              bool *known)
{
    enum { STEP = 64 };
    const struct fpgz_area area = {.fd = t->input->fd, .base = t->input->start};
    const size_t bytes = fpgz_min(SAMPLE_BYTES, part->place.bytes);
    const uint64_t unit = part->array.dims > 1 ? row_of(part) : STEP;
    const uint64_t at = (part->place.bytes - bytes) / 2 / unit * unit;
    uint64_t stopped, checksum;
    *known = false;
    t->guesses++;
    if (!fpgz_buffer_reserve(&t->sample, bytes))
        return FPGZ_MEMORY;
    return fpgz_gather(&area, &part->place, at, t->sample.data, bytes, &stopped, &checksum)
               ? fpgz_guess_shape(t->setup, t->sample.data, bytes, shape, known)
               : FPGZ_OK; /* reading it again will tell */
}

/* Makes values of the bytes, and axes of the shape's that fit a row. */
static void apply(const struct fpgz_shape *shape, struct fpgz_part *part)
{
    struct fpgz_array *const array = &part->array;
    const size_t size = fpgz_dtype_size(shape->view.dtype);
    const unsigned rows = array->dims > 1;
    const uint64_t values = row_of(part) / size;
    unsigned first = 0;
    uint64_t inner = fpgz_shape_bytes(shape) / size;
    array->dtype = shape->view.dtype;
    array->order = shape->view.order;
    if (!rows) {
        array->extent[0] = values;
        part->axes = shape->dims;
        memcpy(part->axis, shape->extent, sizeof part->axis);
        return;
    }
    while (first < shape->dims && values % inner)
        inner /= shape->extent[first++];
    array->extent[array->dims - 1] = values / inner;
    if (values == inner && first < shape->dims)
        array->dims--;
    for (; first < shape->dims; first++)
        array->extent[array->dims++] = shape->extent[first];
    if (part->layout == FPGZ_PIECES) {
        memcpy(part->piece, array->extent, sizeof part->piece);
        part->piece[0] = 1;
    }
}

static enum fpgz_status type_part(struct typing *t, struct fpgz_part *part)
{
    struct fpgz_shape shape = {.view = t->last};
    bool known = t->last.dtype;
    if (t->guesses < GUESSES && guess(t, part, &shape, &known))
        return FPGZ_MEMORY;
    if (!known || row_of(part) % fpgz_dtype_size(shape.view.dtype))
        return FPGZ_OK;
    apply(&shape, part);
    t->last = shape.view;
    return FPGZ_OK;
}

enum fpgz_status fpgz_type_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                                 struct fpgz_content *content, struct fpgz_error *error)
{
    struct typing t = {.setup = setup, .input = input};
    for (size_t i = 0; i < content->count && !setup->codec && !error->status; i++)
        if (content->part[i].untyped && content->part[i].place.bytes >= LEAST_BYTES &&
            type_part(&t, &content->part[i]))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for what the file holds");
    fpgz_buffer_free(&t.sample);
    return error->status;
}

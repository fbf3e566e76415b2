/* SPDX-License-Identifier: MIT
 * Codes parts of a sample to see what a type and axes make of them. */
#include "archive/rating.h"

#include <string.h>

#include "archive/coder.h"
#include "codec/codecs.h"
#include "core/bytes.h"

/* The part of its length that the coder makes of about `bytes` of the sample; more than 1 where it cannot.
 * Where there is more, they are from two places. */
static double coded(struct fpgz_sample *s, const struct fpgz_shape *shape, struct fpgz_coder coder,
                    size_t bytes)
{
    struct fpgz_grid grid = {shape->view.dtype, shape->dims + 1, {1, 1, 1, 1}};
    struct fpgz_coded result = {.raw_checksum = 0};
    memcpy(grid.extent + 1, shape->extent, shape->dims * sizeof *shape->extent);
    const size_t row = fpgz_grid_bytes(&grid);
    grid.extent[0] = fpgz_min(bytes, s->length) / row;
    const size_t length = grid.extent[0] * row, first = s->length >= 2 * bytes ? grid.extent[0] / 2 * row : 0;
    const uint8_t *const quarter = s->bytes + s->length / 4 / 64 * 64;
    if (!length || !fpgz_buffer_reserve(&s->buffers.raw, length))
        return 2;
    memcpy(s->buffers.raw.data, quarter, first);
    memcpy((uint8_t *)s->buffers.raw.data + first, first ? s->bytes + s->length / 2 / 64 * 64 : s->bytes,
           length - first);
    coder.swap = shape->view.order == FPGZ_BIG;
    if (fpgz_chunk_encode(&coder, &grid, &s->buffers, &result))
        return 2;
    return (double)result.length / (double)length;
}

void fpgz_sample_rate(struct fpgz_sample *s, struct fpgz_shape *shape, size_t bytes)
{
    enum { FAST_LEVEL = 3, NUMBERS_APART = 2 }; /* there prans takes neither floats nor integers */
    struct fpgz_coder coder = {.level = FPGZ_LEVEL_DEFAULT};
    if (s->setup->level > FAST_LEVEL) {
        fpgz_coder_presume(&coder);
        coder.params.value[PRANS_AS_SHAPED] = 1;
    } else {
        coder.level = NUMBERS_APART;
    }
    shape->ratio = coded(s, shape, coder, bytes);
    shape->rated = bytes;
}

bool fpgz_shape_is_usual(const struct fpgz_shape *shape)
{
    return shape->view.dtype == FPGZ_F32 || shape->view.dtype == FPGZ_F64;
}

void fpgz_shape_prefer(struct fpgz_shape *best, const struct fpgz_shape *shape)
{
    const double margin = fpgz_shape_is_usual(shape) == fpgz_shape_is_usual(best) ? 0.995
                          : fpgz_shape_is_usual(shape)                            ? 1.02
                                                                                  : 0.97;
    if (shape->ratio < margin * best->ratio)
        *best = *shape;
}

size_t fpgz_shape_bytes(const struct fpgz_shape *shape)
{
    size_t bytes = fpgz_dtype_size(shape->view.dtype);
    for (unsigned d = 0; d < shape->dims; d++)
        bytes *= shape->extent[d];
    return bytes;
}

struct fpgz_shape fpgz_shape_with_axis(const struct fpgz_shape *shape, uint64_t extent)
{
    struct fpgz_shape more = *shape;
    memmove(more.extent + 1, more.extent, more.dims * sizeof *more.extent);
    more.extent[0] = extent;
    more.dims++;
    return more;
}

void fpgz_sample_rate_by(struct fpgz_sample *s, struct fpgz_shape *shape, int level, size_t length)
{
    const struct fpgz_coder coder = {.level = level, .unverified = true};
    shape->ratio = coded(s, shape, coder, length);
}

void fpgz_sample_rate_finally(struct fpgz_sample *s, struct fpgz_shape *shape, size_t length)
{
    enum { QUICK_LEVEL = 5 };
    fpgz_sample_rate_by(s, shape, (int)fpgz_min((uint64_t)s->setup->level, QUICK_LEVEL), length);
}

void fpgz_sample_drop_torn(struct fpgz_sample *s, int level, uint64_t size, size_t bytes,
                           struct fpgz_shape *shape)
{
    enum { TORN_PART = 64, TIMES = 3 /* as many bytes are made of a torn row */ };
    struct fpgz_shape flat = {.view = shape->view}, whole = *shape;
    const double rest = (double)(size % fpgz_shape_bytes(shape)) / (double)size;
    if (!shape->dims || rest * TORN_PART < 1)
        return;
    fpgz_sample_rate_by(s, &flat, level, bytes);
    fpgz_sample_rate_by(s, &whole, level, bytes);
    if (flat.ratio <= (1 - rest) * whole.ratio + rest * TIMES * flat.ratio)
        *shape = flat;
}

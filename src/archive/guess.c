/* SPDX-License-Identifier: MIT
 * Codes pieces of a sample as values of each type and under axes that its repetitions suggest. What makes
 * them smallest is taken, if it beats bytes. */
#include "archive/guess.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/coder.h"
#include "archive/lags.h"
#include "core/bytes.h"
#include "core/io.h"
#include "engine/chunk.h"
#include "source/signature.h"

enum {
    LEAST_BYTES = 16 << 10, /* smaller files gain less than a guess takes */
    SAMPLE_BYTES = 4 << 20,
    KEYS = 512 << 10,          /* values among which lags are looked for */
    RECORD_KEYS = 4 << 10,     /* the same for records */
    PIECE_BYTES = 32 << 10,    /* that types are tried with */
    ROWS_BYTES = 128 << 10,    /* the same for rows */
    PLANES_BYTES = 512 << 10,  /* and for planes, at most */
    CHECKED_BYTES = 512 << 10, /* and at the level in force */
    RECORD = 48,               /* the longest record of interleaved values */
    ROWS = 40000,              /* the longest row */
    LISTED = 6,                /* types that rows are looked for with */
    PICKED = 3,
};

/* Types that make so many times the bytes of the best, before axes are known, are dropped. */
#define HOPELESS 1.1
#define HOPELESS_USUAL 1.4

/* A type and the axes behind the first, the slowest. */
struct shape {
    struct fpgz_view view;
    unsigned dims;
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
    double ratio; /* of what it makes of a piece */
};

struct guessing {
    const struct fpgz_setup *setup;
    const uint8_t *sample;
    size_t length;
    uint64_t *key;
    float *cost;
    struct fpgz_chunk_buffers buffers;
};

/* The part of its length that the coder makes of a piece of the sample, about `bytes` long, from `at` on;
 * more than 1 where it cannot. */
static double coded(struct guessing *g, const struct shape *shape, struct fpgz_coder coder, size_t at,
                    size_t bytes)
{
    struct fpgz_grid grid = {shape->view.dtype, shape->dims + 1, {1, 1, 1, 1}};
    struct fpgz_coded result = {.raw_checksum = 0};
    memcpy(grid.extent + 1, shape->extent, shape->dims * sizeof *shape->extent);
    const size_t row = fpgz_grid_bytes(&grid), most = fpgz_min(bytes, g->length - at);
    grid.extent[0] = most / row;
    if (!grid.extent[0] || !fpgz_buffer_reserve(&g->buffers.raw, fpgz_grid_bytes(&grid)))
        return 2;
    memcpy(g->buffers.raw.data, g->sample + at, fpgz_grid_bytes(&grid));
    coder.swap = shape->view.order == FPGZ_BIG;
    if (fpgz_chunk_encode(&coder, &grid, &g->buffers, &result))
        return 2;
    return (double)result.length / (double)fpgz_grid_bytes(&grid);
}

/* The same of two pieces, or of one that is large. */
static void rate_by(struct guessing *g, const struct fpgz_coder *coder, struct shape *shape, size_t bytes)
{
    const size_t far =
        bytes <= CHECKED_BYTES && g->length >= 2 * bytes ? (g->length / 2 + bytes / 2) / 64 * 64 : 0;
    shape->ratio = coded(g, shape, *coder, 0, bytes);
    if (far)
        shape->ratio = (shape->ratio + coded(g, shape, *coder, far, bytes)) / 2;
}

static void rate(struct guessing *g, struct shape *shape, size_t bytes)
{
    struct fpgz_coder coder = {.level = FPGZ_LEVEL_DEFAULT};
    fpgz_coder_presume(&coder);
    rate_by(g, &coder, shape, bytes);
}

static bool is_usual(const struct shape *shape)
{
    return shape->view.dtype == FPGZ_F32 || shape->view.dtype == FPGZ_F64;
}

/* Takes the shape if it is better by more than the noise of samples, which is more between types. */
static void prefer(struct shape *best, const struct shape *shape)
{
    if (shape->ratio < (is_usual(best) && !is_usual(shape) ? 0.97 : 0.995) * best->ratio)
        *best = *shape;
}

static size_t fill_keys(struct guessing *g, const struct fpgz_view *view, size_t most)
{
    const size_t keys = fpgz_min(most, g->length / fpgz_dtype_size(view->dtype));
    fpgz_view_keys(view, g->sample, keys, g->key);
    return keys;
}

/* Bytes of one step along the slowest axis. */
static size_t inner_bytes(const struct shape *shape)
{
    size_t bytes = fpgz_dtype_size(shape->view.dtype);
    for (unsigned d = 0; d < shape->dims; d++)
        bytes *= shape->extent[d];
    return bytes;
}

/* Measures the lags, and picks some. */
static unsigned pick_lags(struct guessing *g, size_t keys, const struct fpgz_lags *lags, unsigned places,
                          size_t number[PICKED])
{
    fpgz_lags_measure(g->key, keys, lags, places, g->cost);
    return fpgz_lags_pick(g->cost, lags->count, PICKED, number);
}

/* Of a lag that few places tell of: the best among it and those beside. */
static uint64_t refine(struct guessing *g, size_t keys, uint64_t lag, uint64_t step)
{
    enum { BESIDE = 3, PLACES = 4096 };
    const struct fpgz_lags lags = {lag > BESIDE * step ? lag - BESIDE * step : step, step, 2 * BESIDE + 1};
    size_t best = 0;
    if (lags.first + (lags.count - 1) * step >= keys)
        return lag;
    fpgz_lags_measure(g->key, keys, &lags, PLACES, g->cost);
    for (size_t i = 1; i < lags.count; i++)
        if (g->cost[i] < g->cost[best])
            best = i;
    return lags.first + best * step;
}

/* Puts an axis behind the slowest of the shape. */
static struct shape with_axis(const struct shape *shape, uint64_t extent)
{
    struct shape more = *shape;
    memmove(more.extent + 1, more.extent, more.dims * sizeof *more.extent);
    more.extent[0] = extent;
    more.dims++;
    return more;
}

/* Rates a type, with values in a row or in records. */
static struct shape rate_view(struct guessing *g, const struct fpgz_view *view)
{
    enum { PLACES = 512 };
    struct shape best = {.view = *view};
    const struct shape base = best;
    const struct fpgz_lags lags = {1, 1, RECORD};
    size_t number[PICKED];
    const unsigned picked = pick_lags(g, fill_keys(g, view, RECORD_KEYS), &lags, PLACES, number);
    rate(g, &best, PIECE_BYTES);
    for (unsigned i = 0; i < picked; i++) {
        struct shape records = with_axis(&base, number[i] + 1);
        rate(g, &records, PIECE_BYTES);
        prefer(&best, &records);
    }
    return best;
}

/* Adds the axis of rows, or of planes, where one is seen and pays: the shortest that does. */
static bool add_axis(struct guessing *g, struct shape *best, size_t keys)
{
    enum { PLACES = 256, WELL = 2048 };
    const size_t step = inner_bytes(best), unit = step / fpgz_dtype_size(best->view.dtype);
    const struct fpgz_lags lags = {unit, unit, fpgz_min(ROWS, keys / 3 / unit)};
    const struct shape base = *best;
    size_t number[PICKED], bytes = ROWS_BYTES;
    if (lags.count < 3)
        return false;
    const unsigned picked = pick_lags(g, keys, &lags, lags.count > WELL ? PLACES : WELL, number);
    for (unsigned i = 0; i < picked; i++)
        number[i] = refine(g, keys, (number[i] + 1) * unit, unit) / unit;
    if (!picked)
        return false;
    bytes = fpgz_min(fpgz_max(bytes, 8 * number[picked - 1] * step), PLANES_BYTES);
    rate(g, best, bytes);
    for (unsigned i = 0; i < picked && best->dims == base.dims; i++) {
        struct shape shape = with_axis(&base, number[i]);
        if (number[i] < 2)
            continue;
        rate(g, &shape, bytes);
        prefer(best, &shape);
    }
    return best->dims > base.dims;
}

/* Of the types of integers, the one in which values differ less. */
static bool is_needless(struct guessing *g, const struct fpgz_view *view)
{
    const struct fpgz_lags near = {1, 1, 1};
    const struct fpgz_view other = {view->dtype + (FPGZ_U16 - FPGZ_I16), view->order};
    float own;
    if (fpgz_dtypes[view->dtype].kind != 'i')
        return false;
    fpgz_lags_measure(g->key, fill_keys(g, view, RECORD_KEYS), &near, RECORD_KEYS, &own);
    fpgz_lags_measure(g->key, fill_keys(g, &other, RECORD_KEYS), &near, RECORD_KEYS, g->cost);
    return g->cost[0] < own;
}

/* Rates all types. The list has the two usual ones, and of all others the best of each size. */
static void rate_types(struct guessing *g, struct shape list[LISTED])
{
    static const enum fpgz_dtype dtypes[] = {FPGZ_F64, FPGZ_F32, FPGZ_I64,  FPGZ_I32,
                                             FPGZ_I16, FPGZ_F16, FPGZ_BF16, FPGZ_U8};
    for (unsigned i = 0; i < LISTED; i++)
        list[i].ratio = 3;
    for (size_t i = 0; i < 2 * sizeof dtypes / sizeof *dtypes - 1; i++) { /* bytes have one order */
        struct fpgz_view view = {dtypes[i / 2], i % 2 ? FPGZ_BIG : FPGZ_LITTLE};
        if (is_needless(g, &view))
            view.dtype += FPGZ_U16 - FPGZ_I16;
        const struct shape shape = rate_view(g, &view);
        const size_t size = fpgz_dtype_size(view.dtype);
        prefer(&list[is_usual(&shape) ? size / 8 : 5u - (size > 1) - (size > 2) - (size > 4)], &shape);
    }
}

/* Rates the shape at the level in force, or nearly so, and with integers for floating-point numbers. */
static void rate_finally(struct guessing *g, struct shape *shape, size_t length)
{
    enum { QUICK_LEVEL = 5 };
    static const enum fpgz_dtype integers[] = {[FPGZ_F32] = FPGZ_I32, [FPGZ_F64] = FPGZ_I64};
    struct shape other = *shape;
    const struct fpgz_coder coder = {.level = (int)fpgz_min((uint64_t)g->setup->level, QUICK_LEVEL),
                                     .unverified = true};
    rate_by(g, &coder, shape, length);
    if (shape->view.dtype > FPGZ_F64)
        return;
    other.view.dtype = integers[shape->view.dtype];
    rate_by(g, &coder, &other, length);
    prefer(shape, &other);
}

static bool is_hopeless(const struct shape *shape, double least)
{
    return shape->ratio > least * (is_usual(shape) ? HOPELESS_USUAL : HOPELESS);
}

/* The best type, with what axes it has. False where that hardly beats bytes. */
static bool find_shape(struct guessing *g, struct shape *best)
{
    struct shape list[LISTED], bytes = {.view = {FPGZ_U8, FPGZ_LITTLE}};
    size_t length = CHECKED_BYTES;
    unsigned count = 0;
    double least = 3;
    rate_types(g, list);
    for (unsigned i = 0; i < LISTED; i++) {
        rate(g, &list[i], ROWS_BYTES);
        least = list[i].ratio < least ? list[i].ratio : least;
    }
    for (unsigned i = 0; i < LISTED; i++)
        if (!is_hopeless(&list[i], least))
            list[count++] = list[i];
    for (unsigned i = 0; i < count; i++) {
        const size_t keys = fill_keys(g, &list[i].view, KEYS);
        while (list[i].dims + 1 < FPGZ_MAX_CODING_DIMS && add_axis(g, &list[i], keys))
            ;
        length = fpgz_max(length, 8 * inner_bytes(&list[i]));
    }
    *best = (struct shape){.ratio = 3};
    for (unsigned i = 0; i < count; i++) {
        rate_finally(g, &list[i], fpgz_min(length, PLANES_BYTES));
        prefer(best, &list[i]);
    }
    rate_finally(g, &bytes, fpgz_min(length, PLANES_BYTES));
    return inner_bytes(best) > 1 && best->ratio < 0.97 * bytes.ratio;
}

/* The sample: the middle of a file, or the front of a pipe. */
static enum fpgz_status take_sample(const struct fpgz_setup *setup, const struct fpgz_input *input,
                                    struct fpgz_buffer *front, size_t *got, struct fpgz_error *error)
{
    bool compressed = false;
    *got = 0;
    if (input->sized &&
        (input->size < LEAST_BYTES || fpgz_signature(input->fd, input->start, input->path, &compressed)))
        return FPGZ_OK;
    if (!fpgz_buffer_reserve(front, SAMPLE_BYTES))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const uint64_t middle = input->size > SAMPLE_BYTES ? (input->size - SAMPLE_BYTES) / 2 / 64 * 64 : 0;
    const bool ok = input->sized
                        ? fpgz_read_at(input->fd, front->data, fpgz_min(SAMPLE_BYTES, input->size),
                                       input->start + middle, got)
                        : fpgz_read(input->fd, front->data, fpgz_min(SAMPLE_BYTES, setup->chunk), got);
    return ok ? FPGZ_OK : fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
}

static void apply(const struct shape *shape, struct fpgz_part *part)
{
    const size_t size = fpgz_dtype_size(shape->view.dtype);
    part->array.dtype = shape->view.dtype;
    part->array.order = shape->view.order;
    if (part->array.extent[0] != FPGZ_UNKNOWN)
        part->array.extent[0] /= size;
    part->axes = shape->dims;
    memcpy(part->axis, shape->extent, sizeof part->axis);
}

bool fpgz_guess_is_open(const struct fpgz_setup *setup, const struct fpgz_content *content)
{
    const struct fpgz_array *const array = &content->part->array;
    return content->kind == FPGZ_KIND_RAW && array->dtype == FPGZ_U8 && array->dims == 1 &&
           !setup->raw.has_dtype && !setup->codec;
}

enum fpgz_status fpgz_guess(const struct fpgz_setup *setup, const struct fpgz_input *input,
                            struct fpgz_content *content, struct fpgz_buffer *front, size_t *got,
                            struct fpgz_error *error)
{
    struct guessing g = {.setup = setup};
    if (take_sample(setup, input, front, got, error) || *got < LEAST_BYTES)
        return error->status;
    g.sample = front->data;
    g.length = *got;
    g.key = malloc(KEYS * sizeof *g.key);
    g.cost = malloc((ROWS + RECORD) * sizeof *g.cost);
    if (!g.key || !g.cost) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    } else {
        struct shape shape;
        if (find_shape(&g, &shape) && (!input->sized || !(input->size % fpgz_dtype_size(shape.view.dtype))))
            apply(&shape, content->part);
    }
    fpgz_chunk_buffers_free(&g.buffers);
    free(g.key);
    free(g.cost);
    return error->status;
}

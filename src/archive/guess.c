/* SPDX-License-Identifier: MIT
 * Codes pieces of a sample as values of each type and under axes that its repetitions suggest. What makes
 * them smallest is taken, if it beats bytes. */
#include "archive/guess.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/coder.h"
#include "archive/views.h"
#include "core/bytes.h"
#include "core/io.h"
#include "source/signature.h"

enum {
    LEAST_BYTES = 16 << 10, /* smaller files gain less than a guess takes */
    SAMPLE_BYTES = 4 << 20,
    KEYS = 512 << 10,         /* values among which lags are looked for */
    PIECE_BYTES = 32 << 10,   /* that types are tried with */
    ROWS_BYTES = 256 << 10,   /* the same for rows */
    PLANES_BYTES = 512 << 10, /* and for planes, usually at most */
    MOST_BYTES = 1 << 20,
    ROWS = 40000, /* the longest row */
    LISTED = 4,   /* types that rows are looked for with: one of each size */
    PICKED = 3,
};

/* Types that make so many times the bytes of the best, before axes are known, are dropped. */
#define HOPELESS 1.1
#define HOPELESS_USUAL 1.3
#define HOPELESS_WIDE 1.06
#define HOPELESS_ROWS 1.03 /* the same once they are known, or much of the sample was rated */
#define WHOLE 0.985        /* values are whole where their parts are not smaller than this */
#define HARD 0.85          /* a fast codec that makes so much of bytes is hardly beaten */

/* Measures the lags, and picks some. */
static unsigned pick_lags(struct fpgz_guessing *g, size_t keys, const struct fpgz_lags *lags, unsigned places,
                          size_t number[PICKED])
{
    fpgz_lags_measure(g->key, keys, lags, places, g->cost);
    return fpgz_lags_pick(g->cost, lags->count, PICKED, number);
}

/* Of a lag that few places tell of: the best among it and those beside. */
static uint64_t refine(struct fpgz_guessing *g, size_t keys, uint64_t lag, uint64_t step)
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

/* Rates a type as records, where values repeat like that. */
static void rate_records(struct fpgz_guessing *g, struct fpgz_shape *best)
{
    enum { PLACES = 512 };
    const struct fpgz_shape base = *best;
    const struct fpgz_lags lags = {1, 1, FPGZ_RECORD};
    size_t number[PICKED];
    const unsigned picked =
        pick_lags(g, fpgz_guessing_keys(g, &base.view, FPGZ_RECORD_KEYS), &lags, PLACES, number);
    for (unsigned i = 0; i < picked; i++) {
        struct fpgz_shape records = fpgz_shape_with_axis(&base, number[i] + 1);
        fpgz_sample_rate(&g->sample, &records, PIECE_BYTES);
        fpgz_shape_prefer(best, &records);
    }
}

/* How much of the sample tells whether an axis pays that makes steps of `step` bytes: several whole steps. 0
 * where it does not tell. */
static size_t enough_for(const struct fpgz_guessing *g, size_t step)
{
    enum { FEW = 3, SEVERAL = 12 };
    const size_t usual = fpgz_min(fpgz_max(ROWS_BYTES, SEVERAL * step), PLANES_BYTES),
                 most = fpgz_min(MOST_BYTES, g->sample.length);
    return FEW * step > most ? 0 : fpgz_min(fpgz_max(usual, FEW * step), most) / step * step;
}

/* Adds the axis of rows, or of planes, where one is seen and pays: the shortest that does. The ratio falls as
 * that of the part of the sample which tells. */
static bool add_axis(struct fpgz_guessing *g, struct fpgz_shape *best, size_t keys)
{
    enum { PLACES = 128, WELL = 2048 };
    const size_t step = fpgz_shape_bytes(best), unit = step / fpgz_dtype_size(best->view.dtype);
    const struct fpgz_lags lags = {unit, unit, fpgz_min(ROWS, keys / 3 / unit)};
    struct fpgz_shape base = *best;
    size_t number[PICKED];
    if (lags.count < 3)
        return false;
    const unsigned picked = pick_lags(g, keys, &lags, lags.count > WELL ? PLACES : WELL, number);
    for (unsigned i = 0; i < picked; i++) {
        const uint64_t extent = refine(g, keys, (number[i] + 1) * unit, unit) / unit;
        const size_t bytes = enough_for(g, extent * step);
        struct fpgz_shape shape = fpgz_shape_with_axis(&base, extent), preferred;
        if (extent < 2 || !bytes)
            continue;
        if (bytes > base.rated + base.rated / 32 || bytes < base.rated - base.rated / 32)
            fpgz_sample_rate(&g->sample, &base, bytes);
        fpgz_sample_rate(&g->sample, &shape, bytes);
        preferred = base;
        fpgz_shape_prefer(&preferred, &shape);
        if (preferred.dims == base.dims)
            continue;
        if (base.ratio != best->ratio) {
            shape.ratio *= best->ratio / base.ratio;
            shape.rated = 0; /* so many bytes were not */
        }
        *best = shape;
        return true;
    }
    return false;
}

static void add_axes(struct fpgz_guessing *g, struct fpgz_shape *shape)
{
    const size_t keys = fpgz_guessing_keys(g, &shape->view, KEYS);
    while (shape->dims + 1 < FPGZ_MAX_CODING_DIMS && add_axis(g, shape, keys))
        ;
}

/* Rates all types, but those that cannot be the best. The list has the best of each size. */
static void rate_types(struct fpgz_guessing *g, struct fpgz_shape list[LISTED])
{
    static const enum fpgz_dtype dtypes[] = {FPGZ_F64, FPGZ_F32, FPGZ_I64,  FPGZ_I32,
                                             FPGZ_I16, FPGZ_F16, FPGZ_BF16, FPGZ_U8};
    enum { VIEWS = 2 * sizeof dtypes / sizeof *dtypes - 1 }; /* bytes have one order */
    struct fpgz_shape shape[VIEWS];
    unsigned count = 0;
    double least = 3, words = 0;
    for (unsigned i = 0; i < LISTED; i++)
        list[i] = (struct fpgz_shape){.view = {FPGZ_U8, FPGZ_LITTLE}, .ratio = 3};
    for (size_t i = 0; i < VIEWS; i++) {
        struct fpgz_view view = {dtypes[i / 2], i % 2 ? FPGZ_BIG : FPGZ_LITTLE};
        if (fpgz_view_is_noise(g, &view))
            continue;
        if (fpgz_view_is_needless(g, &view))
            view.dtype += FPGZ_U16 - FPGZ_I16;
        shape[count] = (struct fpgz_shape){.view = view};
        const bool usual = fpgz_shape_is_usual(&shape[count]);
        if ((!usual && fpgz_view_cannot_beat(g, &view, least)) ||
            (fpgz_dtype_size(view.dtype) == 2 && words > HOPELESS * least))
            continue;
        fpgz_sample_rate(&g->sample, &shape[count], PIECE_BYTES);
        least = shape[count].ratio < least ? shape[count].ratio : least;
        if (dtypes[i / 2] == FPGZ_I16) /* other types of its size are like it */
            words = shape[count].ratio < words || i % 2 == 0 ? shape[count].ratio : words;
        count++;
    }
    for (unsigned i = 0; i < count; i++) {
        if (shape[i].ratio < least * (fpgz_shape_is_usual(&shape[i]) ? HOPELESS_USUAL : HOPELESS))
            rate_records(g, &shape[i]);
        fpgz_shape_prefer(&list[LISTED - 1 - __builtin_ctz((unsigned)fpgz_dtype_size(shape[i].view.dtype))],
                          &shape[i]);
    }
}

/* Takes integers for floating-point numbers where that pays. */
static void try_integers(struct fpgz_guessing *g, struct fpgz_shape *shape, size_t length)
{
    static const enum fpgz_dtype integers[] = {[FPGZ_F32] = FPGZ_I32, [FPGZ_F64] = FPGZ_I64};
    struct fpgz_shape other = *shape;
    if (shape->view.dtype > FPGZ_F64)
        return;
    other.view.dtype = integers[shape->view.dtype];
    if (fpgz_view_cannot_beat(g, &other.view, shape->ratio))
        return;
    fpgz_sample_rate(&g->sample, &other, length);
    if (other.ratio < shape->ratio)
        fpgz_sample_rate_finally(&g->sample, &other, length);
    fpgz_shape_prefer(shape, &other);
}

/* Whether the shape is records of parts of the values that another one of the list has, and hardly better. */
static bool is_of_parts(const struct fpgz_shape *list, unsigned count, const struct fpgz_shape *shape)
{
    const size_t size = fpgz_dtype_size(shape->view.dtype), step = fpgz_shape_bytes(shape);
    bool part = false;
    for (unsigned i = 0; i < count; i++) {
        const size_t wider = fpgz_dtype_size(list[i].view.dtype);
        part |= wider > size && step % wider == 0 && shape->ratio > WHOLE * list[i].ratio;
    }
    return part;
}

/* Drops what makes so many times the bytes of the best. Returns how many are left. */
static unsigned drop_hopeless(struct fpgz_shape *list, unsigned count, double usual, double others)
{
    bool kept[LISTED];
    double least = 3;
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++)
        least = list[i].ratio < least ? list[i].ratio : least;
    for (unsigned i = 0; i < count; i++)
        kept[i] = list[i].ratio <= least * (fpgz_shape_is_usual(&list[i]) ? usual : others) &&
                  !is_of_parts(list, count, &list[i]);
    for (unsigned i = 0; i < count; i++)
        if (kept[i])
            list[left++] = list[i];
    return left;
}

/* Whether the shape is clearly smaller than bytes. What a fast codec makes of these mostly tells. */
static bool beats_bytes(struct fpgz_guessing *g, struct fpgz_shape *shape, size_t length)
{
    struct fpgz_shape bytes = {.view = {FPGZ_U8, FPGZ_LITTLE}};
    fpgz_sample_rate_by(&g->sample, &bytes, 1, length);
    if (shape->ratio < bytes.ratio * (bytes.ratio > HARD ? 0.8 : 0.6))
        return true;
    fpgz_sample_rate_finally(&g->sample, shape, length);
    fpgz_sample_rate_finally(&g->sample, &bytes, length);
    return shape->ratio < 0.97 * bytes.ratio;
}

/* The best type, with what axes it has. False where that hardly beats bytes. */
static bool find_shape(struct fpgz_guessing *g, struct fpgz_shape *best)
{
    struct fpgz_shape list[LISTED];
    size_t length = PLANES_BYTES;
    rate_types(g, list);
    unsigned count = drop_hopeless(list, LISTED, HOPELESS_USUAL, HOPELESS);
    for (unsigned i = 0; i < count && count > 1; i++)
        fpgz_sample_rate(&g->sample, &list[i], ROWS_BYTES);
    count = drop_hopeless(list, count, HOPELESS_WIDE, HOPELESS_ROWS);
    for (unsigned i = 0; i < count; i++) {
        add_axes(g, &list[i]);
        length = fpgz_max(length, enough_for(g, fpgz_shape_bytes(&list[i])));
    }
    count = drop_hopeless(list, count, HOPELESS_ROWS, HOPELESS_ROWS);
    *best = (struct fpgz_shape){.ratio = 3};
    for (unsigned i = 0; i < count; i++) {
        if (count > 1)
            fpgz_sample_rate_finally(&g->sample, &list[i], length);
        else if (list[i].rated < ROWS_BYTES)
            fpgz_sample_rate(&g->sample, &list[i], length);
        fpgz_shape_prefer(best, &list[i]);
    }
    try_integers(g, best, length);
    return fpgz_shape_bytes(best) > 1 && beats_bytes(g, best, length);
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

static void apply(const struct fpgz_shape *shape, struct fpgz_part *part)
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

static bool begin(struct fpgz_guessing *g, const struct fpgz_setup *setup, const uint8_t *sample,
                  size_t length)
{
    *g = (struct fpgz_guessing){.sample = {.setup = setup, .bytes = sample, .length = length}};
    g->key = malloc(KEYS * sizeof *g->key);
    g->cost = malloc((ROWS + FPGZ_RECORD) * sizeof *g->cost);
    return g->key && g->cost;
}

static void end(struct fpgz_guessing *g)
{
    fpgz_chunk_buffers_free(&g->sample.buffers);
    free(g->key);
    free(g->cost);
}

void fpgz_guess_axes(const struct fpgz_setup *setup, const uint8_t *sample, size_t length,
                     struct fpgz_shape *shape)
{
    struct fpgz_guessing g;
    if (begin(&g, setup, sample, length))
        add_axes(&g, shape);
    end(&g);
}

enum fpgz_status fpgz_guess_shape(const struct fpgz_setup *setup, const uint8_t *sample, size_t length,
                                  struct fpgz_shape *shape, bool *known)
{
    struct fpgz_guessing g;
    const bool ok = begin(&g, setup, sample, length);
    *known = ok && length >= LEAST_BYTES && find_shape(&g, shape);
    end(&g);
    return ok ? FPGZ_OK : FPGZ_MEMORY;
}

enum fpgz_status fpgz_guess(const struct fpgz_setup *setup, const struct fpgz_input *input,
                            struct fpgz_content *content, struct fpgz_buffer *front, size_t *got,
                            struct fpgz_error *error)
{
    struct fpgz_shape shape;
    bool known;
    if (take_sample(setup, input, front, got, error) || *got < LEAST_BYTES)
        return error->status;
    if (fpgz_guess_shape(setup, front->data, *got, &shape, &known))
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (error->status || !known || (input->sized && input->size % fpgz_dtype_size(shape.view.dtype)))
        return error->status;
    struct fpgz_sample sample = {.setup = setup, .bytes = front->data, .length = *got};
    if (input->sized)
        fpgz_sample_drop_torn(&sample, fpgz_coder_level(setup, input, content), input->size,
                              fpgz_min(*got, MOST_BYTES), &shape);
    fpgz_chunk_buffers_free(&sample.buffers);
    apply(&shape, content->part);
    return FPGZ_OK;
}

/* SPDX-License-Identifier: MIT
 * Encoding of sums: tried where a probe sees that differences return, and estimates that they save much of
 * the stream without. Estimates seldom tell which way is best, so that several are coded. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/summed/summed.h"
#include "codec/prans/summed/work.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    LEAST_VALUES = 1024,
    SHORT_PART = 32,       /* of the values' bytes: floats that take less are mostly ramps */
    LEAST_BYTES = 256,     /* of a stream that sums could shorten */
    PROBED_BITS = 8,       /* that the probe takes for the cost of a difference: cheap ones begin no match */
    PROBED_PART = 12,      /* what it must see of that, */
    PROBED_PART_HIGH = 40, /* and in the high setting, */
    PROBED_PART_LONG = 6,  /* but of long floats, */
    LONG_LEAST = 1 << 16,  /* of so many values, for time, */
    ROUGH_LEAST = 1 << 18, /* and of so many by a rough look, too */
    GAIN_PART = 16,        /* what sums must save by estimates */
    LONGEST_LINE = 256,    /* values of the fastest axis */
    CODED_TWICE = 2,       /* ways */
    DOUBT = 2,             /* so many times the stream they may take by these in the high setting, or once it
                              is known how wrong they are, */
    DOUBT_PART = 8,        /* and by so much more than it by the middle one, before that is tried */
};

enum { WAYS = 7 };

/* How words are summed, and the bytes of the differences: about, or by the middle setting. */
struct way {
    enum summed_along along;
    unsigned order;
    unsigned probed; /* the way, this or an earlier one, with the same differences in a row */
    size_t bytes;
    double left; /* of the bits of the differences, by the probe */
};

static const struct way ways[WAYS] = {{SUMMED_ROW, 1, 0, 0, 1},     {SUMMED_ROW, 2, 1, 0, 1},
                                      {SUMMED_COLUMNS, 1, 2, 0, 1}, {SUMMED_COLUMNS, 2, 3, 0, 1},
                                      {SUMMED_PLANES, 1, 2, 0, 1},  {SUMMED_LINES, 1, 5, 0, 1},
                                      {SUMMED_GRID, 1, 5, 0, 1}};

/* What a probe may tell besides the part of the bits that is left: that hardly any of the differences return.
 */
#define HARDLY_ANY 2.0

/* What is left of the differences where nearly all return, or most. */
#define NEARLY_ALL 0.25
#define MOST 0.5

/* A grid that is to be coded by sums. */
struct trial {
    struct summed_work w;
    const struct fpgz_codec *inner;
    const struct fpgz_coding *coding;
    struct fpgz_aide *aide; /* which may verify the stream, unless sums are coded; or NULL */
    const void *values;
    uint8_t *stream;
    size_t *length;     /* of the shortest stream so far, which is in w.kept */
    bool high, is_long; /* the setting; whether values are many floats that take many bytes */
    size_t otherwise;   /* bytes of the stream without sums */
};

/* Whether a way needs clearer signs: of long floats, unless most differences return. */
static bool is_doubtful(const struct trial *t, const struct way *way)
{
    return t->is_long && way->left > MOST;
}

/* Bytes that a way may take by estimates. */
static size_t most_of(const struct trial *t, const struct way *way)
{
    if (!t->high)
        return t->otherwise - t->otherwise / GAIN_PART;
    return is_doubtful(t, way) ? t->otherwise + t->otherwise / 2 : DOUBT * t->otherwise;
}

/* Puts the differences into w.words. */
static void differ(const struct trial *t, const struct way *way)
{
    const struct summed_work *const w = &t->w;
    const size_t size = fpgz_dtype_size(t->coding->grid.dtype);
    if (summed_is_split(way->along))
        fpgz_prans_middle_split(&w->layout, size, t->values, w->words);
    else
        memcpy(w->words, t->values, w->layout.values * size);
    w->kernels->order(w->number, w->layout.values, w->words);
    for (unsigned order = 0; order < way->order; order++)
        fpgz_prans_summed_step(w, way->along, false, w->words);
}

/* Whether differences are mostly the same as those before, by a sample. */
static bool is_flat(const struct summed_work *w, size_t size)
{
    enum { PAIRS = 256, FLAT_PART = 8 };
    size_t fresh = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint8_t *const pair = w->words + fpgz_sample_place(i, PAIRS, w->layout.values - 1) * size;
        fresh += memcmp(pair, pair + size, size) != 0;
    }
    return fresh < PAIRS / FLAT_PART;
}

/* What is left of the bits of the differences in w->words, by a probe; HARDLY_ANY if hardly any return. */
static double probe(const struct trial *t, const struct way *way)
{
    const struct summed_work *const w = &t->w;
    const struct fpgz_params middle = fpgz_prans_matched_params(&t->coding->params, PRANS_FORMAT_MIDDLE);
    const struct fpgz_coding row = {w->differences[SUMMED_ROW], middle, w->inner, NULL};
    const uint64_t bits = fpgz_max(8 * (uint64_t)t->otherwise, (uint64_t)w->layout.values * PROBED_BITS),
                   enough = bits / (t->is_long ? PROBED_PART_LONG
                                    : t->high  ? PROBED_PART_HIGH
                                               : PROBED_PART),
                   /* For time a rough look must see all that is enough of many. */
        looked = enough * (t->is_long && w->layout.values >= ROUGH_LEAST ? MATCHED_ROUGH_PART : 1),
                   seen = fpgz_prans_matched_promise(&fpgz_prans_plain, &row, w->words, bits, looked,
                                                     t->high && !t->is_long),
                   saved = fpgz_min(seen, bits);
    if (saved < enough && !is_flat(w, fpgz_dtype_size(w->differences[way->along].dtype)))
        return HARDLY_ANY;
    return (double)(bits - saved) / (double)bits;
}

/* About the bytes that the differences in w->words take: a quarter of what estimates tell where nearly all
 * return, for matches may be longer than a probe sees. What is at `stream` is lost. */
static size_t estimate(const struct trial *t, const struct way *way)
{
    const struct summed_work *const w = &t->w;
    const struct fpgz_coding shaped = {w->differences[way->along],
                                       fpgz_prans_matched_params(&t->coding->params, PRANS_FORMAT_MIDDLE),
                                       w->inner, NULL};
    const double about = way->left * (double)t->inner->estimate(&shaped, w->words, t->stream);
    return (size_t)(way->left < NEARLY_ALL ? about / 4 : about);
}

/* Codes the differences in w.words behind a stream's head, and keeps what is shorter. Returns their bytes. */
static size_t put(const struct trial *t, const struct way *way, const struct fpgz_params *params)
{
    const struct fpgz_coding coding = {t->w.differences[way->along], *params, t->w.inner, NULL};
    const size_t bytes =
        fpgz_prans_inner_put(t->inner, &coding, NULL, t->w.words, t->stream + PRANS_HEAD_BYTES);
    if (PRANS_HEAD_BYTES + bytes >= *t->length)
        return bytes;
    memcpy(t->stream, (uint8_t[4]){PRANS_FORMAT_SUMMED, (uint8_t)way->order, (uint8_t)way->along, 0}, 4);
    fpgz_store32(t->stream + 4, 0);
    memcpy(t->w.kept, t->stream, *t->length = PRANS_HEAD_BYTES + bytes);
    return bytes;
}

/* Puts a way into a list, the shortest first. */
static void list_way(struct way list[WAYS], unsigned count, const struct way *way)
{
    unsigned at = count;
    for (; at && list[at - 1].bytes > way->bytes; at--)
        list[at] = list[at - 1];
    list[at] = *way;
}

/* Lists the ways that may be shorter by estimates. Returns how many there are. */
static unsigned estimate_ways(const struct trial *t, struct way likely[WAYS])
{
    double left[WAYS];
    unsigned count = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        struct way way = ways[i];
        const bool too_long =
            !summed_is_split(way.along) && way.along != SUMMED_ROW && t->w.line > LONGEST_LINE;
        if (!summed_can_be(&t->w, way.along) || too_long ||
            (way.probed < i && left[way.probed] == HARDLY_ANY))
            continue;
        differ(t, &way);
        way.left = left[i] = way.probed < i ? left[way.probed] : probe(t, &way);
        if (way.left == HARDLY_ANY)
            continue;
        way.bytes = estimate(t, &way);
        if (way.bytes < most_of(t, &way))
            list_way(likely, count++, &way);
    }
    return count;
}

/* Codes the grid by the middle setting in those ways that may be shorter by estimates, also if these are as
 * wrong as those of the ways before. Lists them in `coded`; returns how many there are. */
static unsigned try_ways(const struct trial *t, struct way coded[WAYS])
{
    const struct fpgz_params *const params = &t->coding->params,
                                    middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    struct way likely[WAYS];
    const unsigned all = estimate_ways(t, likely);
    double wrong = 0; /* so many times an estimate streams take, at least */
    unsigned count = 0;
    for (unsigned i = 0; i < all; i++) {
        struct way way = likely[i];
        if ((double)way.bytes * wrong > (double)(is_doubtful(t, &way) ? t->otherwise : DOUBT * t->otherwise))
            continue;
        if (t->aide && !count)
            t->aide->drop(t->aide);
        differ(t, &way);
        const double about = (double)way.bytes + 1;
        way.bytes = put(t, &way, &middle);
        const double ratio = (double)way.bytes / about;
        wrong = count && wrong < ratio ? wrong : ratio;
        list_way(coded, count++, &way);
    }
    return count;
}

/* Whether the grid is one of floats that take many bytes. They seldom gain by sums, of 130 real grids two,
 * and 5 %; a look at them would take a third of the middle setting's time. */
static bool is_long(const struct fpgz_coding *coding, size_t length)
{
    return prans_number_of(coding->grid.dtype) == PRANS_REAL &&
           length > fpgz_grid_bytes(&coding->grid) / SHORT_PART;
}

/* Codes the grid by sums, and keeps that if it is shorter than the stream. The high setting codes the best
 * ways of the middle one by its own. */
static void try_sums(const struct fpgz_codec *inner, const struct fpgz_coding *coding, struct fpgz_aide *aide,
                     const void *values, uint8_t *stream, size_t *length)
{
    const struct trial t = {
        fpgz_prans_summed_work(inner, &coding->grid, &coding->params, true, coding->scratch),
        inner,
        coding,
        aide,
        values,
        stream,
        length,
        fpgz_prans_is_high(&coding->params),
        is_long(coding, *length) && fpgz_grid_values(&coding->grid) >= LONG_LEAST,
        *length,
    };
    struct way coded[WAYS];
    memcpy(t.w.kept, stream, t.otherwise);
    const unsigned count = try_ways(&t, coded);
    for (unsigned i = 0; t.high && i < count && i < CODED_TWICE; i++) {
        if (coded[i].bytes > t.otherwise + (is_doubtful(&t, &coded[i]) ? 0 : t.otherwise / DOUBT_PART))
            break;
        differ(&t, &coded[i]);
        put(&t, &coded[i], &t.w.own);
    }
    memcpy(stream, t.w.kept, *length);
}

/* Whether it is worth a look at a grid that takes so many bytes: not at long floats in the middle setting. */
static bool is_likely(const struct fpgz_coding *coding, size_t length)
{
    const size_t raw = fpgz_grid_bytes(&coding->grid);
    return summed_is_tried(&coding->grid) && fpgz_grid_values(&coding->grid) >= LEAST_VALUES &&
           length >= LEAST_BYTES && length <= raw &&
           (fpgz_prans_is_high(&coding->params) || !is_long(coding, length));
}

enum fpgz_status fpgz_prans_summed_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length)
{
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    if (!status && is_likely(coding, *length) && (!aide || fpgz_buffer_complete(aide->raw)))
        try_sums(inner, coding, aide, values, stream, length);
    return status;
}

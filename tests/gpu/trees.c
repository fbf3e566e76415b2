/* SPDX-License-Identifier: MIT
 * Streams of prans that other streams are in, written around any streams of these, of any values. */
#include "trees.h"

#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "../middle/encode.h"
#include "codec/codecs.h"
#include "codec/prans/apart/akin.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/work.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/parted/kernels.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/ranked/work.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "core/buffer.h"
#include "core/bytes.h"
#include "tokens.h"
#include "words.h"

static const struct {
    unsigned dims;
    uint64_t extent[4];
} shapes[] = {
    {1, {50021}},         {2, {3, 20011}},   {2, {20011, 3}},      {3, {2, 150, 130}},
    {4, {2, 70, 180, 2}}, {3, {33, 35, 37}}, {4, {3, 11, 800, 1}}, {4, {4, 5, 700, 3}},
};

enum {
    PARTED = 1,
    RANKED = 2,
    APART = 4,
    MATCHED = 8,
    PERIODIC = 16,
    SYMMETRIC = 32,
    SCALED = 64,
    TREES = 128,
    LEAST = 2000 /* values of trees in trees */,
    ROOM = 1 << 22
};

static uint64_t seed;
static bool refused;    /* the stream must be */
static unsigned inside; /* of how many streams the next one is */
static struct fpgz_buffer scratch, stream;

static uint64_t next(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void *need(size_t bytes)
{
    void *const memory = malloc(bytes ? bytes : 1);
    if (!memory)
        abort();
    return memory;
}

static uint8_t *room(struct fpgz_buffer *buffer, size_t bytes)
{
    if (!fpgz_buffer_reserve(buffer, bytes))
        abort();
    return buffer->data;
}

/* Whether what was to be good becomes bad now. */
static bool spoils(bool *bad)
{
    const bool now = *bad;
    *bad = false;
    refused |= now;
    return now;
}

/* The values as they are, or a stream of them; `bins`: of no other format. */
static size_t put_values(const struct fpgz_coding *coding, bool bins, const void *values, uint8_t *out)
{
    const struct fpgz_grid *const grid = &coding->grid;
    const bool old = FPGZ_FLOATS_32_64 >> grid->dtype & 1 && !fpgz_prans_is_high(&coding->params);
    struct fpgz_coding inner = *coding;
    const size_t memory = fpgz_prans_bins_memory(grid, true),
                 other = old ? fpgz_prans_middle_memory(grid) : 0;
    const bool is_stored = !bins && !next(5);
    size_t length = fpgz_grid_bytes(grid);
    inner.scratch = room(&scratch, memory > other ? memory : other);
    if (!is_stored &&
        (!bins && old && !next(3) ? middle_encode : fpgz_prans_bins_encode)(&inner, values, out, &length))
        abort();
    if (!bins && length == fpgz_grid_bytes(grid)) /* which tells readers that it is */
        memcpy(out, values, length);
    return length;
}

static size_t put_any(const struct fpgz_coding *coding, bool bins, uint8_t *out)
{
    uint8_t *const values = need(fpgz_grid_bytes(&coding->grid));
    words_walk(next, fpgz_dtype_size(coding->grid.dtype), (size_t)fpgz_grid_values(&coding->grid), values);
    const size_t length = put_values(coding, bins, values, out);
    free(values);
    return length;
}

static size_t put_tree(const struct fpgz_coding *coding, unsigned formats, bool bad, uint8_t *out);

/* A stream within another one, of one of the formats or of none. */
static size_t put_inner(const struct fpgz_coding *coding, unsigned formats, uint8_t *out)
{
    formats &= ~(unsigned)(FPGZ_FLOATS_32_64 >> coding->grid.dtype & 1 ? 0 : PARTED);
    formats &= ~(unsigned)(scaled_takes(&coding->grid) ? 0 : SCALED);
    if (coding->grid.extent[0] < 4)
        formats &= ~(unsigned)PERIODIC;
    const unsigned format = 1u << next(9);
    inside++;
    const size_t bytes = fpgz_grid_values(&coding->grid) > LEAST && formats & format
                             ? put_tree(coding, format, false, out)
                             : put_any(coding, false, out);
    inside--;
    return bytes;
}

static size_t put_parted(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    static const double bases[] = {0.01, 3, 0x1p-1060, 1e300, 1.0 / 3};
    const bool wide = coding->grid.dtype == FPGZ_F64;
    const unsigned way = (unsigned)next(wide ? PRANS_PARTINGS : PRANS_PARTED_UNIT), bits = wide ? 64 : 32;
    const struct prans_parts parts = {way, 0, 0};
    struct fpgz_coding part = *coding;
    double base = 0;
    part.grid.dtype = prans_parts_places(&parts) ? (wide ? FPGZ_U64 : FPGZ_U32) : wide ? FPGZ_I64 : FPGZ_I32;
    memset(out, 0, 16);
    out[0] = PRANS_FORMAT_PARTED;
    out[1] = (uint8_t)way;
    if (way == PRANS_PARTED_BITS)
        out[2] = (uint8_t)(spoils(&bad) ? bits : 1 + next(bits - 1));
    else
        base = spoils(&bad) ? -1 : bases[next(sizeof bases / sizeof *bases)];
    memcpy(out + 8, &base, sizeof base);
    const size_t first = put_any(&part, true, out + 16);
    fpgz_store32(out + 4, (uint32_t)first);
    return 16 + first + put_any(&part, true, out + 16 + first);
}

static size_t put_ranked(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), distinct = 1 + next(count / RANKED_PART);
    struct fpgz_coding ranks = *coding, dictionary = *coding;
    uint32_t *const rank = need(count * sizeof *rank);
    ranks.grid.dtype = FPGZ_U32;
    dictionary.grid = fpgz_prans_row(coding->grid.dtype, distinct);
    words_walk(next, sizeof *rank, count, (uint8_t *)rank);
    for (size_t i = 0; i < count; i++)
        rank[i] %= (uint32_t)distinct;
    const bool repeats = distinct > count / 8 && !fpgz_prans_is_high(&coding->params) && next(2);
    if (repeats)
        words_repeat(next, distinct, count, rank);
    if (spoils(&bad))
        rank[next(count)] = (uint32_t)distinct;
    memset(out, 0, RANKED_FRONT);
    out[0] = PRANS_FORMAT_RANKED;
    fpgz_store32(out + 4, RANKED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(out + 8, (uint32_t)distinct);
    ranks.scratch = room(&scratch, fpgz_prans_whole.memory(&ranks.grid, &ranks.params));
    size_t at = RANKED_FRONT +
                (repeats ? fpgz_prans_inner_put(&fpgz_prans_whole, &ranks, NULL, rank, out + RANKED_FRONT)
                         : put_values(&ranks, false, rank, out + RANKED_FRONT));
    fpgz_store32(out + 12, (uint32_t)(at - RANKED_FRONT));
    at += put_inner(&dictionary, PARTED | MATCHED, out + at);
    free(rank);
    return at;
}

/* A part by one of `before`, with differences to it or without. */
static size_t put_kin(const struct fpgz_coding *part, size_t before, bool *bad, uint8_t *out)
{
    memset(out, 0, AKIN_FRONT);
    out[0] = PRANS_FORMAT_AKIN;
    fpgz_store32(out + 4, AKIN_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(out + 8, (uint32_t)(spoils(bad) ? before : next(before)));
    if (next(2))
        return AKIN_FRONT;
    struct fpgz_coding difference = *part;
    difference.grid = symmetric_difference(&part->grid);
    return AKIN_FRONT + put_inner(&difference, PARTED | RANKED | MATCHED | PERIODIC | SCALED | SYMMETRIC,
                                  out + AKIN_FRONT);
}

static size_t put_apart(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    struct apart_split split;
    unsigned slow, fast;
    do {
        slow = (unsigned)next(coding->grid.dims);
        fast = (unsigned)next(coding->grid.dims);
    } while (!fpgz_prans_apart_split(&coding->grid, slow, fast, &split));
    struct fpgz_coding part = *coding;
    part.grid = split.part;
    const size_t parts = split.slow * split.fast;
    memset(out, 0, PRANS_HEAD_BYTES);
    out[0] = PRANS_FORMAT_APART;
    out[1] = (uint8_t)slow;
    out[2] = (uint8_t)fast;
    fpgz_store32(out + 4, (uint32_t)(4 * parts));
    size_t at = PRANS_HEAD_BYTES + 4 * parts;
    for (size_t i = 0; i < parts; i++) {
        const size_t bytes =
            i && next(2)
                ? put_kin(&part, i, &bad, out + at)
                : put_inner(&part, PARTED | RANKED | MATCHED | PERIODIC | SCALED | SYMMETRIC, out + at);
        fpgz_store32(out + PRANS_HEAD_BYTES + 4 * i, (uint32_t)bytes);
        at += bytes;
    }
    if (spoils(&bad))
        out[at++] = 0;
    return at;
}

/* Periods of an axis that leave some places behind the last one, or none. */
static size_t put_periodic(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    const unsigned dims = coding->grid.dims, within = PARTED | RANKED | MATCHED;
    const enum periodic_axis axis = inside || next(3) ? PERIODIC_SLOWEST : PERIODIC_FASTEST;
    const uint64_t places = coding->grid.extent[axis == PERIODIC_FASTEST ? dims - 1 : 0];
    uint64_t period = places < 4 ? 0 : 2 + next(places / 2 - 1);
    struct periodic_split split;
    while (period > 2 && places % period && (axis == PERIODIC_FASTEST || next(2)))
        period--;
    if (!fpgz_prans_periodic_split(axis, &coding->grid, period, &split))
        return put_any(coding, true, out);
    struct fpgz_coding whole = *coding, rest = *coding;
    whole.grid = split.whole;
    rest.grid = split.rest;
    memset(out, 0, PERIODIC_FRONT);
    out[0] = PRANS_FORMAT_PERIODIC;
    out[1] = axis;
    fpgz_store32(out + 4, PERIODIC_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(out + 8, (uint32_t)(spoils(&bad) ? places / 2 + 1 : period));
    size_t at =
        PERIODIC_FRONT +
        put_inner(&whole, axis == PERIODIC_FASTEST ? within | APART | SYMMETRIC | SCALED | PERIODIC : within,
                  out + PERIODIC_FRONT);
    fpgz_store32(out + 12, (uint32_t)(at - PERIODIC_FRONT));
    return split.rest_values ? at + put_inner(&rest, within, out + at) : at;
}

/* Any maps that there may be together, with differences or without. */
static size_t put_symmetric(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    const unsigned dims = coding->grid.dims, within = PARTED | RANKED | MATCHED | PERIODIC;
    const unsigned count = 1 + (unsigned)next(SYMMETRIC_MAPS);
    const bool is_real = fpgz_dtypes[coding->grid.dtype].kind == 'f';
    const size_t side = symmetric_side(dims, count);
    const uint64_t centre = next(coding->grid.extent[dims - 1]);
    uint8_t *const maps = out + SYMMETRIC_CENTRES + 4 * dims;
    memset(out, 0, side);
    out[0] = PRANS_FORMAT_SYMMETRIC;
    out[1] = (uint8_t)count;
    fpgz_store32(out + 4, (uint32_t)(side - PRANS_HEAD_BYTES));
    for (unsigned axis = 0; axis < dims; axis++) {
        const uint64_t extent = coding->grid.extent[axis];
        fpgz_store32(out + SYMMETRIC_CENTRES + 4 * axis,
                     (uint32_t)(centre < extent ? centre : extent - 1)); /* alike where extents are */
    }
    for (unsigned m = 0; m < count; m++) {
        const uint8_t a = (uint8_t)next(dims), b = (uint8_t)next(dims);
        const bool exchanges = a != b && coding->grid.extent[a] == coding->grid.extent[b];
        const uint8_t map[4] = {exchanges ? a : 0, exchanges ? b : 0,
                                (uint8_t)(exchanges ? next(1u << dims) : 1 + next((1u << dims) - 1)),
                                (uint8_t)(is_real && next(2))};
        memcpy(maps + 4 * m, map, sizeof map);
    }
    if (spoils(&bad))
        maps[2] = (uint8_t)(1 << dims);
    const size_t first = put_inner(coding, within, out + side);
    fpgz_store32(out + SYMMETRIC_LENGTH, (uint32_t)first);
    if (next(2))
        return side + first;
    const struct fpgz_coding difference = {symmetric_difference(&coding->grid), coding->params, NULL, NULL};
    return side + first + put_inner(&difference, within, out + side + first);
}

/* Any runs, roundings and scales, of which one that is bad is infinite; with differences or without. */
static size_t put_scaled(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    const unsigned within = PARTED | RANKED | MATCHED | PERIODIC;
    const enum fpgz_dtype dtype = scaled_scale(&coding->grid);
    const size_t values = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(dtype);
    const size_t run = 1 + next(values / (1 + next(values))),
                 count = 1 + next(run < SCALED_LEAST ? values / SCALED_LEAST : (values + run - 1) / run);
    const uint64_t infinite = size == 8 ? UINT64_C(0x7FF) << 52 : UINT64_C(0xFF) << 23;
    const struct fpgz_coding scale = {fpgz_prans_row(dtype, count), coding->params, NULL, NULL},
                             difference = {symmetric_difference(&coding->grid), coding->params, NULL, NULL};
    uint8_t *const scales = need(count * size + 8);
    const size_t spoiled = spoils(&bad) ? next(count) : count;
    for (size_t i = 0; i < count; i++) {
        const uint64_t word =
            i == spoiled ? infinite : next(UINT64_MAX) * UINT64_C(0x9E3779B97F4A7C15) % infinite;
        memcpy(scales + i * size, &word, 8);
    }
    memset(out, 0, SCALED_FRONT);
    out[0] = PRANS_FORMAT_SCALED;
    for (out[1] = 4; !scaled_rounds(&coding->grid, out[1]);)
        out[1] = (uint8_t)next(4);
    fpgz_store32(out + 4, SCALED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(out + SCALED_RUN, (uint32_t)run);
    fpgz_store32(out + SCALED_RUN + 4, (uint32_t)count);
    const size_t first = put_inner(coding, within, out + SCALED_FRONT);
    const size_t second = put_values(&scale, false, scales, out + SCALED_FRONT + first);
    fpgz_store32(out + SCALED_LENGTHS, (uint32_t)first);
    fpgz_store32(out + SCALED_LENGTHS + 4, (uint32_t)second);
    free(scales);
    const size_t at = SCALED_FRONT + first + second;
    return next(2) ? at : at + put_inner(&difference, within, out + at);
}

static size_t put_matched(const struct fpgz_coding *coding, bool bad, uint8_t *out)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    const bool differs = next(2);
    struct matched_tokens tokens = {.count = 0};
    struct fpgz_coding row = *coding;
    for (unsigned f = 0; f < MATCHED_FIELDS; f++)
        tokens.field[f] = need((count / 2 + 1) * sizeof *tokens.field[f]);
    tokens_make(next, count, next(2), &tokens);
    if (spoils(&bad))
        tokens_spoil(next, &tokens);
    memset(out, 0, PRANS_HEAD_BYTES);
    out[0] = PRANS_FORMAT_MATCHED;
    out[1] = differs;
    out[2] = (uint8_t)tokens.deepest;
    fpgz_store32(out + 4, MATCHED_SIDE_BYTES);
    fpgz_store32(out + 8, (uint32_t)tokens.count);
    fpgz_store32(out + 12, (uint32_t)tokens.literals);
    size_t at = PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES, bytes;
    const unsigned rows = differs ? MATCHED_STREAMS : MATCHED_STREAMS - 1;
    for (unsigned i = 0; i < rows; i++) {
        row.grid = i == 0 ? fpgz_prans_row(coding->grid.dtype, tokens.literals)
                   : i + 1 < MATCHED_STREAMS
                       ? fpgz_prans_row(FPGZ_U32, tokens.count)
                       : fpgz_prans_row(matched_difference(size), count - tokens.literals);
        bytes = i && i + 1 < MATCHED_STREAMS ? put_values(&row, false, tokens.field[i - 1], out + at)
                                             : put_inner(&row, PARTED, out + at);
        if (i + 1 < MATCHED_STREAMS)
            fpgz_store32(out + 16 + (size_t)4 * i, (uint32_t)bytes);
        at += bytes;
    }
    for (unsigned f = 0; f < MATCHED_FIELDS; f++)
        free(tokens.field[f]);
    return at;
}

static size_t put_tree(const struct fpgz_coding *coding, unsigned format, bool bad, uint8_t *out)
{
    return (format == PARTED      ? put_parted
            : format == RANKED    ? put_ranked
            : format == APART     ? put_apart
            : format == PERIODIC  ? put_periodic
            : format == SYMMETRIC ? put_symmetric
            : format == SCALED    ? put_scaled
                                  : put_matched)(coding, bad, out);
}

void trees_each(unsigned every, prans_check *check)
{
    static const struct fpgz_params settings[] = {{{PRANS_FORMAT_MIDDLE, 0}}, {{PRANS_FORMAT_HIGH, 0}}};
    static const char *const names[] = {
        [PARTED] = "parted",     [RANKED] = "ranked",       [APART] = "apart",  [MATCHED] = "matched",
        [PERIODIC] = "periodic", [SYMMETRIC] = "symmetric", [SCALED] = "scaled"};
    unsigned grids = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned dtype = 0; dtype < FPGZ_DTYPES; dtype++)
            for (unsigned format = 1; format < TREES; format *= 2)
                for (unsigned bad = 0; bad < 2; bad++) {
                    const bool fits = format == PARTED     ? FPGZ_FLOATS_32_64 >> dtype & 1
                                      : format == SCALED   ? fpgz_dtypes[dtype].kind == 'f'
                                      : format == PERIODIC ? shapes[s].extent[0] > 3
                                                           : format != APART || shapes[s].dims > 1;
                    if (!(FPGZ_ALL_DTYPES >> dtype & 1) || !fits || grids++ % every || !checks_is_mine())
                        continue;
                    const struct fpgz_grid grid = {(enum fpgz_dtype)dtype, shapes[s].dims, {1, 1, 1, 1}};
                    struct fpgz_coding coding = {grid, settings[grids % 5 == 0], NULL, NULL};
                    memcpy(coding.grid.extent, shapes[s].extent,
                           sizeof *coding.grid.extent * coding.grid.dims);
                    seed = grids;
                    refused = false;
                    const size_t length = put_tree(&coding, format, bad, room(&stream, ROOM));
                    coding.scratch = room(&scratch, fpgz_prans.memory(&coding.grid, &coding.params));
                    check(&coding, names[format], stream.data, length, refused);
                }
}

/* SPDX-License-Identifier: MIT
 * Grids whose differences along some axes are small numbers, as integers of each domain, and what of prans
 * their streams use. */
#include "prans.h"

#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "../middle/encode.h"
#include "codec/codecs.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/bins/kernels.h"
#include "codec/prans/format.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/outline.h"
#include "core/buffer.h"
#include "core/bytes.h"

enum { ORDERS = BINS_ORDERS, AXES = 3, SETS = 1 << AXES, MOST = 700000 };

static const struct {
    unsigned dims;
    uint64_t extent[4];
} shapes[] = {
    {1, {20011}},        {1, {65537}},        {2, {3, 20011}},       {2, {129, 191}},
    {2, {9000, 3}},      {3, {17, 33, 35}},   {3, {40, 41, 4}},      {3, {2, 150, 130}},
    {4, {3, 7, 17, 19}}, {4, {4, 5, 3, 600}}, {4, {11, 12, 13, 16}}, {4, {20, 5, 60, 2}},
};

/* Of these an aide has all values, for pieces are a small part of them. */
static const struct fpgz_grid aided[] = {
    {0, 1, {60013, 1, 1, 1}}, {0, 2, {300, 501, 1, 1}}, {0, 2, {30000, 5, 1, 1}},
    {0, 3, {32, 63, 113, 1}}, {0, 3, {4, 30000, 2, 1}}, {0, 4, {7, 11, 41, 131}},
};

/* How integers become values. */
enum { PLAIN = 5 }; /* kinds of them; the others have gaps */
static const char *const kinds[] = {"places",           "decimals",          "few", "packed", "few digits",
                                    "places with gaps", "decimals with gaps"};

/* Kinds of words; the last ones have special values. */
enum { GAPS = 5 };
static const char *const words[] = {"places",
                                    "decimals",
                                    "decimals from an exception on",
                                    "steps",
                                    "few",
                                    "places with gaps",
                                    "decimals with gaps",
                                    "few with gaps"};

/* Whether an aide counted residuals: with special values or without, by domain, axes and order. */
static unsigned counted[2][PRANS_DOMAIN_INTEGER + 1][SETS][ORDERS];

/* What was seen: by format, whether there are special values, axes and order; and by format and domain. */
static unsigned modes[2][2][SETS][ORDERS], domains[2][PRANS_DOMAIN_DECIMAL + 1];
static struct fpgz_buffer source, scratch, stream, segments;

static uint64_t next(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *random >> 33;
}

static uint8_t *room(struct fpgz_buffer *buffer, size_t bytes)
{
    if (!fpgz_buffer_reserve(buffer, bytes))
        abort();
    return buffer->data;
}

/* Integers whose differences of an order along rows and along a set of the other axes are small. Sums wrap.
 */
static void integers(const struct fpgz_grid *grid, unsigned axes, unsigned order, uint64_t seed, int64_t *y)
{
    const size_t values = (size_t)fpgz_grid_values(grid);
    const size_t row = (size_t)grid->extent[grid->dims - 1];
    const int span = seed % 2 ? 7 : 101;
    for (size_t i = 0; i < values; i++)
        y[i] = (int64_t)(next(&seed) % (unsigned)span) - span / 2;
    for (unsigned o = 0; o < order; o++)
        for (size_t i = 0; i < values; i++)
            y[i] = (int64_t)((uint64_t)y[i] + (i % row ? (uint64_t)y[i - 1] : 0));
    size_t step = row;
    for (unsigned d = grid->dims - 1; d-- > 0; step *= (size_t)grid->extent[d])
        for (size_t i = 0; i < values && axes >> d & 1; i++)
            y[i] = (int64_t)((uint64_t)y[i] + (i / step % grid->extent[d] ? (uint64_t)y[i - step] : 0));
}

/* Number y of the decimals of three digits from 0.01 on. */
static double few_digits(int64_t y)
{
    const int64_t span = 900, number = y < 0 ? -y - 1 : y - 1;
    double value = (double)(100 + number % span);
    for (int64_t power = number / span % 20; power; power--)
        value *= 10;
    return y == 0 ? 0 : y < 0 ? -value / 1e4 : value / 1e4;
}

static double value_of(int64_t y, unsigned kind, bool is_f64, size_t at)
{
    static const double some[16] = {0.1, 3.7, -2,  1e5, 17.25, -1e-3, 4,   99,
                                    1e3, 5.5, 6.5, -7,  8.125, 12,    1.1, 2.2};
    float single = 1;
    double twice = 1;
    uint32_t word;
    uint64_t wide;
    switch (kind % PLAIN) {
    case 0:
        memcpy(&word, &single, sizeof word);
        memcpy(&wide, &twice, sizeof wide);
        word += (uint32_t)y;
        wide += (uint64_t)y * 3;
        memcpy(&single, &word, sizeof word);
        memcpy(&twice, &wide, sizeof wide);
        return is_f64 ? twice : (double)single;
    case 1:
        return (double)y / 100;
    case 2:
        return some[(uint64_t)y % 16];
    case 4:
        return few_digits(y);
    default: /* an origin a slab of at least 1024 values */
        return 1000.25 + (double)(at / 4096) * 0.37 + (double)((uint64_t)y % 4096) / 64;
    }
}

static void fill(const struct fpgz_grid *grid, unsigned kind, unsigned axes, unsigned order, uint64_t seed)
{
    static int64_t y[MOST];
    const size_t values = (size_t)fpgz_grid_values(grid);
    const bool is_f64 = grid->dtype == FPGZ_F64;
    uint8_t *const out = room(&source, values * sizeof(double));
    integers(grid, axes, order, seed, y);
    uint64_t random = seed;
    unsigned gap = 0;
    for (size_t i = 0; i < values; i++) {
        double value = value_of(y[i], kind, is_f64, i);
        gap = gap ? gap - 1 : next(&random) % 600 == 0 ? (unsigned)(next(&random) % 90) : 0;
        if (kind >= PLAIN && gap)
            value = i / 5000 % 2 ? 1e20 : 9e30;
        if (kind == 1 && next(&random) % 1000 == 0)
            value += 1e-7; /* an exception */
        if (is_f64)
            ((double *)out)[i] = value;
        else
            ((float *)out)[i] = (float)value;
    }
}

static void note(const struct fpgz_coding *coding, size_t length)
{
    struct prans_outline o;
    struct prans_segment *const segment =
        (void *)room(&segments, fpgz_prans_segments_most(fpgz_grid_values(&coding->grid)) * sizeof *segment);
    if (fpgz_prans_outline(coding, stream.data, length, &o, segment))
        return;
    const bool bins = stream.data[0] == PRANS_FORMAT_BINS;
    modes[bins][o.domain->specials > 0][o.axes][o.order]++;
    domains[bins][o.domain->id]++;
}

static void try_grid(const struct fpgz_grid *grid, const char *kind, prans_check *check)
{
    const struct fpgz_params middle = {{PRANS_FORMAT_MIDDLE, 0}};
    struct fpgz_coding coding = {*grid, middle, NULL, NULL};
    const size_t memory = fpgz_prans.memory(grid, &middle);
    for (unsigned bins = 0; bins < 2; bins++) {
        const size_t encoding = bins ? fpgz_prans_bins_memory(grid, true) : fpgz_prans_middle_memory(grid);
        size_t length;
        coding.scratch = room(&scratch, memory > encoding ? memory : encoding);
        room(&stream, bins ? fpgz_prans_bins_bound(grid) : fpgz_prans_middle_bound(grid));
        if (!check_that(
                !(bins ? fpgz_prans_bins_encode : middle_encode)(&coding, source.data, stream.data, &length),
                "cannot encode %s", kind))
            continue;
        note(&coding, length);
        check(&coding, kind, stream.data, length, false);
    }
}

/* All axes and orders of each format, and of special values those that it has. */
static void check_seen(void)
{
    for (unsigned bins = 0; bins < 2; bins++) {
        for (unsigned id = 0; id < PRANS_DOMAINS; id++)
            check_that(domains[bins][id] > 0, "no stream of format %u has domain %u", bins ? 4 : 1, id);
        check_that(!bins || domains[bins][PRANS_DOMAIN_DECIMAL] > 0, "no stream has decimals");
        for (unsigned axes = 0; axes < SETS; axes++)
            for (unsigned special = 0; special < 2; special++) {
                const unsigned orders = special ? 2 : 3;
                for (unsigned order = 0; order < orders; order++)
                    check_that(modes[bins][special][axes][order] > 0,
                               "no stream of format %u has axes %u and order %u%s", bins ? 4 : 1, axes, order,
                               special ? " with special values" : "");
            }
    }
}

void prans_each(unsigned every, prans_check *check)
{
    unsigned grids = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
            for (unsigned axes = 0; axes < SETS; axes++)
                for (unsigned order = 0; order < ORDERS; order++)
                    for (unsigned is_f64 = 0; is_f64 < 2; is_f64++) {
                        struct fpgz_grid grid = {is_f64 ? FPGZ_F64 : FPGZ_F32, shapes[s].dims, {1, 1, 1, 1}};
                        memcpy(grid.extent, shapes[s].extent, sizeof *grid.extent * grid.dims);
                        if (axes >> (grid.dims - 1) || grids++ % every || !checks_is_mine())
                            continue;
                        fill(&grid, kind, axes, order, grids);
                        try_grid(&grid, kinds[kind], check);
                    }
    if (every == 1 && checks_parts == 1)
        check_seen();
}

/* A word of any dtype, in a gap or not. */
static void put_word(enum fpgz_dtype dtype, unsigned kind, int64_t y, uint64_t random, size_t at, bool gap,
                     uint8_t *out)
{
    const size_t size = fpgz_dtype_size(dtype);
    uint64_t word = gap ? 0x7F : kind == 3 ? 12 * (uint64_t)y - 5 : (uint64_t)y;
    if (dtype == FPGZ_F16 || dtype == FPGZ_BF16)
        word = gap ? 0xFFFF : 0x3C00 + (uint64_t)(y & 0x1FF) * (kind == 3 ? 4 : 1);
    if (dtype != FPGZ_F32 && dtype != FPGZ_F64) {
        memcpy(out + at * size, &word, size);
        return;
    }
    const bool decimal = kind == 1 || kind == 2 || kind == 6;
    double value = kind == 3 ? (double)(12 * y - 5) : value_of(y, decimal, size == 8, at);
    if (((kind == 1 || kind == 6) && random % 100 == 0) || (kind == 2 && (at < 300 || at / 700 % 40 == 11)))
        value += 1e-7;
    if (kind == 4 || kind == 7)
        value = (double)((uint64_t)y % 16);
    value = gap ? (at / 5000 % 2 ? 1e20 : 9e30) : value;
    const float single = (float)value;
    memcpy(out + at * size, size == 8 ? (const void *)&value : &single, size);
}

/* Words of integers, in `source`. */
static void put_words(const struct fpgz_grid *grid, unsigned kind, const int64_t *y, uint64_t random)
{
    const size_t values = (size_t)fpgz_grid_values(grid);
    uint8_t *const out = room(&source, values * sizeof(double));
    unsigned gap = 0;
    for (size_t i = 0; i < values; i++) {
        const uint64_t number = next(&random);
        gap = gap ? gap - 1 : kind >= GAPS && number % 600 == 7 ? (unsigned)(number / 600 % 300) : 0;
        put_word(grid->dtype, kind, y[i], number, i, gap > 0, out);
    }
}

/* What is in `source` is coded by bins, and given to `check` with its stream. */
static void try_aided(const struct fpgz_grid *grid, const char *kind, prans_aided *check)
{
    const struct fpgz_params middle = {{PRANS_FORMAT_MIDDLE, 0}};
    const size_t encoding = fpgz_prans_bins_memory(grid, true), all = fpgz_prans.memory(grid, &middle);
    const struct fpgz_coding coding = {*grid, middle, room(&scratch, fpgz_max(encoding, all)), NULL};
    const size_t segments_most = fpgz_prans_segments_most(fpgz_grid_values(grid));
    struct prans_outline o;
    struct prans_segment *const segment = (void *)room(&segments, segments_most * sizeof *segment);
    size_t length;
    room(&stream, fpgz_prans_bins_bound(grid));
    if (!check_that(!fpgz_prans_bins_encode(&coding, source.data, stream.data, &length), "cannot encode %s",
                    kind) ||
        fpgz_prans_outline(&coding, stream.data, length, &o, segment))
        return;
    const enum prans_domain_id id = o.domain->id;
    const bool special = o.domain->specials;
    if (check(&coding, kind, source.data, stream.data, length))
        counted[special][id][o.axes][o.order]++;
}

static void check_counted(void)
{
    static const enum prans_domain_id ids[] = {PRANS_DOMAIN_FLOAT, PRANS_DOMAIN_LATTICE,
                                               PRANS_DOMAIN_INTEGER};
    static const char *const with[] = {"", " with special values"};
    for (unsigned d = 0; d < 2 * sizeof ids / sizeof *ids; d++) {
        const unsigned special = d % 2, id = ids[d / 2];
        unsigned by_axes[SETS] = {0}, by_order[ORDERS] = {0};
        for (unsigned i = 0; i < SETS * ORDERS; i++) {
            by_axes[i / ORDERS] += counted[special][id][i / ORDERS][i % ORDERS];
            by_order[i % ORDERS] += counted[special][id][i / ORDERS][i % ORDERS];
        }
        for (unsigned axes = 0; axes < SETS - special; axes++)
            check_that(by_axes[axes] > 0, "nothing was counted of domain %u and axes %u%s", id, axes,
                       with[special]);
        for (unsigned order = 0; order < (special ? 2 : ORDERS); order++)
            check_that(by_order[order] > 0, "nothing was counted of domain %u and order %u%s", id, order,
                       with[special]);
    }
}

void prans_each_aided(unsigned every, prans_aided *check)
{
    enum { KINDS = sizeof words / sizeof *words };
    static int64_t y[MOST];
    unsigned grids = 0;
    for (size_t s = 0; s < sizeof aided / sizeof *aided; s++)
        for (unsigned axes = 0; axes < 1u << (aided[s].dims - 1); axes++)
            for (unsigned order = 0; order < ORDERS; order++)
                for (unsigned i = 0; i < FPGZ_DTYPES * KINDS; i++) {
                    struct fpgz_grid grid = aided[s];
                    const unsigned kind = i % KINDS;
                    grid.dtype = (enum fpgz_dtype)(i / KINDS);
                    const bool is_wide = FPGZ_FLOATS_32_64 >> grid.dtype & 1;
                    if (!fpgz_dtype_size(grid.dtype) || (!is_wide && kind % 3) ||
                        (kind >= GAPS && order > 1) || grids++ % every || !checks_is_mine())
                        continue;
                    integers(&grid, axes, order, grids, y);
                    put_words(&grid, kind, y, grids);
                    try_aided(&grid, words[kind], check);
                }
    if (every == 1 && checks_parts == 1)
        check_counted();
}

/* SPDX-License-Identifier: MIT
 * Values that share scales: by rows, planes, columns and blocks, rounded to any type, with some that are
 * anything, they are found and come back; what has one scale, or none, is not taken for such. */
#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/scaled/kernels.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/whole.h"
#include "numbers.h"
#include "round_trip.h"

/* Scale s of those that differ, as a single; or of equal ones. */
static double scale_of(size_t s, bool equal)
{
    return (double)(float)(0.001 * (1 + (double)(equal ? 1 : s * 7919 % 1009) / 997));
}

/* Value number `at`, rounded. */
static void put(enum fpgz_dtype dtype, uint32_t rounding, void *values, size_t at, double value)
{
    if (!scaled_is_coarse(rounding)) {
        store(dtype, values, at, rounding == SCALED_SINGLE ? (double)(float)value : value);
        return;
    }
    const uint32_t bits = scaled_rounded(rounding, scaled_bits((float)value));
    if (dtype == FPGZ_F32)
        ((uint32_t *)values)[at] = bits;
    else
        ((uint16_t *)values)[at] = scaled_narrowed(rounding, bits);
}

/* A number of 8 bits, an exponent among them; its binary digits are four. */
static double with_exponent(void)
{
    const double fraction = 8 + random_under(8), part = 1 << random_under(8);
    return (random_under(2) ? fraction : -fraction) / part;
}

enum { EXPONENTS = 0 /* bits of quotients that are no integers */ };

/* Integers of `bits`, times the scale of their run; one of `others` values is anything. */
static void fill(const struct fpgz_grid *grid, const struct scaled_runs *runs, unsigned bits, bool equal,
                 unsigned others, void *values)
{
    for (size_t i = 0; i < fpgz_grid_values(grid); i++) {
        const double quotient =
            bits == EXPONENTS ? with_exponent() : random_under(1u << bits) - (double)(1u << (bits - 1));
        const double scale = scale_of(i / runs->run % runs->count, equal);
        put(grid->dtype, runs->rounding, values, i,
            others && !random_under(others) ? (double)random_under(1u << 31) / 7e6 : quotient * scale);
    }
}

/* Whether values with such runs are coded by these, and come back; SIZE_MAX bytes where they are not. */
static size_t there_and_back(const struct fpgz_grid *grid, uint32_t setting, const void *values,
                             struct scaled_runs *runs)
{
    const struct fpgz_codec *const codec = &fpgz_prans_scaled;
    const size_t size = fpgz_dtype_size(grid->dtype), some = (size_t)fpgz_grid_values(grid) / 3;
    struct round_trip t;
    struct prans_inner part[3];
    size_t length = SIZE_MAX;
    if (round_trip_begin(codec, grid, setting, values, &t)) {
        if (setting == PRANS_FORMAT_MIDDLE)
            CHECK(!codec->decode_range(&t.decoding, t.stream, t.length, some, some, t.restored) &&
                  !memcmp(t.restored, (const uint8_t *)values + some * size, some * size));
        if (t.stream[0] == PRANS_FORMAT_SCALED) {
            length = t.length;
            CHECK(fpgz_prans_scaled_read(&t.decoding, t.stream, t.length, runs, part));
        }
    }
    round_trip_end(&t);
    return length;
}

static void check(enum fpgz_dtype dtype, uint32_t rounding, uint32_t setting, void *values)
{
    static const struct {
        unsigned dims;
        uint64_t extent[3];
        uint32_t run, count;
        unsigned bits;
    } cases[] = {
        {2, {120, 90}, 90, 120, 8}, {2, {90, 120}, 1, 120, 8},          {2, {50, 200}, 32, 313, 4},
        {1, {10007}, 64, 157, 6},   {3, {16, 9, 70}, 630, 16, 8},       {3, {8, 18, 70}, 70, 18, 5},
        {2, {150, 80}, 80, 150, 3}, {2, {120, 90}, 90, 120, EXPONENTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct scaled_runs runs = {cases[i].run, cases[i].count, rounding};
        /* Those of 8 bits save little in a bfloat16, which has 8. */
        const unsigned quotient = rounding == SCALED_BFLOAT && cases[i].bits > 7 ? 7 : cases[i].bits;
        struct fpgz_grid grid = {dtype, cases[i].dims, {1, 1, 1, 1}};
        memcpy(grid.extent, cases[i].extent, sizeof *grid.extent * grid.dims);
        const size_t bits = (size_t)fpgz_grid_values(&grid) * (quotient ? quotient : 7);
        for (unsigned others = 0; others <= 997; others += 997) {
            struct scaled_runs found = {0, 0, 0};
            fill(&grid, &runs, quotient, false, others, values);
            const size_t length = there_and_back(&grid, setting, values, &found);
            CHECK(length < (others ? 2 : 1) * bits / 8 + 5 * (size_t)runs.count + 600);
            CHECK(!memcmp(&found, &runs, sizeof runs));
        }
        const struct fpgz_grid head = fpgz_prans_row(dtype, (size_t)fpgz_grid_values(&grid) / 16);
        fill(&grid, &runs, quotient, false, 0, values);
        fill(&head, &runs, quotient, false, 1, values); /* runs without scales are first */
        if (runs.run > 1)
            CHECK(there_and_back(&grid, setting, values, &(struct scaled_runs){0, 0, 0}) != SIZE_MAX);
        fill(&grid, &runs, quotient, true, 0, values);
        CHECK(there_and_back(&grid, setting, values, &(struct scaled_runs){0, 0, 0}) == SIZE_MAX);
        fill(&grid, &runs, quotient, false, 1, values);
        CHECK(there_and_back(&grid, setting, values, &(struct scaled_runs){0, 0, 0}) == SIZE_MAX);
    }
}

/* A row of scales of the grid's dtype finds room where the grid does. */
static void check_rows(enum fpgz_dtype dtype, uint32_t setting)
{
    static const uint64_t most[] = {60000, 300, 40, 16};
    const struct fpgz_codec *const within = &fpgz_prans_periodic;
    for (unsigned i = 0; i < 400; i++) {
        const struct fpgz_params params = {{setting, random_under(2)}};
        struct fpgz_grid grid = {dtype, 1 + random_under(4), {1, 1, 1, 1}};
        for (unsigned axis = 0; axis < grid.dims; axis++)
            grid.extent[axis] = 1 + random_under(most[grid.dims - 1]);
        const uint64_t scales = fpgz_grid_values(&grid) / SCALED_LEAST;
        const struct fpgz_grid row = fpgz_prans_row(dtype, (size_t)scales);
        CHECK(!scales || (within->memory(&row, &params) <= within->memory(&grid, &params) &&
                          within->decode_memory(&row, &params) <= within->decode_memory(&grid, &params)));
    }
}

/* All levels make the same of any words and scales. */
static void check_levels(enum fpgz_dtype dtype, uint32_t rounding)
{
    enum { VALUES = 5000 };
    static uint64_t words[VALUES], first[VALUES], turned[VALUES], scales[8];
    const struct scaled_runs runs = {37, 8, rounding};
    const size_t size = fpgz_dtype_size(dtype);
    for (size_t i = 0; i < VALUES; i++)
        words[i] = random_under(UINT32_MAX) * UINT64_C(0x9E3779B97F4A7C15) ^ random_under(UINT32_MAX);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        put(dtype == FPGZ_F64 ? FPGZ_F64 : FPGZ_F32, SCALED_WHOLE, scales, i, scale_of(i, false));
    for (unsigned way = 0; way < 2; way++)
        for (int level = 0; level <= (int)fpgz_cpu_best(); level++) {
            fpgz_cpu_set((enum fpgz_cpu_level)level);
            const struct prans_scaled_kernels *const k =
                fpgz_cpu_choose_word(fpgz_prans_scaled_kernels, size);
            memcpy(turned, words, sizeof words);
            (way ? k->multiply : k->divide)(&runs, VALUES, scales, turned);
            if (level == FPGZ_CPU_C)
                memcpy(first, turned, sizeof first);
            CHECK(!memcmp(turned, first, VALUES * size));
        }
}

int main(void)
{
    static const struct {
        enum fpgz_dtype dtype;
        uint32_t rounding;
    } types[] = {
        {FPGZ_F32, SCALED_WHOLE},   {FPGZ_F64, SCALED_WHOLE}, {FPGZ_F64, SCALED_SINGLE},
        {FPGZ_F32, SCALED_HALF},    {FPGZ_F16, SCALED_HALF},  {FPGZ_F32, SCALED_BFLOAT},
        {FPGZ_BF16, SCALED_BFLOAT},
    };
    static double values[12000];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        check_levels(types[i].dtype, types[i].rounding);
        check(types[i].dtype, types[i].rounding, PRANS_FORMAT_MIDDLE, values);
        if (i % 6 == 0) /* which takes long */
            check(types[i].dtype, types[i].rounding, PRANS_FORMAT_HIGH, values);
    }
    for (uint32_t setting = PRANS_FORMAT_MIDDLE; setting <= PRANS_FORMAT_HIGH; setting++) {
        check_rows(FPGZ_F32, setting);
        check_rows(FPGZ_F64, setting);
    }
    return checks_end();
}

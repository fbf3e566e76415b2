/* SPDX-License-Identifier: MIT
 * Values that share scales: by rows, planes, columns and blocks, with some that are anything, they are found
 * and come back; what has one scale, or none, is not taken for such. */
#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/whole.h"
#include "numbers.h"
#include "round_trip.h"

/* Scale s of those that differ, as a single; or of equal ones. */
static double scale_of(size_t s, bool equal)
{
    return (double)(float)(0.001 * (1 + (double)(equal ? 1 : s * 7919 % 1009) / 997));
}

/* Integers of `bits`, times the scale of their run; one of `others` values is anything. */
static void fill(const struct fpgz_grid *grid, const struct scaled_runs *runs, unsigned bits, bool equal,
                 unsigned others, void *values)
{
    for (size_t i = 0; i < fpgz_grid_values(grid); i++) {
        const double integer = (double)random_under(1u << bits) - (double)(1u << (bits - 1));
        const double scale = scale_of(i / runs->run % runs->count, equal);
        store(grid->dtype, values, i,
              others && !random_under(others) ? (double)random_under(1u << 31) / 7e6 : integer * scale);
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

static void check(enum fpgz_dtype dtype, uint32_t setting, void *values)
{
    static const struct {
        unsigned dims;
        uint64_t extent[3];
        struct scaled_runs runs;
        unsigned bits;
    } cases[] = {
        {2, {120, 90}, {90, 120}, 8}, {2, {90, 120}, {1, 120}, 8},    {2, {50, 200}, {32, 313}, 4},
        {1, {10007}, {64, 157}, 6},   {3, {16, 9, 70}, {630, 16}, 8}, {3, {8, 18, 70}, {70, 18}, 5},
        {2, {150, 80}, {80, 150}, 3},
    };
    struct scaled_runs runs;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fpgz_grid grid = {dtype, cases[i].dims, {1, 1, 1, 1}};
        memcpy(grid.extent, cases[i].extent, sizeof *grid.extent * grid.dims);
        const size_t values_bits = (size_t)fpgz_grid_values(&grid) * cases[i].bits;
        for (unsigned others = 0; others <= 997; others += 997) {
            fill(&grid, &cases[i].runs, cases[i].bits, false, others, values);
            const size_t length = there_and_back(&grid, setting, values, &runs);
            CHECK(length < (others ? 2 : 1) * values_bits / 8 + 5 * (size_t)cases[i].runs.count + 600);
            CHECK(runs.run == cases[i].runs.run && runs.count == cases[i].runs.count);
        }
        fill(&grid, &cases[i].runs, cases[i].bits, true, 0, values);
        CHECK(there_and_back(&grid, setting, values, &runs) == SIZE_MAX);
        fill(&grid, &cases[i].runs, cases[i].bits, false, 1, values);
        CHECK(there_and_back(&grid, setting, values, &runs) == SIZE_MAX);
    }
}

/* The row of scales finds room where the grid does. */
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

int main(void)
{
    static double values[12000];
    for (uint32_t setting = PRANS_FORMAT_MIDDLE; setting <= PRANS_FORMAT_HIGH; setting++) {
        check(FPGZ_F32, setting, values);
        check(FPGZ_F64, setting, values);
        check_rows(FPGZ_F32, setting);
        check_rows(FPGZ_F64, setting);
    }
    return checks_end();
}

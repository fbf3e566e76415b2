/* SPDX-License-Identifier: MIT
 * Parts that estimates do not see: channels with gains, by any axes that they are apart by, and spectra of
 * real values, whose complex numbers hide that they are symmetric; and such as are of one size, but not as
 * hard to predict. They are coded apart, and come back; channels with one gain, and noise, are not. */
#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/whole.h"
#include "numbers.h"
#include "round_trip.h"

/* Counts times the gain of the place on an axis, of which there are so many. */
static void fill_channels(const struct fpgz_grid *grid, unsigned axis, unsigned gains, void *values)
{
    size_t stride = 1;
    for (unsigned a = axis + 1; a < grid->dims; a++)
        stride *= (size_t)grid->extent[a];
    for (size_t i = 0; i < fpgz_grid_values(grid); i++) {
        const size_t channel = i / stride % grid->extent[axis] % gains;
        const double count = (double)random_under(512) + (double)random_under(512) - 512;
        store(grid->dtype, values, i, count * (0.1 + 0.0037 * (double)(channel * 7 % gains)) / 3);
    }
}

/* The transform of real values: what is as far behind the first one is conjugate. */
static void fill_spectrum(const struct fpgz_grid *grid, void *values)
{
    const size_t count = (size_t)grid->extent[0];
    for (size_t k = 0; k <= count / 2; k++) {
        const double real = (double)random_under(UINT32_MAX) - 0x1p31,
                     imaginary = (double)random_under(UINT32_MAX) - 0x1p31;
        store(grid->dtype, values, 2 * k, real / 7);
        store(grid->dtype, values, 2 * k + 1, imaginary / 7);
        store(grid->dtype, values, (count - k) % count * 2, real / 7);
        store(grid->dtype, values, (count - k) % count * 2 + 1, -imaginary / 7);
    }
}

/* Rows of triangles' waves, each with a slope of its own, and of noise between the same bounds, in turns. */
static void fill_signals(const struct fpgz_grid *grid, void *values)
{
    enum { QUARTER = 750 };
    const size_t row = (size_t)grid->extent[1];
    for (size_t i = 0; i < fpgz_grid_values(grid); i++) {
        const int phase = (int)(i % row * (3 + 2 * (i / row)) % (4 * QUARTER)) - 2 * QUARTER,
                  wave = (phase < 0 ? -phase : phase) - QUARTER,
                  noise = (int)random_under(2 * QUARTER + 1) - QUARTER;
        store(grid->dtype, values, i, i / row % 2 ? noise : wave);
    }
}

static void fill_noise(const struct fpgz_grid *grid, void *values)
{
    for (size_t i = 0; i < fpgz_grid_values(grid); i++)
        store(grid->dtype, values, i, ((double)random_under(UINT32_MAX) - 0x1p31) / 7);
}

/* Returns the format of the stream, whose length is at most a part of that of the values. */
static unsigned there_and_back(const struct fpgz_grid *grid, uint32_t setting, const void *values,
                               double part)
{
    struct round_trip t;
    unsigned format = 0;
    if (round_trip_begin(&fpgz_prans_apart, grid, setting, values, &t)) {
        CHECK((double)t.length <= part * (double)fpgz_grid_bytes(grid));
        format = t.stream[0];
    }
    round_trip_end(&t);
    return format;
}

static void check(enum fpgz_dtype dtype, uint32_t setting, void *values)
{
    const struct fpgz_grid last = {dtype, 2, {900, 90}}, first = {dtype, 2, {90, 900}},
                           many = {dtype, 2, {310, 290}}, both = {dtype, 3, {5, 12, 1500}},
                           spectrum = {dtype, 2, {9000, 2}}, bins = {dtype, 2, {9001, 2}};
    const double counts = dtype == FPGZ_F32 ? 0.35 : 0.25, conjugate = dtype == FPGZ_F32 ? 0.5 : 0.4;
    fill_channels(&last, 1, 90, values);
    CHECK(there_and_back(&last, setting, values, counts) == PRANS_FORMAT_APART);
    fill_channels(&first, 0, 90, values);
    CHECK(there_and_back(&first, setting, values, counts) == PRANS_FORMAT_APART);
    fill_channels(&both, 1, 12, values);
    const unsigned format = there_and_back(&both, setting, values, counts);
    CHECK(format == PRANS_FORMAT_APART || format == PRANS_FORMAT_SCALED); /* which sees some counts */
    fill_spectrum(&spectrum, values);
    CHECK(there_and_back(&spectrum, setting, values, conjugate) == PRANS_FORMAT_APART);
    fill_spectrum(&bins, values);
    CHECK(there_and_back(&bins, setting, values, conjugate) == PRANS_FORMAT_APART);

    fill_channels(&last, 1, 1, values);
    CHECK(there_and_back(&last, setting, values, counts) != PRANS_FORMAT_APART);
    fill_noise(&spectrum, values);
    CHECK(there_and_back(&spectrum, setting, values, 1) != PRANS_FORMAT_APART);

    fill_channels(&many, 0, 310, values); /* estimates are not asked about so many, and states cost more */
    CHECK(there_and_back(&many, setting, values, 1.6 * counts) == PRANS_FORMAT_APART);
}

static void check_signals(enum fpgz_dtype dtype, void *values)
{
    const struct fpgz_grid signals = {dtype, 2, {4, 9000}};
    const double part = dtype == FPGZ_F32 ? 0.2 : 0.1;
    fill_signals(&signals, values);
    CHECK(there_and_back(&signals, PRANS_FORMAT_MIDDLE, values, part) == PRANS_FORMAT_APART);
    there_and_back(&signals, PRANS_FORMAT_HIGH, values, part); /* whose stencils, one a tile, tell, too */
}

int main(void)
{
    static double values[90 * 1000];
    for (uint32_t setting = PRANS_FORMAT_MIDDLE; setting <= PRANS_FORMAT_HIGH; setting++) {
        check(FPGZ_F32, setting, values);
        check(FPGZ_F64, setting, values);
    }
    check_signals(FPGZ_F32, values);
    check_signals(FPGZ_F64, values);
    return checks_end();
}

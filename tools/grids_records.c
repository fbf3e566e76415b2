/* SPDX-License-Identifier: MIT
 * Grids of what is counted off, one record behind the other: particles, samples, readings, entries, points.
 */
#include <math.h>

#include "core/bytes.h"
#include "grids_kinds.h"

/* The value, rounded to a multiple of 1 / scale as decimal text has it. */
static double decimal(double value, double scale)
{
    return (double)(int64_t)(value * scale + (value < 0 ? -0.5 : 0.5)) / scale;
}

/* A number from 0 on and below 1. */
static double fraction(uint64_t hash)
{
    return (double)(int64_t)(hash >> 11) * 0x1p-53;
}

/* Positions in a box of 100: clusters of 500 particles in a row, three coordinates each. */
void grids_particles(struct grids_source *source, void *out)
{
    enum { CLUSTER = 500, AXES = 3 };
    const uint64_t centers = grids_key(source->seed, 110), key = grids_key(source->seed, 111);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i, cluster = at / AXES / CLUSTER;
        const double center = 100 * fraction(grids_hash(centers + cluster * AXES + at % AXES));
        values[i] = center + 2 * grids_normal(grids_hash(key + at));
    }
    grids_store(source, values, out);
}

/* What a receiver digitised with 12 bits, times its gain. */
void grids_samples(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 112), step = grids_step(grids_hash(key), 5, 50);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const double level = 300 * grids_normal(grids_hash(key + at)) + 500 * grids_sine(at / 2 * step);
        values[i] = decimal(level, 1) * (1.1 / 2048);
    }
    grids_store(source, values, out);
}

/* Readings of a sensor with two decimals, which a day moves and which are often as the last. */
void grids_sensors(struct grids_source *source, void *out)
{
    enum { DAY = 1440, HELD = 4 };
    const uint64_t key = grids_key(source->seed, 113);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = (source->index + i) / HELD * HELD;
        const double day = grids_sine(at * (UINT64_MAX / DAY));
        values[i] = decimal(15 + 8 * day + 0.05 * grids_normal(grids_hash(key + at)), 100);
    }
    grids_store(source, values, out);
}

/* What an interferometer measures, as text has it: 11 digits of numbers below 1e-16, fewer of those near 0.
 */
void grids_strain(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 121), step = grids_step(grids_hash(key), 500, 5000);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const double level = 5 * grids_sine(at * step) + 0.05 * grids_normal(grids_hash(key + at));
        values[i] = decimal(level * 1e10, 1) / 1e27;
    }
    grids_store(source, values, out);
}

/* Numbers of six digits and a power of ten from -8 on, up and down; now and then their negatives. */
void grids_rates(struct grids_source *source, void *out)
{
    enum { LEAST = 100000, DECADE = 9 * LEAST, RUN = 500 };
    static const double powers[] = {1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 10, 1};
    const uint64_t key = grids_key(source->seed, 123), step = grids_step(grids_hash(key), 3000, 9000);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const double level = 4.4 + 4 * grids_sine(at * step) + 0.001 * grids_normal(grids_hash(key + at));
        const uint64_t number = (uint64_t)(int64_t)(level * DECADE);
        const double value = (double)(int64_t)(LEAST + number % DECADE) / powers[number / DECADE];
        values[i] = at / RUN % 4 == 3 ? -value : value;
    }
    grids_store(source, values, out);
}

/* Directions of objects, measured in degrees with single precision. */
void grids_radians(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 125), step = grids_step(grids_hash(key), 700, 9000);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const double degrees = 90 * grids_sine(at * step) + 0.3 * grids_normal(grids_hash(key + at));
        values[i] = (double)(float)degrees * 0.017453292519943295;
    }
    grids_store(source, values, out);
}

/* The column and the row of the source's value i: columns are along the last axis or, where that has more
 * than `most` places, along the first. */
struct cell {
    uint64_t column, row;
};

static struct cell cell_of(const struct grids_source *source, uint64_t most, size_t i)
{
    const uint64_t at = source->index + i, places = source->extent[3],
                   each = fpgz_grid_values(&source->grid) / source->grid.extent[0];
    return places <= most ? (struct cell){at % places, at / places} : (struct cell){at / each, at % each};
}

/* Quantities along the last axis or, if that is long, along the first: a temperature, a pressure, a share and
 * a speed, each with its own steps. */
void grids_station(struct grids_source *source, void *out)
{
    enum { SHORT = 64, DAY = 1440, QUANTITIES = 4 };
    static const double mean[QUANTITIES] = {12, 101325, 0.6, 4}, swing[QUANTITIES] = {9, 900, 0.3, 3},
                        scale[QUANTITIES] = {10, 0.5, 200, 7.3};
    const uint64_t key = grids_key(source->seed, 118);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const struct cell cell = cell_of(source, SHORT, i);
        const uint64_t of = cell.column % QUANTITIES;
        const double day = grids_sine(cell.row * (UINT64_MAX / DAY) + (of << 61)),
                     noise = grids_normal(grids_hash(key + source->index + i));
        values[i] = decimal(mean[of] + swing[of] * (day + 0.1 * noise), scale[of]);
    }
    grids_store(source, values, out);
}

/* Along the last axis or, if that is long, along the first: of three columns the second is the first again,
 * and the third one is corrected a little. Columns of the next three are a thousand times as large. */
void grids_columns(struct grids_source *source, void *out)
{
    enum { SHORT = 64, AGAIN = 3 };
    const uint64_t key = grids_key(source->seed, 126);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const struct cell cell = cell_of(source, SHORT, i);
        const uint64_t again = cell.column / AGAIN;
        const double value = grids_normal(grids_hash(key + cell.row * SHORT + again));
        const double right =
            cell.column % AGAIN == 2 ? 1 + 0x1p-20 * grids_signed(grids_hash(~key + cell.row)) : 1;
        values[i] = value * right * (again % 2 ? 1000 : 1);
    }
    grids_store(source, values, out);
}

/* Of an encephalograph or the like, along the last axis or, if that is long, along the first: counts, which
 * each channel multiplies with a gain of its own. */
void grids_channels(struct grids_source *source, void *out)
{
    enum { SHORT = 256, PERIOD = 314 };
    const uint64_t key = grids_key(source->seed, 131);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const struct cell cell = cell_of(source, SHORT, i);
        const uint64_t channel = grids_hash(key + cell.column);
        const double wave = 200 * grids_sine(cell.row * (UINT64_MAX / PERIOD) + channel),
                     noise = grids_normal(grids_hash(~key + source->index + i));
        values[i] = decimal(wave + 8 * noise, 1) * (0.1 + 0.02 * grids_signed(channel));
    }
    grids_store(source, values, out);
}

/* A layer's weights: rows of the last axis, or of 64 values where that is short, are integers of 8 bits times
 * a scale of their own. */
void grids_quantized(struct grids_source *source, void *out)
{
    enum { SHORT = 16, ROW = 64 };
    const uint64_t key = grids_key(source->seed, 132), places = source->extent[3],
                   row = places < SHORT ? ROW : places;
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const float scale = (float)(0.0004 * (1 + 0.5 * grids_signed(grids_hash(key + at / row))));
        const double weight = 30 * grids_normal(grids_hash(~key + at));
        values[i] = decimal(weight > 127 ? 127 : weight < -127 ? -127 : weight, 1) * (double)scale;
    }
    grids_store(source, values, out);
}

/* A network's readings, whose stations take turns without an axis of their own: each has a level and a swing,
 * and changes little from turn to turn. */
void grids_network(struct grids_source *source, void *out)
{
    enum { STATIONS = 23, DAY = 1440 };
    const uint64_t key = grids_key(source->seed, 122);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i, of = at % STATIONS, time = at / STATIONS,
                       station = grids_hash(key + of), step = UINT64_MAX / DAY;
        values[i] = 300 * grids_signed(station) +
                    (5 + 4 * grids_signed(~station)) * grids_sine(time * step + station) +
                    0.001 * grids_normal(grids_hash(~key + at));
    }
    grids_store(source, values, out);
}

/* Counts that a curve makes physical values: as many as a sixth of all, without steps. */
void grids_calibrated(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 119), all = fpgz_grid_values(&source->grid),
                   step = UINT64_MAX / (all / 2 + 1);
    const double range = (double)(int64_t)all / 12 + 8;
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i;
        const double count =
            decimal(range * (1 + 0.7 * grids_sine(at * step) + 0.2 * grids_signed(grids_hash(key + at))), 1);
        values[i] = 1000 / (1 + 3 * count / range);
    }
    grids_store(source, values, out);
}

/* Entries of a catalogue that were single once: magnitudes, behind each its error. */
void grids_catalogue(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 114);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i, entry = at / 2;
        const double magnitude =
            24 - 8 * fraction(grids_hash(key + entry)) * fraction(grids_hash(~key + entry));
        values[i] = (double)(float)(at % 2 ? 0.001 * (25 - magnitude) : magnitude);
    }
    grids_store(source, values, out);
}

/* Outlines of areas, as pairs of degrees with four decimals: each comes twice, for two areas share it. */
void grids_outlines(struct grids_source *source, void *out)
{
    enum { POINTS = 60 };
    const uint64_t key = grids_key(source->seed, 115);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i, point = at / 2 % POINTS, line = at / 2 / POINTS / 2;
        const uint64_t start = grids_hash(key + 2 * line + at % 2);
        const double along = (double)(int64_t)point / POINTS, rough = grids_signed(grids_hash(start + point));
        const double course = grids_sine((uint64_t)(along * 0x1p62) + (at % 2 << 62));
        values[i] = decimal(180 * fraction(start) + course + 0.01 * rough, 1e4);
    }
    grids_store(source, values, out);
}

/* A checkpoint of a training run: weights, and Adam's first and second moments of their gradients. */
void grids_checkpoint(struct grids_source *source, void *out)
{
    const uint64_t all = fpgz_grid_values(&source->grid), part = all / 3 + 1;
    const uint64_t weights = grids_key(source->seed, 116), gradients = grids_key(source->seed, 117);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t at = source->index + i, of = at % part;
        const double gradient = 1e-4 * grids_normal(grids_hash(gradients + of)),
                     noise = fraction(grids_hash(gradients - of));
        values[i] = at / part == 0   ? 0.02 * grids_normal(grids_hash(weights + of))
                    : at / part == 1 ? gradient
                                     : gradient * gradient * (1 + noise);
    }
    grids_store(source, values, out);
}

/* Five values, as of a segmentation or of levels: each is all that a region has. */
void grids_regions(struct grids_source *source, void *out)
{
    double values[GRIDS_SEGMENT];
    grids_turbulence_values(source, values);
    for (size_t i = 0; i < source->count; i++)
        values[i] = (values[i] > -0.75) + (values[i] > -0.25) + (values[i] > 0.25) + (values[i] > 0.75);
    grids_store(source, values, out);
}

/* A map of the sea: turbulence, and NaN on land. */
void grids_map(struct grids_source *source, void *out)
{
    double values[GRIDS_SEGMENT];
    grids_turbulence_values(source, values);
    for (size_t i = 0; i < source->count; i++)
        values[i] = values[i] < -0.5 ? NAN : 15 + 5 * values[i];
    grids_store(source, values, out);
}

/* Levels of a model's field as GRIB packs them, each an origin and integers times a power of two, with NaN on
 * land. A level is all of the last two axes. */
void grids_levels(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 127), level = source->extent[2] * source->extent[3];
    double values[GRIDS_SEGMENT];
    grids_turbulence_values(source, values);
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t number = (source->index + i) / level, hash = grids_hash(key + number);
        const double origin = (double)(float)(250 + 50 * grids_signed(hash)),
                     step = 1. / (double)(64 << number % 3);
        values[i] = values[i] < -0.5 ? NAN : origin + (double)(int64_t)(4 * (values[i] + 3) / step) * step;
    }
    grids_store(source, values, out);
}

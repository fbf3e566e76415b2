/* SPDX-License-Identifier: MIT
 * prans finds what values have in common, restores them, and refuses what is no stream: grids made for each
 * value domain, in both settings and at all CPU levels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"

enum { PLANES = 12, ROWS = 40, COLUMNS = 60, PLANE = ROWS * COLUMNS, VALUES = PLANES * PLANE };

/* A surface between -1 and 1, the same everywhere: no function whose last digit may differ. */
static double surface(size_t i)
{
    const double x = (double)(i % COLUMNS) / COLUMNS - 0.5, y = (double)(i / COLUMNS % ROWS) / ROWS - 0.5;
    const double z = (double)(i / PLANE) / PLANES - 0.5;
    return 4 * x * x * (1 - y) - 2 * y * z + x * z;
}

static double rounded(double value)
{
    return (value + 0x1.8p52) - 0x1.8p52;
}

static double plain(size_t i)
{
    return surface(i) * 3.14159 + 7;
}

static double decimal(size_t i)
{
    return rounded(surface(i) * 5000) / 100;
}

/* Steps of 3/256, and a few values that are none of them. */
static double lattice(size_t i)
{
    return i % 997 == 5 ? 0.3333333333 + (double)i : rounded(surface(i) * 4000) * 3 / 256;
}

static double few(size_t i)
{
    return sqrt(2 + rounded((surface(i) + 2) * 20));
}

static double slab(size_t i)
{
    const double plane = (double)(i / PLANE);
    return (float)(250.123 + 3.3 * plane) +
           rounded((surface(i) + 3) * 900) * (i / PLANE % 2 ? 0x1p-7 : 0x1p-8);
}

/* Multiples of what is no decimal, as from a converter with a gain. */
static double gain(size_t i)
{
    return (double)(float)(rounded(surface(i) * 300 + (double)(i * i % 7)) * 0.0137131);
}

/* Three digits and a power of ten, whose number is smooth; a few that have more. */
static double digits(size_t i)
{
    static const double powers[] = {1e4, 1e3, 1e2, 10, 1};
    const double number = rounded((surface(i) + 2.2) * 900);
    const int64_t size = (int64_t)(number < 0 ? -number : number);
    const double value = (double)(100 + size % 900) / powers[size / 900];
    return i % 499 == 7 ? 0.3333333333 + (double)i : i % 901 == 13 ? 0 : i / 3000 % 2 ? -value : value;
}

/* The same of numbers as small as noise, as text has them: not all are products or quotients of a power. */
static double printed(size_t i)
{
    char text[32];
    snprintf(text, sizeof text, "%zue-%zu", 1000000 + i * 7919 % 9000000, 28 + i % 7);
    return strtod(text, NULL);
}

static double filled(size_t i)
{
    return i / 37 % 3 == 0 ? (double)1e20f : i / 41 % 5 == 0 ? 0 : i % 501 == 0 ? (double)NAN : plain(i);
}

static double infinite(size_t i)
{
    return i % 3 ? -(double)INFINITY : (double)NAN;
}

static const struct {
    const char *name;
    double (*value)(size_t i);
    double middle; /* stored/raw of the middle setting, at most, in f32 */
} grids[] = {
    {"plain", plain, 0.6},   {"decimal", decimal, 0.25}, {"lattice", lattice, 0.35},  {"few", few, 0.2},
    {"slab", slab, 0.26},    {"filled", filled, 0.5},    {"infinite", infinite, 0.2}, {"gain", gain, 0.4},
    {"digits", digits, 0.4}, {"printed", printed, 0.9},
};

static const struct {
    unsigned dims;
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
} shapes[] = {
    {3, {PLANES, ROWS, COLUMNS, 1}}, {1, {VALUES, 1, 1, 1}},     {2, {VALUES / COLUMNS, COLUMNS, 1, 1}},
    {2, {VALUES / 3, 3, 1, 1}},      {4, {PLANES, ROWS, 30, 2}},
};

static void check(bool ok, const char *grid, const struct fpgz_grid *shape, uint32_t setting,
                  const char *what)
{
    char text[FPGZ_SHAPE_TEXT];
    check_that(ok, "%s %s %s, setting %u at level %s: %s", grid, fpgz_dtype_name(shape->dtype),
               ok ? "" : fpgz_shape_text(shape->extent, shape->dims, text, sizeof text), setting,
               fpgz_cpu_name(fpgz_cpu()), what);
}

static void check_grid(const char *name, const struct fpgz_grid *grid, uint32_t setting, const void *values,
                       double most)
{
    const struct fpgz_codec *const codec = fpgz_codec_by_id(FPGZ_CODEC_PRANS);
    const size_t raw = fpgz_grid_bytes(grid);
    struct fpgz_coding coding = {.grid = *grid};
    fpgz_codec_defaults(codec, &coding.params);
    coding.params.value[PRANS_SETTING] = setting;
    const size_t memory = codec->memory(grid, &coding.params), bound = codec->bound(grid, &coding.params);
    coding.scratch = aligned_alloc(64, (memory + 63) / 64 * 64);
    uint8_t *const stream = malloc(bound), *const restored = malloc(raw);
    size_t length = 0;
    check(!codec->encode(&coding, values, stream, &length) && length <= bound, name, grid, setting,
          "encoding failed");
    check((double)length <= most * (double)raw, name, grid, setting, "its domain was not found");
    check(!codec->decode(&coding, stream, length, restored) && !memcmp(values, restored, raw), name, grid,
          setting, "it is not what was restored");
    check(codec->decode(&coding, stream, length - 1, restored) == FPGZ_CORRUPT, name, grid, setting,
          "a stream that is too short was taken");
    stream[0] = UINT8_MAX;
    check(codec->decode(&coding, stream, length, restored) == FPGZ_UNSUPPORTED, name, grid, setting,
          "an unknown format was taken");
    free(restored);
    free(stream);
    free(coding.scratch);
}

int main(void)
{
    static float narrow[VALUES];
    static double wide[VALUES];
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        for (size_t i = 0; i < VALUES; i++) {
            wide[i] = grids[g].value(i);
            narrow[i] = (float)wide[i];
        }
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (enum fpgz_cpu_level level = s ? fpgz_cpu_best() : FPGZ_CPU_C; level <= fpgz_cpu_best();
                 level++)
                for (uint32_t setting = 1; setting <= 2; setting++) {
                    struct fpgz_grid grid = {FPGZ_F32, shapes[s].dims, {0}};
                    memcpy(grid.extent, shapes[s].extent, sizeof grid.extent);
                    fpgz_cpu_set(level);
                    check_grid(grids[g].name, &grid, setting, narrow, s ? 1 : grids[g].middle);
                    grid.dtype = FPGZ_F64;
                    check_grid(grids[g].name, &grid, setting, wide, 1);
                }
    }
    return checks_end();
}

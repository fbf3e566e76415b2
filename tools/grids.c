/* SPDX-License-Identifier: MIT
 * Generated grids: the table of kinds, and what reads a kind piece by piece. */
#include "grids.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "grids_kinds.h"

#define FLOATS (FPGZ_FLOATS_32_64 | FPGZ_DTYPE_BIT(FPGZ_F16) | FPGZ_DTYPE_BIT(FPGZ_BF16))
#define INTEGERS (FPGZ_ALL_DTYPES & ~FLOATS)

const struct grids_kind grids_kinds[] = {
    {"wave", "smooth: separable waves and a little noise in the last bits", FLOATS, 1, 4, grids_wave_open,
     grids_wave},
    {"turbulence", "noise of several octaves, 5/3 spectrum", FLOATS, 1, 4, grids_turbulence_open,
     grids_turbulence},
    {"noise", "independent uniform values in [0,1)", FLOATS, 1, 4, NULL, grids_noise},
    {"constant", "one value everywhere", FLOATS, 1, 4, NULL, grids_constant},
    {"special", "smooth, with NaN payloads, infinities, -0, denormals and fill values 1e34", FLOATS, 1, 4,
     grids_special_open, grids_special},
    {"weights", "a network's: normal, each row of a scale of its own", FLOATS, 1, 4, NULL, grids_weights},
    {"repeats", "short runs of random words, half of them earlier ones again or negated", FPGZ_ALL_DTYPES, 1,
     4, NULL, grids_repeats},
    {"mirrored", "the same of numbers from 0.5 to 1 that come again with other last bits", FPGZ_FLOATS_32_64,
     1, 4, NULL, grids_mirrored},
    {"light", "a light pulse scattering, TxYxX or YxX (the last step): zeros and tiny values",
     FPGZ_FLOATS_32_64, 2, 3, grids_light_open, grids_light},
    {"visibilities", "a radio telescope's, time x channel x baseline x 2, last axes merged or not",
     FPGZ_FLOATS_32_64, 2, 4, grids_visibilities_open, grids_visibilities},
    {"particles", "positions of particles in clusters, three coordinates each", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_particles},
    {"samples", "a receiver's, of 12 bits, times a gain", FPGZ_FLOATS_32_64, 1, 4, NULL, grids_samples},
    {"sensors", "readings with two decimals, often the same again", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_sensors},
    {"station", "a weather station's: air, pressure, humidity and wind take turns along a short axis",
     FPGZ_FLOATS_32_64, 1, 4, NULL, grids_station},
    {"network", "a network's readings, its stations in turns, without an axis of their own", FLOATS, 1, 4,
     NULL, grids_network},
    {"calibrated", "a detector's counts through a curve: irregular numbers, each a few times",
     FPGZ_FLOATS_32_64, 1, 4, NULL, grids_calibrated},
    {"catalogue", "magnitudes and their errors, of single precision", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_catalogue},
    {"outlines", "borders in degrees with four decimals, each twice", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_outlines},
    {"checkpoint", "a training run's: weights and Adam's moments", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_checkpoint},
    {"map", "of the sea: turbulence, and NaN on land", FPGZ_FLOATS_32_64, 1, 4, grids_turbulence_open,
     grids_map},
    {"regions", "five values, each of whole regions", FPGZ_FLOATS_32_64, 1, 4, grids_turbulence_open,
     grids_regions},
    {"strain", "an interferometer's: tiny numbers of 11 digits", FPGZ_FLOATS_32_64, 1, 4, NULL, grids_strain},
    {"rates", "of reactions: six digits and a power of ten, as tables have them", FPGZ_FLOATS_32_64, 1, 4,
     NULL, grids_rates},
    {"walk", "test vectors: random walk of the word, some signs flipped", FPGZ_FLOATS_32_64, 1, 3,
     grids_walk_open, grids_walk},
    {"poly", "test vectors: quadratic polynomial of the coordinates", FPGZ_FLOATS_32_64, 1, 3, NULL,
     grids_poly},
    {"rand", "test vectors: random words", FPGZ_ALL_DTYPES, 1, 3, NULL, grids_rand},
    {"spec", "test vectors: random choice of 16 special words", FPGZ_FLOATS_32_64, 1, 3, NULL, grids_spec},
    {"zero", "test vectors: zero words", FPGZ_ALL_DTYPES, 1, 3, NULL, grids_zero},
    {"kry", "test vectors: random values in (-2,2) over 32 binades, some zeros", FPGZ_FLOATS_32_64, 1, 3,
     NULL, grids_kry},
    {"radians", "angles of single precision that were degrees", FPGZ_DTYPE_BIT(FPGZ_F64), 1, 4, NULL,
     grids_radians},
    {"symmetric", "random words, the same on both sides of each axis' middle, nearly or negated",
     FPGZ_ALL_DTYPES, 1, 4, NULL, grids_symmetric},
    {"levels", "of a field, each with an origin and a power of two, as GRIB has them; NaN on land",
     FPGZ_FLOATS_32_64, 1, 4, grids_turbulence_open, grids_levels},
    {"columns", "of a table, along a short axis: noise, the same again, and nearly that", FPGZ_FLOATS_32_64,
     1, 4, NULL, grids_columns},
    {"rain", "of a radar: mostly none, and tenths of a millimetre", FLOATS, 1, 4, grids_turbulence_open,
     grids_rain},
    {"unpacked", "a packed field's values: integers times a scale, and an offset", FPGZ_FLOATS_32_64, 1, 4,
     grids_turbulence_open, grids_unpacked},
    {"channels", "counts of an instrument's channels, each times a gain", FPGZ_FLOATS_32_64, 1, 4, NULL,
     grids_channels},
    {"quantized", "weights of 8 bits, times a scale of each row", FLOATS, 1, 4, NULL, grids_quantized},
    {"coefficients", "of orbitals, as text has them: eight digits and a power of ten", FPGZ_FLOATS_32_64, 1,
     4, NULL, grids_coefficients},
    {"pairs", "half of the numbers come again alone, with either sign and other last digits",
     FPGZ_DTYPE_BIT(FPGZ_F64), 1, 4, NULL, grids_pairs},
    {"clock", "times of samples, by a clock whose ticks are no part of their steps", FPGZ_FLOATS_32_64, 1, 4,
     NULL, grids_clock},
    {"packed", "a field packed by scale and offset, with a fill value", INTEGERS, 1, 4, grids_turbulence_open,
     grids_packed},
    {"counts", "events in a detector", INTEGERS, 1, 4, grids_turbulence_open, grids_counts},
    {"image", "a camera's, of 8 or 12 bits", INTEGERS, 1, 4, grids_turbulence_open, grids_image},
    {"times", "times of records, with gaps", INTEGERS, 1, 4, NULL, grids_times},
    {"mask", "zeros and ones", INTEGERS, 1, 4, grids_turbulence_open, grids_mask},
    {"classes", "codes of classes, as of land cover", INTEGERS, 1, 4, grids_turbulence_open, grids_classes},
    {0},
};

static const struct grids_kind *find_kind(const char *name)
{
    const struct grids_kind *found = grids_kinds;
    while (found->name && strcmp(found->name, name) != 0)
        found++;
    return found->name ? found : NULL;
}

bool grids_fit(const char *kind, enum fpgz_dtype dtype)
{
    const struct grids_kind *const found = find_kind(kind);
    return found && found->dtypes >> dtype & 1;
}

const char *grids_dtypes(const struct grids_kind *kind)
{
    return kind->dtypes == FPGZ_ALL_DTYPES ? "all"
           : kind->dtypes == INTEGERS      ? "integers"
           : kind->dtypes == FLOATS        ? "floats"
           : kind->dtypes >> FPGZ_F32 & 1  ? "f32,f64"
                                           : "f64";
}

uint64_t grids_step(uint64_t hash, uint64_t low, uint64_t high)
{
    /* Periods in sixteenths of a sample. */
    const uint64_t period = 16 * low + (hash >> 1) % (16 * (high - low));
    const uint64_t step = UINT64_MAX / period * 16;
    return hash & 1 ? step : -step;
}

/* The value as an f16, rounded to the nearest, of two to the even one. */
static uint16_t to_f16(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    const uint16_t sign = (uint16_t)(word >> 16 & 0x8000);
    const uint32_t magnitude = word & 0x7FFFFFFF, unit = magnitude >> 23;
    if (unit >= 143) /* from 2^16 on */
        return sign | 0x7C00;
    if (unit < 102) /* below half the smallest */
        return sign;
    /* Bits of the mantissa that are dropped: more below 2^-14, where all have one exponent. */
    const unsigned drop = unit < 113 ? 126 - unit : 13;
    const uint32_t from = unit < 113 ? (magnitude & 0x7FFFFF) | 0x800000 : magnitude - (112u << 23);
    return sign | (uint16_t)((from + (1u << (drop - 1)) - 1 + (from >> drop & 1)) >> drop);
}

static uint16_t to_bf16(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return (uint16_t)((word + 0x7FFF + (word >> 16 & 1)) >> 16);
}

void grids_store(const struct grids_source *source, const double *values, void *out)
{
    if (source->grid.dtype == FPGZ_F64) {
        memcpy(out, values, source->count * sizeof *values);
        return;
    }
    for (size_t i = 0; i < source->count; i++)
        if (source->grid.dtype == FPGZ_F32)
            ((float *)out)[i] = (float)values[i];
        else
            ((uint16_t *)out)[i] =
                source->grid.dtype == FPGZ_F16 ? to_f16((float)values[i]) : to_bf16((float)values[i]);
}

void grids_store_words(const struct grids_source *source, const uint64_t *words, void *out)
{
    const size_t size = fpgz_dtype_size(source->grid.dtype);
    for (size_t i = 0; i < source->count; i++) /* the machine is little-endian */
        memcpy((uint8_t *)out + i * size, &words[i], size);
}

static void set_count(struct grids_source *source)
{
    source->count = (size_t)fpgz_min(source->extent[3] - source->at[3], GRIDS_SEGMENT);
}

struct grids_source *grids_open(const char *kind, const struct fpgz_grid *grid, uint64_t seed,
                                struct fpgz_error *error)
{
    const struct grids_kind *const found = find_kind(kind);
    if (!found) {
        fpgz_fail(error, FPGZ_USAGE, "unknown kind '%s'; see gengrid --list", kind);
        return NULL;
    }
    if (!fpgz_grid_valid(grid)) {
        fpgz_fail(error, FPGZ_USAGE, "the grid is too large");
        return NULL;
    }
    if (grid->dims < found->min_dims || grid->dims > found->max_dims) {
        fpgz_fail(error, FPGZ_USAGE, "%s has %u to %u dimensions, not %u", kind, found->min_dims,
                  found->max_dims, grid->dims);
        return NULL;
    }
    if (!(found->dtypes >> grid->dtype & 1)) {
        fpgz_fail(error, FPGZ_USAGE, "%s is made of %s, not of %s", kind, grids_dtypes(found),
                  fpgz_dtype_name(grid->dtype));
        return NULL;
    }
    struct grids_source *source = calloc(1, sizeof *source);
    if (!source)
        goto no_memory;
    source->kind = found;
    source->grid = *grid;
    source->seed = seed;
    source->left = fpgz_grid_values(grid);
    for (unsigned d = 0; d < 4; d++)
        source->extent[d] = d < 4 - grid->dims ? 1 : grid->extent[d - (4 - grid->dims)];
    if (source->left && found->open && found->open(source) != FPGZ_OK)
        goto no_memory;
    set_count(source);
    return source;

no_memory:
    fpgz_fail(error, FPGZ_MEMORY, "no memory for a grid of kind %s", kind);
    grids_close(source);
    return NULL;
}

static void next_segment(struct grids_source *source, void *out)
{
    source->kind->segment(source, out);
    source->left -= source->count;
    source->index += source->count;
    source->at[3] += source->count;
    for (unsigned d = 3; d > 0 && source->at[d] == source->extent[d]; d--) {
        source->at[d] = 0;
        source->at[d - 1]++;
    }
    set_count(source);
}

size_t grids_read(struct grids_source *source, void *out, size_t values)
{
    const size_t word = fpgz_dtype_size(source->grid.dtype);
    uint8_t *const to = out;
    size_t done = 0;
    while (done < values && (source->left || source->used < source->buffered)) {
        if (source->used < source->buffered) {
            const size_t count = fpgz_min(values - done, source->buffered - source->used);
            memcpy(to + done * word, source->buffer + source->used * word, count * word);
            source->used += count;
            done += count;
        } else if (source->count <= values - done) {
            const size_t count = source->count;
            next_segment(source, to + done * word);
            done += count;
        } else {
            source->buffered = source->count;
            source->used = 0;
            next_segment(source, source->buffer);
        }
    }
    return done;
}

void grids_close(struct grids_source *source)
{
    if (source)
        free(source->state);
    free(source);
}

enum fpgz_status grids_fill(const char *kind, const struct fpgz_grid *grid, uint64_t seed, void *out,
                            struct fpgz_error *error)
{
    struct grids_source *const source = grids_open(kind, grid, seed, error);
    if (!source)
        return error->status;
    grids_read(source, out, (size_t)fpgz_grid_values(grid));
    grids_close(source);
    return FPGZ_OK;
}

enum fpgz_status grids_parse(const char *dtype, const char *shape, struct fpgz_grid *grid,
                             struct fpgz_error *error)
{
    *grid = (struct fpgz_grid){.dtype = FPGZ_F32};
    if (!fpgz_dtype_parse(dtype, &grid->dtype))
        return fpgz_fail(error, FPGZ_USAGE, "unknown dtype '%s'", dtype);
    const char *at = shape;
    do {
        char *end;
        errno = 0;
        const uint64_t extent = strtoull(at, &end, 10);
        if (!isdigit((unsigned char)*at) || errno || (*end && *end != 'x') ||
            grid->dims == FPGZ_MAX_CODING_DIMS)
            return fpgz_fail(error, FPGZ_USAGE,
                             "'%s' is no shape: up to %d extents, slowest first, as in 20x180x360", shape,
                             FPGZ_MAX_CODING_DIMS);
        grid->extent[grid->dims++] = extent;
        at = *end ? end + 1 : NULL;
    } while (at);
    if (!fpgz_grid_valid(grid))
        return fpgz_fail(error, FPGZ_USAGE, "shape %s is too large", shape);
    return FPGZ_OK;
}

bool grids_parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, !strncmp(text, "0x", 2) ? 16 : 10);
    return isdigit((unsigned char)*text) && !*end && !errno;
}

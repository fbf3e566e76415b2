/* SPDX-License-Identifier: MIT
 * Grids as two instruments of science leave them: a field solver and a radio telescope. */
#include <stdlib.h>

#include "core/bytes.h"
#include "grids_kinds.h"

/* light: finite differences in the time domain on Yee's grid, TE mode: Hz in the cells, Ex and Ey on their
 * edges, conducting walls. A pulse runs from the left into dielectric cylinders; ahead of it the field falls
 * to tiny values and, more than a cell a step ahead, to exact zeros. */
struct light {
    size_t height, width;
    uint64_t step, steps_a_frame, pulse_steps;
    double *hz;      /* height x width */
    double *ex;      /* height + 1 x width */
    double *ey;      /* height x width + 1 */
    double *inverse; /* height x width: the Courant number, 1/2, by the permittivity */
};

enum { CYLINDERS = 5 };

static void place_cylinders(struct light *light, uint64_t seed)
{
    const int64_t height = (int64_t)light->height, width = (int64_t)light->width;
    const int64_t shorter = height < width ? height : width;
    for (size_t i = 0; i < light->height * light->width; i++)
        light->inverse[i] = 0.5;
    for (unsigned c = 0; c < CYLINDERS; c++) {
        const uint64_t hash = grids_hash(grids_key(seed, 80) + c);
        const int64_t middle_y = (int64_t)(hash & 0xFFFF) * height / 0x10000;
        const int64_t middle_x = width / 4 + (int64_t)(hash >> 16 & 0xFFFF) * (width / 2) / 0x10000;
        const int64_t radius = shorter / 24 + (int64_t)(hash >> 32 & 0xFF) * shorter / 0x1000;
        const double inverse = 0.5 / (1.5 + (double)(hash >> 40 & 0xFF) * 0x1p-7);
        for (int64_t y = middle_y - radius; y <= middle_y + radius; y++)
            for (int64_t x = middle_x - radius; x <= middle_x + radius; x++) {
                const int64_t dy = y - middle_y, dx = x - middle_x;
                if (y >= 0 && y < height && x >= 0 && x < width && dy * dy + dx * dx <= radius * radius)
                    light->inverse[y * width + x] = inverse;
            }
    }
}

enum fpgz_status grids_light_open(struct grids_source *source)
{
    const uint64_t frames = source->extent[1], height = source->extent[2], width = source->extent[3];
    uint64_t doubles;
    if (!fpgz_mul(height + 1, width + 1, &doubles) || !fpgz_mul(4, doubles, &doubles) ||
        doubles > SIZE_MAX / 8)
        return FPGZ_MEMORY;
    /* One allocation, so that the framework can free it. */
    struct light *const light = source->state = calloc(1, sizeof *light + (size_t)doubles * sizeof(double));
    if (!light)
        return FPGZ_MEMORY;
    const size_t plane = (size_t)(height + 1) * (size_t)(width + 1);
    light->height = (size_t)height;
    light->width = (size_t)width;
    /* Light, at half a cell a step, has then crossed an eighth of a square grid: most of it is still dark. */
    const uint64_t steps = (height + width) / 8 / frames;
    light->steps_a_frame = steps ? steps : 1;
    light->pulse_steps = 96;
    light->hz = (double *)(light + 1);
    light->ex = light->hz + plane;
    light->ey = light->ex + plane;
    light->inverse = light->ey + plane;
    place_cylinders(light, source->seed);
    return FPGZ_OK;
}

static void electric_step(struct light *light)
{
    const size_t width = light->width;
    for (size_t y = 1; y < light->height; y++)
        for (size_t x = 0; x < width; x++)
            light->ex[y * width + x] +=
                light->inverse[y * width + x] * (light->hz[y * width + x] - light->hz[(y - 1) * width + x]);
    for (size_t y = 0; y < light->height; y++)
        for (size_t x = 1; x < width; x++)
            light->ey[y * (width + 1) + x] -=
                light->inverse[y * width + x] * (light->hz[y * width + x] - light->hz[y * width + x - 1]);
}

static void magnetic_step(struct light *light)
{
    const size_t width = light->width;
    for (size_t y = 0; y < light->height; y++)
        for (size_t x = 0; x < width; x++)
            light->hz[y * width + x] +=
                0.5 * ((light->ex[(y + 1) * width + x] - light->ex[y * width + x]) -
                       (light->ey[y * (width + 1) + x + 1] - light->ey[y * (width + 1) + x]));
}

/* The pulse: a few oscillations under a squared sine, from a line in the middle third of the left. */
static void source_step(struct light *light)
{
    const uint64_t turn = UINT64_MAX / (2 * light->pulse_steps);
    const double envelope = grids_sine(light->step * turn);
    const double pulse = envelope * envelope * grids_sine(light->step * 8 * turn);
    const size_t first = light->height / 3, count = light->height / 3 + 1, x = light->width / 8;
    for (size_t i = 0; i < count && first + i < light->height; i++)
        light->hz[(first + i) * light->width + x] +=
            pulse * grids_sine(UINT64_MAX / (4 * count) * (2 * i + 1));
}

void grids_light(struct grids_source *source, void *out)
{
    struct light *const light = source->state;
    if (source->at[2] == 0 && source->at[3] == 0)
        for (uint64_t i = 0; i < light->steps_a_frame; i++) {
            electric_step(light);
            magnetic_step(light);
            if (light->step < light->pulse_steps)
                source_step(light);
            light->step++;
        }
    grids_store(source, light->hz + source->at[2] * light->width + source->at[3], out);
}

/* visibilities: per baseline an amplitude, a phase that drifts slowly with time and turns with the channel,
 * a band's shape, and the receivers' noise. Real and imaginary parts alternate. */
struct visibilities {
    uint64_t start; /* what the tables are of: values of a row, from x = start on */
    uint64_t phase[GRIDS_SEGMENT], drift[GRIDS_SEGMENT], turn[GRIDS_SEGMENT];
    double amplitude[GRIDS_SEGMENT];
};

enum fpgz_status grids_visibilities_open(struct grids_source *source)
{
    struct visibilities *const state = source->state = calloc(1, sizeof *state);
    if (!state)
        return FPGZ_MEMORY;
    state->start = UINT64_MAX; /* nothing yet */
    uint64_t *const extent = source->extent;
    unsigned dims = source->grid.dims;
    if (extent[3] == 2) { /* (re, im) merges with the baselines */
        extent[3] = 2 * extent[2];
        extent[2] = extent[1];
        extent[1] = extent[0];
        extent[0] = 1;
        dims--;
    }
    if (dims == 2) { /* time x baseline: one channel */
        extent[1] = extent[2];
        extent[2] = 1;
    }
    return FPGZ_OK;
}

static void fill_tables(const struct grids_source *source, struct visibilities *state)
{
    const uint64_t key = grids_key(source->seed, 96);
    state->start = source->at[3];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t x = state->start + i, baseline = key + x / 2 * 4;
        const uint64_t quarter = x & 1 ? 0 : UINT64_C(1) << 62; /* the real part is the cosine */
        state->phase[i] = grids_hash(baseline) + quarter;
        state->drift[i] = grids_step(grids_hash(baseline + 1), 300, 3000);
        state->turn[i] = grids_step(grids_hash(baseline + 2), 100, 1000);
        state->amplitude[i] = 2 + grids_signed(grids_hash(baseline + 3));
    }
}

void grids_visibilities(struct grids_source *source, void *out)
{
    struct visibilities *const state = source->state;
    if (state->start != source->at[3])
        fill_tables(source, state);
    const uint64_t time = source->at[1], channel = source->at[2];
    const uint64_t ripple = channel * grids_step(grids_key(source->seed, 97), 50, 100);
    const double band = 1 + 0.125 * grids_sine(ripple);
    const uint64_t key = grids_key(source->seed, 98) + source->index;
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t phase = state->phase[i] + time * state->drift[i] + channel * state->turn[i];
        /* Four uniform numbers make a bell curve with a standard deviation of 1/50. */
        const uint64_t hash = grids_hash(key + i);
        const int32_t sum = (int32_t)(hash & 0xFFFF) + (int32_t)(hash >> 16 & 0xFFFF) +
                            (int32_t)(hash >> 32 & 0xFFFF) + (int32_t)(hash >> 48) - 131070;
        const double noise = (double)sum * (0.02 * 1.7320508075688772 / 65536);
        values[i] = band * state->amplitude[i] * grids_sine(phase) + noise;
    }
    grids_store(source, values, out);
}

/* SPDX-License-Identifier: MIT
 * Smooth grids: a sum of separable waves. Each axis' factor is a sine whose amplitude another, slower sine
 * modulates. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "grids_kinds.h"

enum { WAVES = 4 };

static const uint64_t quarter_turn = UINT64_C(1) << 62;

struct axis {
    uint64_t phase, step, slow_phase, slow_step;
};

struct wave {
    struct axis axis[WAVES][4];
    double noise;                       /* relative to the value */
    double along[WAVES][GRIDS_SEGMENT]; /* the factors of a row, from x = start on */
    uint64_t start;
    /* Sine and cosine of 0, 1, 2, ... steps along the row: of each wave and of its slow modulation. */
    double sine[WAVES][2][GRIDS_SEGMENT], cosine[WAVES][2][GRIDS_SEGMENT];
};

static double modulated(double slow, double fast)
{
    return (0.75 + 0.25 * slow) * fast;
}

static double factor(const struct axis *axis, uint64_t at)
{
    return modulated(grids_sine(axis->slow_phase + at * axis->slow_step),
                     grids_sine(axis->phase + at * axis->step));
}

static void fill_tables(const struct grids_source *source, struct wave *wave)
{
    const size_t count = (size_t)fpgz_min(source->extent[3], GRIDS_SEGMENT);
    for (unsigned w = 0; w < WAVES; w++) {
        const struct axis *const axis = &wave->axis[w][3];
        for (size_t i = 0; i < count; i++) {
            wave->sine[w][0][i] = grids_sine(i * axis->step);
            wave->sine[w][1][i] = grids_sine(i * axis->slow_step);
            wave->cosine[w][0][i] = grids_sine(i * axis->step + quarter_turn);
            wave->cosine[w][1][i] = grids_sine(i * axis->slow_step + quarter_turn);
        }
    }
}

/* The row's factors by the sine of a sum, so that long rows, which need them once each, stay fast. */
static void fill_along(const struct grids_source *source, struct wave *wave)
{
    wave->start = source->at[3];
    for (unsigned w = 0; w < WAVES; w++) {
        const struct axis *const axis = &wave->axis[w][3];
        const uint64_t phase = axis->phase + wave->start * axis->step;
        const uint64_t slow_phase = axis->slow_phase + wave->start * axis->slow_step;
        const double sine = grids_sine(phase), cosine = grids_sine(phase + quarter_turn);
        const double slow_sine = grids_sine(slow_phase), slow_cosine = grids_sine(slow_phase + quarter_turn);
        for (size_t i = 0; i < source->count; i++) {
            const double slow = slow_sine * wave->cosine[w][1][i] + slow_cosine * wave->sine[w][1][i];
            const double fast = sine * wave->cosine[w][0][i] + cosine * wave->sine[w][0][i];
            wave->along[w][i] = modulated(slow, fast);
        }
    }
}

static enum fpgz_status open_wave(struct grids_source *source, double noise)
{
    struct wave *const wave = source->state = calloc(1, sizeof *wave);
    if (!wave)
        return FPGZ_MEMORY;
    wave->noise = noise;
    wave->start = UINT64_MAX; /* nothing yet */
    for (unsigned w = 0; w < WAVES; w++)
        for (unsigned d = 0; d < 4; d++) {
            const uint64_t key = grids_key(source->seed, 4 * w + d);
            struct axis *const axis = &wave->axis[w][d];
            axis->phase = grids_hash(key);
            axis->step = grids_step(grids_hash(key + 1), 40, 160);
            axis->slow_phase = grids_hash(key + 2);
            axis->slow_step = grids_step(grids_hash(key + 3), 500, 2000);
        }
    fill_tables(source, wave);
    return FPGZ_OK;
}

/* Positive and mostly within one binade, as temperatures or pressures are. */
static void wave_values(struct grids_source *source, double *values)
{
    struct wave *const wave = source->state;
    if (wave->start != source->at[3])
        fill_along(source, wave);
    double across[WAVES];
    for (unsigned w = 0; w < WAVES; w++) {
        across[w] = 3;
        for (unsigned d = 0; d < 3; d++)
            across[w] *= source->extent[d] > 1 ? factor(&wave->axis[w][d], source->at[d]) : 1;
    }
    const uint64_t key = grids_key(source->seed, 64) + source->index;
    for (size_t i = 0; i < source->count; i++) {
        double value = 24;
        for (unsigned w = 0; w < WAVES; w++)
            value += across[w] * wave->along[w][i];
        values[i] = value + value * (wave->noise * grids_signed(grids_hash(key + i)));
    }
}

enum fpgz_status grids_wave_open(struct grids_source *source)
{
    return open_wave(source, source->grid.dtype == FPGZ_F64 ? 0x1p-15 : 0x1p-10);
}

void grids_wave(struct grids_source *source, void *out)
{
    double values[GRIDS_SEGMENT];
    wave_values(source, values);
    grids_store(source, values, out);
}

enum fpgz_status grids_special_open(struct grids_source *source)
{
    return open_wave(source, 0);
}

/* The word of the special value that the hash chooses: `mantissa` bits, the exponent's field above them and
 * the sign on top. */
static uint64_t special_word(uint64_t hash, unsigned mantissa, unsigned sign)
{
    const uint64_t low = (UINT64_C(1) << mantissa) - 1, infinity = (UINT64_C(1) << sign) - 1 - low;
    const uint64_t side = (hash & 1) << sign, fraction = (hash >> 8) & low;
    switch (hash >> 1 & 3) {
    case 0:
        return side | infinity | fraction; /* NaN, quiet or signalling */
    case 1:
        return side | infinity;
    case 2:
        return UINT64_C(1) << sign; /* -0 */
    default:
        return side | fraction >> (hash >> 60); /* denormals of all sizes */
    }
}

void grids_special(struct grids_source *source, void *out)
{
    double values[GRIDS_SEGMENT];
    wave_values(source, values);
    /* Fill values stand in blocks, as land does in an ocean's data. */
    uint64_t block = grids_key(source->seed, 65);
    for (unsigned d = 0; d < 3; d++)
        block = grids_hash(block + source->at[d] / 8);
    for (size_t i = 0; i < source->count; i++)
        if (grids_hash(block + (source->at[3] + i) / 8) % 8 == 0)
            values[i] = 1e34;
    grids_store(source, values, out);

    const struct fpgz_dtype_row *const dtype = &fpgz_dtypes[source->grid.dtype];
    const uint64_t key = grids_key(source->seed, 66) + source->index;
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t hash = grids_hash(key + i);
        if (hash >> 32 & 31)
            continue;
        const uint64_t word = special_word(grids_hash(hash), dtype->mantissa, 8u * dtype->size - 1);
        memcpy((uint8_t *)out + i * dtype->size, &word, dtype->size);
    }
}

/* SPDX-License-Identifier: MIT
 * Predictions, their residuals and contexts in the high setting. Loops are written so that compilers can turn
 * them into vectors without reordering any value's sums. For width templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_PREDICTION_H
#define FPGZ_CODEC_PRANS_HIGH_PREDICTION_H

#include <string.h>

#include "codec/prans/domain/real.h"
#include "codec/prans/high/kernels.h"
#include "core/bytes.h"

enum { HALF_OCTAVE = MANTISSA_BITS - 1 }; /* the shift that leaves exponent and top bit of the mantissa */
#define ONE_LEVEL (2 * MANTISSA_BITS + 6) /* the level of an error of one place in the last digit is 6 */

/* To the nearest integer; what is none or out of range ends at the limit. */
INLINE double nearest(double sum)
{
    const double limit = sizeof(WORD) == 4 ? 0x1p30 : 0x1p51, magic = 0x1.8p52;
    sum = sum < limit ? sum : limit;
    sum = sum > -limit ? sum : -limit;
    return (sum + magic) - magic;
}

/* A sum as a prediction: the value, and the integer in *index. */
INLINE FLOAT settle(enum prans_kind kind, unsigned shift, WORD half, const struct prans_lattice *lattice,
                    double inverse, double sum, WORD *index)
{
    if (kind == PRANS_INTEGER) {
        const double rounded = nearest(sum);
        *index = (WORD)(int64_t)rounded;
        return (FLOAT)rounded;
    }
    WORD bits = bits_of((FLOAT)sum);
    bits = (bits & EXPONENT_MASK) == EXPONENT_MASK ? 0 : bits;
    const FLOAT predicted = real_of(bits);
    if (kind == PRANS_FLOAT)
        *index = (place_of(bits) + half) >> shift;
    else
        *index = (WORD)(int64_t)nearest(((double)predicted - lattice->origin) * inverse);
    return predicted;
}

INLINE FLOAT value_of(enum prans_kind kind, unsigned shift, const struct prans_lattice *lattice, WORD index)
{
    if (kind == PRANS_INTEGER)
        return (FLOAT)(SIGNED)index;
    if (kind == PRANS_SLAB)
        return (FLOAT)(lattice->origin + (double)(SIGNED)index * lattice->step);
    return real_of(word_of_place((WORD)(index << shift)) & (WORD)(~(WORD)0 << shift));
}

/* The difference of the values; infinity where it is no finite number. */
INLINE FLOAT difference_of(FLOAT real, FLOAT predicted)
{
    const WORD bits = bits_of(real - predicted);
    return real_of((bits & EXPONENT_MASK) == EXPONENT_MASK ? EXPONENT_MASK : bits);
}

INLINE FLOAT magnitude_of(FLOAT error)
{
    return real_of(bits_of(error) & ~SIGN_BIT);
}

/* The energy of a value before which `error` lies; `far` is the far neighbours' part. */
INLINE FLOAT energy_of(FLOAT far, const FLOAT *error, ptrdiff_t x)
{
    FLOAT energy = far + magnitude_of(error[-2 * x]);
    if (x > 1)
        energy += magnitude_of(error[-1]);
    return energy + magnitude_of(error[-x]);
}

/* Which of the near errors that count with their signs are negative, as flags. */
INLINE unsigned near_signs(const struct prans_model *model, const FLOAT *error)
{
    const ptrdiff_t x = (ptrdiff_t)model->axes.phases;
    const unsigned top = WORD_BITS - 1;
    return (unsigned)(bits_of(error[-x]) >> top) +
           (unsigned)(bits_of(error[-1]) >> top) * model->sign_before +
           (unsigned)(bits_of(error[-2 * x]) >> top) * model->sign_ww;
}

/* What is added to half octaves of the energy to make them a level. */
INLINE int level_base(const struct prans_model *model, const struct prans_run *run, bool direct)
{
    if (direct)
        return 2 * (int)model->direct_top + 4;
    if (model->kind == PRANS_FLOAT)
        return ONE_LEVEL - 2 * (int)model->shift;
    const FLOAT one = model->kind == PRANS_INTEGER ? 1 : (FLOAT)run->lattice.step;
    return 6 - (int)(bits_of(one) >> HALF_OCTAVE);
}

INLINE unsigned level_of(enum prans_kind kind, bool direct, int base, FLOAT energy, FLOAT predicted)
{
    int level = (int)(bits_of(energy) >> HALF_OCTAVE);
    if (direct)
        level = base - level;
    else if (kind == PRANS_FLOAT)
        level += base - 2 * (int)(bits_of(predicted) >> MANTISSA_BITS & (EXPONENT_MASK >> MANTISSA_BITS));
    else
        level += base;
    level = level < 0 ? 0 : level;
    return level > PRANS_LEVELS - 1 ? PRANS_LEVELS - 1 : (unsigned)level;
}

/* Adds the weighted values; weights repeat with a period of 8 or, of three components, 24. */
INLINE void weigh(double *restrict sum, const FLOAT *restrict back, const double *restrict weight,
                  size_t period, size_t count)
{
    size_t i = 0;
    for (; i + period <= count; i += period)
        for (size_t j = 0; j < period; j++)
            sum[i + j] += weight[j] * (double)back[i + j];
    for (size_t j = 0; i < count; i++, j++)
        sum[i] += weight[j] * (double)back[i];
}

/* Adds a tap of a run: the values `back` before, by the weights of their phases. */
INLINE void add_tap(const struct prans_run *run, unsigned phases, const double weight[PRANS_PHASES],
                    const FLOAT *back, double *sum)
{
    double repeated[24];
    if (phases == 1) {
        const double one = weight[0];
        for (size_t i = 0; i < run->count; i++)
            sum[i] += one * (double)back[i];
        return;
    }
    for (unsigned i = 0; i < 24; i++)
        repeated[i] = weight[(run->phase + i) % phases];
    if (phases == 3)
        weigh(sum, back, repeated, 24, run->count);
    else
        weigh(sum, back, repeated, 8, run->count);
}

enum { SUMMED = 8, SUMS = 4 /* vectors, that stay in registers from tap to tap */ };

typedef double sum_vector __attribute__((vector_size(8 * SUMMED)));
typedef FLOAT tap_vector __attribute__((vector_size(sizeof(FLOAT) * SUMMED)));

INLINE void add_to_sums(double weight, const FLOAT *back, sum_vector sums[SUMS])
{
    for (unsigned k = 0; k < SUMS; k++) {
        tap_vector values;
        memcpy(&values, back + k * SUMMED, sizeof values);
        sums[k] += weight * __builtin_convertvector(values, sum_vector);
    }
}

/* The sums of a run's far taps, and of the near ones, where they are known. */
INLINE void sum_taps(const struct prans_run *run, unsigned phases, const FLOAT *real, bool nears, double *sum)
{
    const struct prans_stencil *s = run->stencil;
    const unsigned near = nears ? s->near : 0;
    if (phases == 1 && run->count % (SUMS * SUMMED) == 0) {
        for (size_t i = 0; i < run->count; i += SUMS * SUMMED) {
            sum_vector sums[SUMS] = {{0}};
            for (unsigned tap = 0; tap < s->far; tap++)
                add_to_sums(s->far_weight[tap][0], real + i - s->offset[tap], sums);
            for (unsigned back = near; back; back--)
                add_to_sums(s->near_weight[back - 1][0], real + i - back, sums);
            memcpy(sum + i, sums, sizeof sums);
        }
        return;
    }
    for (size_t i = 0; i < run->count; i++)
        sum[i] = 0;
    for (unsigned tap = 0; tap < s->far; tap++)
        add_tap(run, phases, s->far_weight[tap], real - s->offset[tap], sum);
    for (unsigned back = near; back; back--)
        add_tap(run, phases, s->near_weight[back - 1], real - back, sum);
}

/* The far neighbours' part of a run's energies, and of the contexts: their signs and special values. */
INLINE void far_energies(const struct prans_model *model, const struct prans_run *run,
                         const FLOAT *restrict error, const uint8_t *restrict special, FLOAT *restrict energy,
                         uint16_t *restrict context)
{
    for (size_t i = 0; i < run->count; i++)
        energy[i] = 0, context[i] = 0;
    for (unsigned n = 0; n < model->energies; n++) {
        if (!(run->energies >> n & 1))
            continue;
        const FLOAT *back = error - model->energy[n];
        for (size_t i = 0; i < run->count; i++)
            energy[i] += magnitude_of(back[i]);
        if (n >= model->signs)
            continue;
        for (size_t i = 0; i < run->count; i++)
            context[i] |= (uint16_t)(bits_of(back[i]) >> (WORD_BITS - 1) << (n + 1));
        if (!model->specials)
            continue;
        const uint8_t *flags = special - model->energy[n];
        for (size_t i = 0; i < run->count; i++)
            context[i] = (uint16_t)(context[i] + (flags[i] ? 8 : 0));
    }
}

INLINE void residuals_as(const struct prans_model *model, const struct prans_run *run, enum prans_kind kind,
                         const FLOAT *restrict real, const WORD *restrict y, FLOAT *restrict predicted,
                         WORD *restrict residual)
{
    const unsigned phases = model->axes.phases, shift = model->shift;
    const WORD half = shift ? (WORD)1 << (shift - 1) : 0;
    const double inverse = 1 / run->lattice.step;
    double sum[PRANS_RUN];
    sum_taps(run, phases, real, true, sum);
    for (size_t i = 0; i < run->count; i++) {
        WORD index;
        predicted[i] = settle(kind, shift, half, &run->lattice, inverse, sum[i], &index);
        residual[i] = y[i] - index;
    }
}

static void residuals_of(const struct prans_model *model, const struct prans_run *run, const void *real,
                         const void *y, void *predicted, void *residual)
{
    if (model->kind == PRANS_FLOAT)
        residuals_as(model, run, PRANS_FLOAT, real, y, predicted, residual);
    else if (model->kind == PRANS_INTEGER)
        residuals_as(model, run, PRANS_INTEGER, real, y, predicted, residual);
    else
        residuals_as(model, run, PRANS_SLAB, real, y, predicted, residual);
}

static void errors_of(const void *real, const void *predicted, size_t count, void *error)
{
    for (size_t i = 0; i < count; i++)
        ((FLOAT *)error)[i] = difference_of(((const FLOAT *)real)[i], ((const FLOAT *)predicted)[i]);
}

static uint64_t cost_of(const void *residual, size_t count)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < count; i++) {
        const FLOAT size = magnitude_of((FLOAT)((const SIGNED *)residual)[i]) + (FLOAT)0.6;
        cost += (bits_of(size) - ((EXPONENT_MASK >> 1 & EXPONENT_MASK) - ((WORD)2 << MANTISSA_BITS))) >>
                (MANTISSA_BITS - 16);
    }
    return cost - count * (uint64_t)(0.6 * 0x10000);
}

static void contexts_of(const struct prans_model *model, const struct prans_run *run, const void *predicted,
                        const void *error, const uint8_t *special, uint16_t *context)
{
    const FLOAT *const errors = error, *const p = predicted;
    const size_t x = model->axes.phases;
    const bool direct = run->direct;
    const int base = level_base(model, run, direct);
    FLOAT energy[PRANS_RUN];
    far_energies(model, run, errors, special, energy, context);
    for (size_t i = 0; i < run->count; i++) {
        const FLOAT all = energy_of(energy[i], errors + i, (ptrdiff_t)x);
        const unsigned level = level_of(model->kind, direct, base, all, p[i]);
        const unsigned flags = near_signs(model, errors + i) + (special[(ptrdiff_t)i - (ptrdiff_t)x] ? 8 : 0);
        context[i] = direct ? (uint16_t)level : (uint16_t)(level << 5 | (context[i] + flags));
    }
}

#endif

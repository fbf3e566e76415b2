/* SPDX-License-Identifier: MIT
 * Predictions, their residuals and contexts in the high setting. Loops are written so that compilers can turn
 * them into vectors without reordering any value's sums. For width templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_PREDICTION_H
#define FPGZ_CODEC_PRANS_HIGH_PREDICTION_H

#include <string.h>

#include "codec/prans/domain/real.h"
#include "codec/prans/high/taps.h"
#include "core/bytes.h"

enum { HALF_OCTAVE = MANTISSA_BITS - 1 }; /* the shift that leaves exponent and top bit of the mantissa */
#define ONE_LEVEL (2 * MANTISSA_BITS + 6) /* the level of an error of one place in the last digit is 6 */

#define NEAREST_LIMIT (sizeof(WORD) == 4 ? 0x1p30 : 0x1p51)

/* To the nearest integer, also as a word: what is added to it leaves it in the mantissa's last bits. */
INLINE double round_within(double limited, WORD *integer)
{
    const double magic = 0x1.8p52, moved = limited + magic;
    uint64_t bits, none;
    memcpy(&bits, &moved, sizeof bits);
    memcpy(&none, &magic, sizeof none);
    *integer = (WORD)(bits - none);
    return moved - magic;
}

/* What is no number or out of range ends at the limit. */
INLINE double nearest(double sum, WORD *integer)
{
    sum = sum < NEAREST_LIMIT ? sum : NEAREST_LIMIT;
    return round_within(sum > -NEAREST_LIMIT ? sum : -NEAREST_LIMIT, integer);
}

/* A sum as a value; 0 where it is no finite number. */
INLINE FLOAT finite_of(double sum)
{
    const FLOAT real = (FLOAT)sum;
    return __builtin_expect((bits_of(real) & EXPONENT_MASK) == EXPONENT_MASK, 0) ? 0 : real;
}

INLINE WORD index_of_place(FLOAT predicted, unsigned shift, WORD half)
{
    return (place_of(bits_of(predicted)) + half) >> shift;
}

INLINE double steps_to(FLOAT predicted, const struct prans_lattice *lattice, double inverse)
{
    return ((double)predicted - lattice->origin) * inverse;
}

/* A sum as a prediction: the value, and the integer in *index. */
INLINE FLOAT settle(enum prans_kind kind, unsigned shift, WORD half, const struct prans_lattice *lattice,
                    double inverse, double sum, WORD *index)
{
    if (kind == PRANS_INTEGER)
        return (FLOAT)nearest(sum, index);
    const FLOAT predicted = finite_of(sum);
    if (kind == PRANS_FLOAT)
        *index = index_of_place(predicted, shift, half);
    else
        nearest(steps_to(predicted, lattice, inverse), index);
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
    const FLOAT difference = real - predicted;
    return __builtin_expect((bits_of(difference) & EXPONENT_MASK) == EXPONENT_MASK, 0)
               ? real_of(EXPONENT_MASK)
               : difference;
}

INLINE FLOAT magnitude_of(FLOAT error)
{
    return real_of(bits_of(error) & ~SIGN_BIT);
}

/* The errors of the value before, of W and of WW. */
struct near_errors {
    FLOAT before, w, ww;
};

INLINE struct near_errors errors_before(const FLOAT *error, ptrdiff_t x)
{
    return (struct near_errors){error[-1], error[-x], error[-2 * x]};
}

/* The energy of a value; `far` is the far neighbours' part. */
INLINE FLOAT energy_of(FLOAT far, const struct near_errors *error, ptrdiff_t x)
{
    FLOAT energy = far + magnitude_of(error->ww);
    if (x > 1)
        energy += magnitude_of(error->before);
    return energy + magnitude_of(error->w);
}

INLINE unsigned sign_of(FLOAT error, unsigned flag)
{
    return -(unsigned)(bits_of(error) >> (WORD_BITS - 1)) & flag;
}

/* Which of the near errors that count with their signs are negative, as flags. */
INLINE unsigned near_signs(const struct prans_model *model, const struct near_errors *error)
{
    return sign_of(error->w, 1) + sign_of(error->before, model->sign_before) +
           sign_of(error->ww, model->sign_ww);
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

/* Limited without comparisons: what compilers make of these takes longer in decoding. */
INLINE unsigned level_of(enum prans_kind kind, bool direct, int base, FLOAT energy, FLOAT predicted)
{
    int level = (int)(bits_of(energy) >> HALF_OCTAVE);
    if (direct)
        level = base - level;
    else if (kind == PRANS_FLOAT)
        level += base - 2 * (int)(bits_of(predicted) >> MANTISSA_BITS & (EXPONENT_MASK >> MANTISSA_BITS));
    else
        level += base;
    level &= ~(level >> 31);
    return __builtin_expect(level > PRANS_LEVELS - 1, 0) ? PRANS_LEVELS - 1 : (unsigned)level;
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

/* Limits for nearest(), one in a loop: of both in one compilers make no vectors. */
INLINE void limit_sums(double *sum, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] = sum[i] < NEAREST_LIMIT ? sum[i] : NEAREST_LIMIT;
    for (size_t i = 0; i < count; i++)
        sum[i] = sum[i] > -NEAREST_LIMIT ? sum[i] : -NEAREST_LIMIT;
}

/* settle() of all of a run, and the residuals. */
INLINE void residuals_as(const struct prans_model *model, const struct prans_run *run, enum prans_kind kind,
                         const FLOAT *restrict real, const WORD *restrict y, FLOAT *restrict predicted,
                         WORD *restrict residual)
{
    const unsigned shift = model->shift;
    const WORD half = shift ? (WORD)1 << (shift - 1) : 0;
    const double inverse = 1 / run->lattice.step;
    double sum[PRANS_RUN];
    sum_taps(run, model->axes.phases, real, true, sum);
    if (kind != PRANS_INTEGER)
        for (size_t i = 0; i < run->count; i++)
            predicted[i] = finite_of(sum[i]);
    if (kind == PRANS_FLOAT) {
        for (size_t i = 0; i < run->count; i++)
            residual[i] = y[i] - index_of_place(predicted[i], shift, half);
        return;
    }
    for (size_t i = 0; kind == PRANS_SLAB && i < run->count; i++)
        sum[i] = steps_to(predicted[i], &run->lattice, inverse);
    limit_sums(sum, run->count);
    for (size_t i = 0; i < run->count; i++) {
        WORD index;
        const double rounded = round_within(sum[i], &index);
        if (kind == PRANS_INTEGER)
            predicted[i] = (FLOAT)rounded;
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

INLINE void contexts_as(const struct prans_model *model, const struct prans_run *run, enum prans_kind kind,
                        bool direct, const FLOAT *restrict predicted, const FLOAT *restrict error,
                        const uint8_t *restrict special, uint16_t *restrict context)
{
    const ptrdiff_t x = (ptrdiff_t)model->axes.phases;
    const int base = level_base(model, run, direct);
    const uint8_t *const before = special - x;
    FLOAT energy[PRANS_RUN];
    far_energies(model, run, error, special, energy, context);
    for (size_t i = 0; i < run->count; i++) {
        const struct near_errors errors = errors_before(error + i, x);
        energy[i] = energy_of(energy[i], &errors, x);
    }
    for (size_t i = 0; !direct && i < run->count; i++) {
        const struct near_errors errors = errors_before(error + i, x);
        context[i] = (uint16_t)(context[i] + near_signs(model, &errors));
    }
    if (!direct && model->specials)
        for (size_t i = 0; i < run->count; i++)
            context[i] = (uint16_t)(context[i] + (before[i] ? 8 : 0));
    for (size_t i = 0; i < run->count; i++) {
        const unsigned level = level_of(kind, direct, base, energy[i], predicted[i]);
        context[i] = (uint16_t)(direct ? level : level << 5 | context[i]);
    }
}

static void contexts_of(const struct prans_model *model, const struct prans_run *run, const void *predicted,
                        const void *error, const uint8_t *special, uint16_t *context)
{
    if (run->direct)
        contexts_as(model, run, PRANS_FLOAT, true, predicted, error, special, context);
    else if (model->kind == PRANS_FLOAT)
        contexts_as(model, run, PRANS_FLOAT, false, predicted, error, special, context);
    else
        contexts_as(model, run, PRANS_INTEGER, false, predicted, error, special, context);
}

#endif

/* SPDX-License-Identifier: MIT
 * The refined format's predictions: a stencil's sums, each refined by what was learnt up to it. For width
 * templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_REFINED_H
#define FPGZ_CODEC_PRANS_HIGH_REFINED_H

#include "codec/prans/high/prediction.h"
#include "codec/prans/predict/refinement_kernel.h"

/* Where a run's inputs are found, as offsets; those out of reach are x or, of errors, W's. */
struct inputs {
    ptrdiff_t value[PRANS_REFINEMENT_VALUES], error[PRANS_REFINEMENT_INPUTS - PRANS_REFINEMENT_VALUES - 1];
};

INLINE void find_inputs(const struct prans_model *model, const struct prans_run *run, struct inputs *inputs)
{
    const ptrdiff_t x = (ptrdiff_t)model->axes.phases;
    for (unsigned i = 0; i < PRANS_REFINEMENT_VALUES; i++)
        inputs->value[i] =
            model->refinement.offset[i] <= run->room ? (ptrdiff_t)model->refinement.offset[i] : x;
    for (unsigned n = 0; n < PRANS_REFINEMENT_INPUTS - PRANS_REFINEMENT_VALUES - 1; n++)
        inputs->error[n] = run->energies >> n & 1 ? (ptrdiff_t)model->energy[n] : x;
}

/* The step of the integers about a prediction. */
INLINE double quantum_of(enum prans_kind kind, unsigned shift, double step, double sum)
{
    if (kind != PRANS_FLOAT)
        return step;
    const WORD exponent = bits_of((FLOAT)sum) & EXPONENT_MASK, least = (WORD)(MANTISSA_BITS + 1)
                                                                       << MANTISSA_BITS;
    return (double)(real_of((exponent < least ? least : exponent) - ((WORD)MANTISSA_BITS << MANTISSA_BITS))) *
           (double)((uint64_t)1 << shift);
}

/* What is added to a sum, from the values and errors before `real` and `error`; `energy` is that of the
 * neighbours. */
static __attribute__((noinline)) double correction_of(const struct inputs *inputs,
                                                      struct prans_refiner *refiner, ptrdiff_t x,
                                                      const FLOAT *real, const FLOAT *error, FLOAT energy,
                                                      double quantum)
{
    const double west = (double)real[-x], error_west = (double)error[-x];
#define VALUE(i) (double)real[-inputs->value[i]]
#define ERROR(n) (double)error[-inputs->error[n]]
    refiner_eight low = {VALUE(0), VALUE(1), VALUE(2), VALUE(3), VALUE(4), VALUE(5), VALUE(6), VALUE(7)},
                  high = {VALUE(8), VALUE(9), VALUE(10), error_west, ERROR(0), ERROR(1), ERROR(2), ERROR(3)};
#undef VALUE
#undef ERROR
    low -= west;
    high -= (refiner_eight){west, west, west, 0, error_west, error_west, error_west, error_west};
    refiner_store(low, refiner->input);
    refiner_store(high, refiner->input + 8);
    return refiner_correct(refiner, (double)energy + quantum, quantum);
}

static void refined_residuals_of(const struct prans_model *model, const struct prans_run *run,
                                 struct prans_refiner *refiner, const struct prans_past *past,
                                 const void *integers, void *predictions, void *residuals)
{
    const enum prans_kind kind = model->kind;
    const WORD *const y = integers;
    FLOAT *const predicted = predictions;
    WORD *const residual = residuals;
    const unsigned phases = model->axes.phases, shift = model->shift;
    const ptrdiff_t x = (ptrdiff_t)phases;
    const WORD half = shift ? (WORD)1 << (shift - 1) : 0;
    const double inverse = 1 / run->lattice.step;
    double sum[PRANS_RUN];
    FLOAT energy[PRANS_RUN];
    uint16_t context[PRANS_RUN];
    struct inputs inputs;
    sum_taps(run, phases, past->real, true, sum);
    far_energies(model, run, past->error, past->special, energy, context);
    find_inputs(model, run, &inputs);
    for (unsigned phase = 0; phase < phases; phase++)
        refiner_run(&refiner[phase]);
    unsigned phase = run->phase;
    for (size_t i = 0; i < run->count; i++) {
        const FLOAT *const real = (const FLOAT *)past->real + i;
        FLOAT *const error = (FLOAT *)past->error + i;
        WORD index;
        const double quantum = quantum_of(kind, shift, run->lattice.step, sum[i]);
        const struct near_errors errors = errors_before(error, x);
        const double correction = correction_of(&inputs, &refiner[phase], x, real, error,
                                                energy_of(energy[i], &errors, x), quantum);
        predicted[i] = settle(kind, shift, half, &run->lattice, inverse, sum[i] + correction, &index);
        residual[i] = y[i] - index;
        *error = past->special[i] || past->copied[i] ? error[-x] : difference_of(*real, predicted[i]);
        if (!past->special[i])
            refiner_learn(&model->refinement, &refiner[phase], (double)*real - sum[i]);
        phase = phase + 1 == phases ? 0 : phase + 1;
    }
}

#endif

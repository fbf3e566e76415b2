/* SPDX-License-Identifier: MIT
 * A value's part of the recursive least squares, for kernels of any CPU level: vectors of eight, whose lanes
 * are added in one order. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_REFINEMENT_KERNEL_H
#define FPGZ_CODEC_PRANS_PREDICT_REFINEMENT_KERNEL_H

#include "codec/prans/predict/refinement.h"

#define PRANS_REFINER_INLINE static inline __attribute__((always_inline))

typedef double refiner_eight __attribute__((vector_size(64)));
typedef double refiner_four __attribute__((vector_size(32)));
typedef int64_t refiner_mask __attribute__((vector_size(64)));

PRANS_REFINER_INLINE refiner_eight refiner_load(const double *from)
{
    refiner_eight loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

PRANS_REFINER_INLINE void refiner_store(refiner_eight stored, double *to)
{
    memcpy(to, &stored, sizeof stored);
}

PRANS_REFINER_INLINE double refiner_sum(refiner_eight a)
{
    const refiner_four b =
        __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    return (b[0] + b[2]) + (b[1] + b[3]);
}

/* What is no number or too large counts as 0. */
PRANS_REFINER_INLINE refiner_eight refiner_bounded(refiner_eight a)
{
    const refiner_eight limit = {0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24};
    const refiner_mask within = (a < limit) & (a > -limit);
    return (refiner_eight)((refiner_mask)a & within);
}

PRANS_REFINER_INLINE double refiner_size(double a)
{
    return a < 0 ? -a : a;
}

/* The power of two that is next below a positive number. */
PRANS_REFINER_INLINE uint64_t refiner_power(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits & (uint64_t)0x7FF << 52;
}

/* A run begins: what was learnt is forgotten as values said that it be, unless little is left. */
static __attribute__((noinline)) void refiner_run(struct prans_refiner *r)
{
    double most = 0;
    for (unsigned i = 0; i < PRANS_REFINEMENT_INPUTS; i++)
        most = r->spread[i][i] > most ? r->spread[i][i] : most;
    if (most * r->growth <= 0x1p10)
        for (unsigned i = 0; i < PRANS_REFINEMENT_INPUTS * PRANS_REFINEMENT_INPUTS; i += 8)
            refiner_store(refiner_load(&r->spread[0][0] + i) * r->growth, &r->spread[0][0] + i);
    r->growth = 1;
}

/* The correction of a value's prediction by r->input, which is then counted in about `scale`: how large
 * errors are around it. `quantum` is the step of its integers. */
static __attribute__((noinline)) double refiner_correct(struct prans_refiner *r, double scale, double quantum)
{
    r->ready = scale > 0x1p-500 && scale < 0x1p500;
    if (!r->ready)
        return 0;
    uint64_t unit_bits = refiner_power(scale), inverse_bits = ((uint64_t)2046 << 52) - unit_bits;
    double unit;
    memcpy(&unit, &unit_bits, sizeof unit);
    memcpy(&r->inverse, &inverse_bits, sizeof r->inverse);
    r->quantum = quantum * r->inverse;
    const refiner_eight low = refiner_bounded(refiner_load(r->input) * r->inverse),
                        high = refiner_bounded(refiner_load(r->input + 8) * r->inverse);
    refiner_store(low, r->input);
    refiner_store(high, r->input + 8);
    r->correction = refiner_sum(low * refiner_load(r->weight) + high * refiner_load(r->weight + 8));

    refiner_eight a[4], b[4];
    for (unsigned j = 0; j < 4; j++) {
        a[j] = r->input[j] * refiner_load(r->spread[j]);
        b[j] = r->input[j] * refiner_load(r->spread[j] + 8);
    }
    for (unsigned j = 4; j < PRANS_REFINEMENT_INPUTS; j++) {
        a[j % 4] += r->input[j] * refiner_load(r->spread[j]);
        b[j % 4] += r->input[j] * refiner_load(r->spread[j] + 8);
    }
    const refiner_eight gain_low = (a[0] + a[1]) + (a[2] + a[3]), gain_high = (b[0] + b[1]) + (b[2] + b[3]);
    refiner_store(gain_low, r->gain);
    refiner_store(gain_high, r->gain + 8);
    r->surprise = refiner_sum(gain_low * low + gain_high * high) * r->growth;
    return r->share * (r->correction * unit);
}

/* The value is known: `missed` is how far the stencil's sum was off. Large errors count less. */
static __attribute__((noinline)) void refiner_learn(const struct prans_refinement *refinement,
                                                    struct prans_refiner *r, double missed)
{
    if (!r->ready)
        return;
    missed *= r->inverse;
    const double error = missed - r->correction;
    if (!(r->surprise >= 0 && r->surprise < 0x1p100) || !(refiner_size(error) < 0x1p100)) {
        prans_refiner_start(refinement, r);
        return;
    }
    const double keep = refinement->keep;
    const double step = r->growth / (keep * (refiner_size(error) + r->quantum + 0x1p-4) + r->surprise);
    const refiner_eight low = refiner_load(r->gain), high = refiner_load(r->gain + 8);
    refiner_store(refiner_load(r->weight) + low * (step * error), r->weight);
    refiner_store(refiner_load(r->weight + 8) + high * (step * error), r->weight + 8);
    for (unsigned j = 0; j < PRANS_REFINEMENT_INPUTS; j++) {
        refiner_store(refiner_load(r->spread[j]) - (low * r->gain[j]) * step, r->spread[j]);
        refiner_store(refiner_load(r->spread[j] + 8) - (high * r->gain[j]) * step, r->spread[j] + 8);
    }
    r->growth *= refinement->grow;
    r->plain += (refiner_size(missed) - r->plain) * 0x1p-3;
    r->refined += (refiner_size(error) - r->refined) * 0x1p-3;
    const double both = r->plain + r->refined;
    r->share = refinement->least + refinement->range * (both > 0 ? r->plain / both : 0);
}

#endif

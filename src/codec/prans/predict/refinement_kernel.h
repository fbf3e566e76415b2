/* SPDX-License-Identifier: MIT
 * A value's part of the recursive least squares, for kernels of any CPU level: vectors of eight, whose lanes
 * are added in one order. */
#ifndef FPGZ_CODEC_PRANS_RLS_KERNEL_H
#define FPGZ_CODEC_PRANS_RLS_KERNEL_H

#include "codec/prans/predict/refinement.h"

#define PRANS_RLS_INLINE static inline __attribute__((always_inline))

typedef double rls_eight __attribute__((vector_size(64)));
typedef double rls_four __attribute__((vector_size(32)));
typedef int64_t rls_mask __attribute__((vector_size(64)));

PRANS_RLS_INLINE rls_eight rls_load(const double *from)
{
    rls_eight loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

PRANS_RLS_INLINE void rls_store(rls_eight stored, double *to)
{
    memcpy(to, &stored, sizeof stored);
}

PRANS_RLS_INLINE double rls_sum(rls_eight a)
{
    const rls_four b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    return (b[0] + b[2]) + (b[1] + b[3]);
}

/* What is no number or too large counts as 0. */
PRANS_RLS_INLINE rls_eight rls_bounded(rls_eight a)
{
    const rls_eight limit = {0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24, 0x1p24};
    const rls_mask within = (a < limit) & (a > -limit);
    return (rls_eight)((rls_mask)a & within);
}

PRANS_RLS_INLINE double rls_size(double a)
{
    return a < 0 ? -a : a;
}

/* The power of two that is next below a positive number. */
PRANS_RLS_INLINE uint64_t rls_power(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits & (uint64_t)0x7FF << 52;
}

/* A run begins: what was learnt is forgotten as values said that it be, unless little is left. */
static __attribute__((noinline)) void rls_run(struct prans_rls *r)
{
    double most = 0;
    for (unsigned i = 0; i < PRANS_RLS_INPUTS; i++)
        most = r->spread[i][i] > most ? r->spread[i][i] : most;
    if (most * r->growth <= 0x1p10)
        for (unsigned i = 0; i < PRANS_RLS_INPUTS * PRANS_RLS_INPUTS; i += 8)
            rls_store(rls_load(&r->spread[0][0] + i) * r->growth, &r->spread[0][0] + i);
    r->growth = 1;
}

/* The correction of a value's prediction by r->input, which is then counted in about `scale`: how large
 * errors are around it. `quantum` is the step of its integers. */
static __attribute__((noinline)) double rls_correct(struct prans_rls *r, double scale, double quantum)
{
    r->ready = scale > 0x1p-500 && scale < 0x1p500;
    if (!r->ready)
        return 0;
    uint64_t unit_bits = rls_power(scale), inverse_bits = ((uint64_t)2046 << 52) - unit_bits;
    double unit;
    memcpy(&unit, &unit_bits, sizeof unit);
    memcpy(&r->inverse, &inverse_bits, sizeof r->inverse);
    r->quantum = quantum * r->inverse;
    const rls_eight low = rls_bounded(rls_load(r->input) * r->inverse),
                    high = rls_bounded(rls_load(r->input + 8) * r->inverse);
    rls_store(low, r->input);
    rls_store(high, r->input + 8);
    r->correction = rls_sum(low * rls_load(r->weight) + high * rls_load(r->weight + 8));

    rls_eight a[4], b[4];
    for (unsigned j = 0; j < 4; j++) {
        a[j] = r->input[j] * rls_load(r->spread[j]);
        b[j] = r->input[j] * rls_load(r->spread[j] + 8);
    }
    for (unsigned j = 4; j < PRANS_RLS_INPUTS; j++) {
        a[j % 4] += r->input[j] * rls_load(r->spread[j]);
        b[j % 4] += r->input[j] * rls_load(r->spread[j] + 8);
    }
    const rls_eight gain_low = (a[0] + a[1]) + (a[2] + a[3]), gain_high = (b[0] + b[1]) + (b[2] + b[3]);
    rls_store(gain_low, r->gain);
    rls_store(gain_high, r->gain + 8);
    r->surprise = rls_sum(gain_low * low + gain_high * high) * r->growth;
    return r->share * (r->correction * unit);
}

/* The value is known: `missed` is how far the stencil's sum was off. Large errors count less. */
static __attribute__((noinline)) void rls_learn(const struct prans_refinement *refinement,
                                                struct prans_rls *r, double missed)
{
    if (!r->ready)
        return;
    missed *= r->inverse;
    const double error = missed - r->correction;
    if (!(r->surprise >= 0 && r->surprise < 0x1p100) || !(rls_size(error) < 0x1p100)) {
        prans_rls_start(refinement, r);
        return;
    }
    const double keep = refinement->keep;
    const double step = r->growth / (keep * (rls_size(error) + r->quantum + 0x1p-4) + r->surprise);
    const rls_eight low = rls_load(r->gain), high = rls_load(r->gain + 8);
    rls_store(rls_load(r->weight) + low * (step * error), r->weight);
    rls_store(rls_load(r->weight + 8) + high * (step * error), r->weight + 8);
    for (unsigned j = 0; j < PRANS_RLS_INPUTS; j++) {
        rls_store(rls_load(r->spread[j]) - (low * r->gain[j]) * step, r->spread[j]);
        rls_store(rls_load(r->spread[j] + 8) - (high * r->gain[j]) * step, r->spread[j] + 8);
    }
    r->growth *= refinement->grow;
    r->plain += (rls_size(missed) - r->plain) * 0x1p-3;
    r->refined += (rls_size(error) - r->refined) * 0x1p-3;
    const double both = r->plain + r->refined;
    r->share = refinement->least + refinement->range * (both > 0 ? r->plain / both : 0);
}

#endif

/* SPDX-License-Identifier: MIT
 * The sums of a run's taps, each value's in the order of its stencil. For width templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_TAPS_H
#define FPGZ_CODEC_PRANS_HIGH_TAPS_H

#include <string.h>

#include "codec/prans/domain/real.h"
#include "codec/prans/high/kernels.h"

/* Adds a tap to the values of a run from `from` on: the values `back` before, by the weights of their phases.
 */
INLINE void add_tap(const struct prans_run *run, unsigned phases, const double weight[PRANS_PHASES],
                    const FLOAT *back, size_t from, double *sum)
{
    unsigned phase = (unsigned)((run->phase + from) % phases);
    for (size_t i = from; i < run->count; i++) {
        sum[i] += weight[phase] * (double)back[i];
        phase = phase + 1 == phases ? 0 : phase + 1;
    }
}

/* Vectors of sums that stay in registers from tap to tap. Weights repeat after one of them or, of three
 * components, after three. */
enum { SUMMED = 8, SUMS = 4, PATTERNS = 3 };

typedef double sum_vector __attribute__((vector_size(8 * SUMMED)));
typedef FLOAT tap_vector __attribute__((vector_size(sizeof(FLOAT) * SUMMED)));

/* Compilers convert such a list at once, but a vector by halves. */
INLINE sum_vector load_reals(const FLOAT *from)
{
    tap_vector r;
    memcpy(&r, from, sizeof r);
    return (sum_vector){(double)r[0], (double)r[1], (double)r[2], (double)r[3],
                        (double)r[4], (double)r[5], (double)r[6], (double)r[7]};
}

/* Of eight values in a row; `first` is the phase of the first. */
INLINE sum_vector load_weights(unsigned phases, const double w[PRANS_PHASES], unsigned first)
{
    return (sum_vector){w[first % phases],       w[(first + 1) % phases], w[(first + 2) % phases],
                        w[(first + 3) % phases], w[(first + 4) % phases], w[(first + 5) % phases],
                        w[(first + 6) % phases], w[(first + 7) % phases]};
}

INLINE void add_to_sums(unsigned phases, const double weight[PRANS_PHASES], unsigned first, const FLOAT *back,
                        sum_vector sums[SUMS])
{
    const unsigned patterns = phases == 3 ? PATTERNS : 1;
    sum_vector repeated[PATTERNS] = {load_weights(phases, weight, first)};
    for (unsigned p = 1; p < patterns; p++)
        repeated[p] = load_weights(phases, weight, first + p * SUMMED);
    for (unsigned k = 0; k < SUMS; k++)
        sums[k] += repeated[k % patterns] * load_reals(back + k * SUMMED);
}

/* `aligned`: vectors begin with the first phase, so that compilers know which weights they need. */
INLINE void sum_taps_of(const struct prans_run *run, unsigned phases, bool aligned, const FLOAT *real,
                        unsigned near, double *sum)
{
    const struct prans_stencil *const s = run->stencil;
    size_t from = 0;
    for (; from + SUMS * SUMMED <= run->count; from += SUMS * SUMMED) {
        const unsigned first = aligned ? 0 : (unsigned)((run->phase + from) % phases);
        sum_vector sums[SUMS] = {{0}};
        for (unsigned tap = 0; tap < s->far; tap++)
            add_to_sums(phases, s->far_weight[tap], first, real + from - s->offset[tap], sums);
        for (unsigned back = near; back; back--)
            add_to_sums(phases, s->near_weight[back - 1], first, real + from - back, sums);
        memcpy(sum + from, sums, sizeof sums);
    }
    if (from == run->count)
        return;
    for (size_t i = from; i < run->count; i++)
        sum[i] = 0;
    for (unsigned tap = 0; tap < s->far; tap++)
        add_tap(run, phases, s->far_weight[tap], real - s->offset[tap], from, sum);
    for (unsigned back = near; back; back--)
        add_tap(run, phases, s->near_weight[back - 1], real - back, from, sum);
}

/* The sums of a run's far taps, and of the near ones, where they are known; compiled for each number of
 * phases. */
static __attribute__((noinline)) void sum_taps(const struct prans_run *run, unsigned phases,
                                               const FLOAT *real, bool nears, double *sum)
{
    const unsigned near = nears ? run->stencil->near : 0;
    const bool aligned = !run->phase;
    if (phases == 1)
        sum_taps_of(run, 1, true, real, near, sum);
    else if (phases == 2 && aligned)
        sum_taps_of(run, 2, true, real, near, sum);
    else if (phases == 4 && aligned)
        sum_taps_of(run, 4, true, real, near, sum);
    else if (phases == 3)
        sum_taps_of(run, 3, false, real, near, sum);
    else
        sum_taps_of(run, phases, false, real, near, sum);
}

#endif

/* SPDX-License-Identifier: MIT
 * Fitted stencils: least squares, weighted again and again so that absolute errors count, not their squares.
 */
#include "codec/prans/predict/fit.h"

#include <string.h>

#include "core/bytes.h"

enum {
    REFITS = 3, /* times that tiles may change their groups */
    ROUNDS = 2, /* fits between, each weighted by the errors of the one before */
    WEIGHT_POWER_TENTHS = 13,
};
#define DAMPING 1e-12 /* of the equations' diagonal, so that taps that say the same have a solution */
#define LARGEST_WEIGHT 1e6

/* About the binary logarithm of a positive number, in 2^-16, linear between powers of two. */
static int64_t about_log2(double real)
{
    return (int64_t)(fpgz_load64(&real) >> 36) - (1023 << 16);
}

/* About 2^(log / 2^16). */
static double about_exp2(int64_t log)
{
    const int64_t shifted = log + (1023 << 16);
    const uint64_t bits = (uint64_t)(shifted < 1 << 16      ? 1 << 16
                                     : shifted > 2046 << 16 ? 2046 << 16
                                                            : shifted)
                          << 36;
    double real;
    fpgz_store64(&real, bits);
    return real;
}

/* How much a sample with this error counts: (|error| + quantum) ^ -1.3. */
static void weigh(const struct prans_samples *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const double size = (s->error[i] < 0 ? -s->error[i] : s->error[i]) + s->quantum[i];
        s->weight[i] = about_exp2(-WEIGHT_POWER_TENTHS * about_log2(size) / 10);
    }
}

/* Solves the normal equations, which are changed; what hardly counts is damped. False when they have no
 * solution. */
static bool solve(double (*m)[PRANS_COLUMNS], unsigned taps, double *x)
{
    for (unsigned k = 0; k < taps; k++)
        m[k][k] += m[k][k] * DAMPING;
    for (unsigned k = 0; k < taps; k++) {
        if (!(m[k][k] > 0))
            return false;
        for (unsigned i = k + 1; i < taps; i++) {
            const double factor = m[i][k] / m[k][k];
            for (unsigned j = k; j <= taps; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (unsigned i = taps; i-- > 0;) {
        double sum = m[i][taps];
        for (unsigned j = i + 1; j < taps; j++)
            sum -= m[i][j] * x[j];
        x[i] = sum / m[i][i];
        if (!(x[i] > -LARGEST_WEIGHT && x[i] < LARGEST_WEIGHT))
            return false;
    }
    return true;
}

/* As streams keep them: binary32, but the first. */
static void round_weights(double *x, unsigned taps)
{
    for (unsigned i = 1; i < taps; i++)
        x[i] = (double)(float)x[i];
}

/* Weights of the differences to the first value, and of that, as weights of the values. */
static void finish_weights(double *x, unsigned taps)
{
    x[0] += 1;
    for (unsigned i = 1; i < taps; i++)
        x[0] -= x[i];
}

/* One group's weights of one phase; they stay as they are where the equations have no solution. */
static void fit_phase(const struct prans_fit_kernels *kernels, const struct prans_samples *s,
                      const uint8_t *group, unsigned of_group, unsigned phase, unsigned taps, double *weight)
{
    double lanes[PRANS_TAPS][PRANS_COLUMNS][PRANS_FIT_LANES];
    double m[PRANS_TAPS][PRANS_COLUMNS] = {{0}}, x[PRANS_TAPS];
    for (unsigned i = 0; i < taps; i++)
        memset(lanes[i], 0, fpgz_prans_stride(taps) * sizeof *lanes[i]);
    for (size_t tile = 0; tile < s->tiles; tile++)
        if (group[tile] == of_group)
            kernels->accumulate(s, s->first[tile], s->first[tile + 1], phase, taps, lanes);
    for (unsigned i = 0; i < taps; i++)
        for (unsigned j = i; j <= taps; j++) {
            for (unsigned lane = 0; lane < PRANS_FIT_LANES; lane++)
                m[i][j] += lanes[i][j][lane];
            if (j < taps)
                m[j][i] = m[i][j];
        }
    if (!solve(m, taps, x))
        return;
    round_weights(x, taps);
    memcpy(weight + phase * taps, x, taps * sizeof *x);
}

void fpgz_prans_fit(const struct prans_fit_kernels *kernels, unsigned phases, unsigned taps,
                    struct prans_samples *s, uint8_t *group,
                    double weight[PRANS_FIT_GROUPS][PRANS_PHASES * PRANS_TAPS])
{
    double error[PRANS_FIT_GROUPS][PRANS_FIT_MOST];
    memset(weight, 0, PRANS_FIT_GROUPS * sizeof *weight);
    memcpy(s->error, s->start, s->count * sizeof *s->error);
    for (unsigned refit = 0; refit < REFITS; refit++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            weigh(s, 0, s->count);
            for (unsigned g = 0; g < PRANS_FIT_GROUPS; g++)
                for (unsigned phase = 0; phase < phases; phase++)
                    fit_phase(kernels, s, group, g, phase, taps, weight[g]);
            const bool last = round + 1 == ROUNDS;
            for (size_t tile = 0; tile < s->tiles; tile++) {
                int64_t least = INT64_MAX;
                unsigned best = group[tile];
                for (unsigned g = last ? 0 : best; g < (last ? PRANS_FIT_GROUPS : best + 1u); g++) {
                    const int64_t cost = kernels->errors(s, s->first[tile], s->first[tile + 1], phases, taps,
                                                         weight[g], error[g]);
                    if (cost < least) {
                        least = cost;
                        best = g;
                    }
                    if (!last)
                        break;
                }
                group[tile] = (uint8_t)best;
                memcpy(s->error + s->first[tile], error[best],
                       (s->first[tile + 1] - s->first[tile]) * sizeof(double));
            }
        }
    }
    for (unsigned g = 0; g < PRANS_FIT_GROUPS; g++)
        for (unsigned phase = 0; phase < phases; phase++)
            finish_weights(weight[g] + phase * taps, taps);
}

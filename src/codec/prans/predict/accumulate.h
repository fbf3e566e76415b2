/* SPDX-License-Identifier: MIT
 * The normal equations of a fit, summed up: a kernel that CPU levels compile for themselves. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_ACCUMULATE_H
#define FPGZ_CODEC_PRANS_PREDICT_ACCUMULATE_H

#include <string.h>

#include "codec/prans/predict/fit.h"
#include "core/inline.h"

/* Eight numbers that are added together, in registers of whatever size. */
typedef double eight __attribute__((vector_size(64)));

/* Adds the samples' parts to the equations, one sample after the other, in whole eighths. */
INLINE void add_samples(const double *const *row, const double *weight, unsigned count, unsigned taps,
                        double (*equations)[PRANS_ROW])
{
    for (size_t i = 0; i < taps; i++) {
        for (size_t block = i / 8; block <= taps / 8; block++) {
            eight sum, part;
            memcpy(&sum, &equations[i][8 * block], sizeof sum);
            for (unsigned k = 0; k < count; k++) {
                memcpy(&part, row[k] + 8 * block, sizeof part);
                sum += weight[k] * row[k][i] * part;
            }
            memcpy(&equations[i][8 * block], &sum, sizeof sum);
        }
    }
}

/* Sums run from sample to sample, each of its own, so that vectors add up what scalars do. Of the equations
 * only the part right of the diagonal is made. Samples come by fours, or sums would be loaded and stored for
 * each. */
static void accumulate(const struct prans_samples *samples, size_t first, size_t end, unsigned phase,
                       unsigned taps, double (*equations)[PRANS_ROW])
{
    enum { TOGETHER = 4 };
    const double *row[TOGETHER];
    double weight[TOGETHER];
    unsigned held = 0;
    for (size_t s = first; s < end; s++) {
        if (samples->phase[s] != phase)
            continue;
        row[held] = samples->row[s];
        weight[held++] = samples->weight[s];
        if (held == TOGETHER) {
            add_samples(row, weight, TOGETHER, taps, equations);
            held = 0;
        }
    }
    for (unsigned k = 0; k < held; k++)
        add_samples(row + k, weight + k, 1, taps, equations);
}

#endif

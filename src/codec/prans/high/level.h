/* SPDX-License-Identifier: MIT
 * The high setting's kernels for both dtypes, to be compiled with the flags of the including file's CPU
 * level.
 */
#ifndef FPGZ_CODEC_PRANS_HIGH_LEVEL_H
#define FPGZ_CODEC_PRANS_HIGH_LEVEL_H

#include <string.h>

#include "codec/prans/entropy/rans.h"
#include "codec/prans/high/kernels.h"
#include "codec/prans/predict/fit.h"
#include "codec/prans/predict/refinement_kernel.h"
#include "core/bytes.h"

#define INLINE static inline __attribute__((always_inline))

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

/* Adds the weighted values; weights repeat with a period of 8 or, of three components, 24. */
#define DEFINE_WEIGH(real, dtype)                                                                            \
    INLINE void weigh_##dtype(double *restrict sum, const real *restrict back,                               \
                              const double *restrict weight, size_t period, size_t count)                    \
    {                                                                                                        \
        size_t i = 0;                                                                                        \
        for (; i + period <= count; i += period)                                                             \
            for (size_t j = 0; j < period; j++)                                                              \
                sum[i + j] += weight[j] * (double)back[i + j];                                               \
        for (size_t j = 0; i < count; i++, j++)                                                              \
            sum[i] += weight[j] * (double)back[i];                                                           \
    }
DEFINE_WEIGH(float, f32)
DEFINE_WEIGH(double, f64)
#undef DEFINE_WEIGH

#define REAL float
#define WORD uint32_t
#define SIGNED int32_t
#define MANTISSA 23
#define HALF_OCTAVE 22
#define NAME(name) name##_f32
#include "codec/prans/high/kernels_tmpl.h"

#include "codec/prans/high/refined_tmpl.h"

#include "codec/prans/high/decode_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef MANTISSA
#undef HALF_OCTAVE
#undef NAME

#define REAL double
#define WORD uint64_t
#define SIGNED int64_t
#define MANTISSA 52
#define HALF_OCTAVE 51
#define NAME(name) name##_f64
#include "codec/prans/high/kernels_tmpl.h"

#include "codec/prans/high/refined_tmpl.h"

#include "codec/prans/high/decode_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef MANTISSA
#undef HALF_OCTAVE
#undef NAME

#define PRANS_KERNELS(dtype)                                                                                 \
    {                                                                                                        \
        residuals_##dtype, refined_residuals_##dtype, errors_##dtype, cost_##dtype, contexts_##dtype,        \
            accumulate, decode_##dtype                                                                       \
    }

#endif

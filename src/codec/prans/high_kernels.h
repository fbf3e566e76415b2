/* SPDX-License-Identifier: MIT
 * The high setting's kernels for both dtypes, to be compiled with the flags of the including file's CPU
 * level.
 */
#ifndef FPGZ_CODEC_PRANS_HIGH_KERNELS_H
#define FPGZ_CODEC_PRANS_HIGH_KERNELS_H

#include <string.h>

#include "codec/prans/fit.h"
#include "codec/prans/high.h"
#include "codec/prans/rls_kernel.h"
#include "core/bytes.h"

#define INLINE static inline __attribute__((always_inline))

/* Eight numbers that are added together, in registers of whatever size. */
typedef double eight __attribute__((vector_size(64)));

/* Sums run from sample to sample, each of its own, so that vectors add up what scalars do. Of the equations
 * only the part right of the diagonal is made, in whole eighths. */
static void accumulate(const struct prans_samples *samples, size_t first, size_t end, unsigned phase,
                       unsigned taps, double (*equations)[PRANS_ROW])
{
    for (size_t s = first; s < end; s++) {
        if (samples->phase[s] != phase)
            continue;
        const double *row = samples->row[s];
        const double weight = samples->weight[s];
        eight part[PRANS_ROW / 8];
        memcpy(part, row, sizeof part);
        for (size_t i = 0; i < taps; i++) {
            const double factor = weight * row[i];
            for (size_t block = i / 8; block <= taps / 8; block++) {
                eight sum;
                memcpy(&sum, &equations[i][8 * block], sizeof sum);
                sum += factor * part[block];
                memcpy(&equations[i][8 * block], &sum, sizeof sum);
            }
        }
    }
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
#include "codec/prans/high_tmpl.h"

#include "codec/prans/high_slow_tmpl.h"

#include "codec/prans/high_decode_tmpl.h"
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
#include "codec/prans/high_tmpl.h"

#include "codec/prans/high_slow_tmpl.h"

#include "codec/prans/high_decode_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef MANTISSA
#undef HALF_OCTAVE
#undef NAME

#define PRANS_KERNELS(dtype)                                                                                 \
    {                                                                                                        \
        residuals_##dtype, slow_residuals_##dtype, errors_##dtype, cost_##dtype, contexts_##dtype,           \
            accumulate, decode_##dtype                                                                       \
    }

#endif

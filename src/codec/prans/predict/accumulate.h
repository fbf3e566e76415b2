/* SPDX-License-Identifier: MIT
 * What a fit does with each sample: kernels that CPU levels compile for themselves, eight samples at once. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_ACCUMULATE_H
#define FPGZ_CODEC_PRANS_PREDICT_ACCUMULATE_H

#include <string.h>

#include "codec/prans/predict/fit.h"
#include "core/inline.h"

/* Eight numbers in registers of whatever size; each has a sum of its own, so that all levels add alike. */
typedef double eight __attribute__((vector_size(64)));
typedef int64_t eight_bits __attribute__((vector_size(64)));
_Static_assert(sizeof(eight) == PRANS_FIT_LANES * sizeof(double), "a block fills a vector");

INLINE eight load_eight(const double *at)
{
    eight loaded;
    memcpy(&loaded, at, sizeof loaded);
    return loaded;
}

INLINE void store_eight(double *at, eight stored)
{
    memcpy(at, &stored, sizeof stored);
}

/* Of the equations only the part right of the diagonal is made, by fours, which stay in registers. */
static void accumulate(const struct prans_samples *s, size_t first, size_t end, unsigned phase, unsigned taps,
                       double (*equations)[PRANS_COLUMNS][PRANS_FIT_LANES])
{
    enum { TOGETHER = PRANS_COLUMNS - PRANS_TAPS };
    double weight[PRANS_FIT_MOST];
    const double(*const blocks)[PRANS_FIT_LANES] =
        (const double(*)[PRANS_FIT_LANES])fpgz_prans_block(s, first, taps);
    const size_t count = (end - first) / PRANS_FIT_LANES, stride = fpgz_prans_stride(taps);
    for (size_t i = first; i < end; i++)
        weight[i - first] = s->phase[i] == phase ? s->weight[i] : 0;
    for (size_t i = 0; i < taps; i++) {
        for (size_t j = i; j <= taps; j += TOGETHER) {
            eight sum[TOGETHER];
            for (unsigned k = 0; k < TOGETHER; k++)
                sum[k] = load_eight(equations[i][j + k]);
            for (size_t b = 0; b < count; b++) {
                const double(*const column)[PRANS_FIT_LANES] = blocks + b * stride;
                const eight weighted = load_eight(weight + b * PRANS_FIT_LANES) * load_eight(column[i]);
                for (unsigned k = 0; k < TOGETHER; k++)
                    sum[k] += weighted * load_eight(column[j + k]);
            }
            for (unsigned k = 0; k < TOGETHER; k++)
                store_eight(equations[i][j + k], sum[k]);
        }
    }
}

static int64_t errors_under(const struct prans_samples *s, size_t first, size_t end, unsigned phases,
                            unsigned taps, const double *weight, double *error)
{
    enum { FRACTION = 36 /* below the 16 bits that the logarithm's has, linear between powers of two */ };
    const eight_bits positive = (eight_bits){0} + INT64_MAX;
    const eight most = (eight){0} + 1e300;
    eight_bits cost = {0};
    for (size_t i = first; i < end; i += PRANS_FIT_LANES) {
        const double(*const column)[PRANS_FIT_LANES] =
            (const double(*)[PRANS_FIT_LANES])fpgz_prans_block(s, i, taps);
        eight sum[PRANS_PHASES];
        for (unsigned phase = 0; phase < phases; phase++) {
            sum[phase] = (eight){0};
            for (unsigned tap = 0; tap < taps; tap++)
                sum[phase] += load_eight(column[tap]) * weight[phase * taps + tap];
        }
        for (unsigned lane = 0; phases > 1 && lane < PRANS_FIT_LANES; lane++)
            sum[0][lane] = sum[s->phase[i + lane]][lane];
        const eight missed = load_eight(column[taps]) - sum[0];
        const eight size = (eight)((eight_bits)missed & positive) + load_eight(s->quantum + i);
        const eight_bits less = (eight_bits)(size < most);
        cost += (((eight_bits)size & less) | ((eight_bits)most & ~less)) >> FRACTION;
        store_eight(error + (i - first), missed);
    }
    int64_t all = 0;
    for (unsigned lane = 0; lane < PRANS_FIT_LANES; lane++)
        all += cost[lane];
    return all;
}

#endif

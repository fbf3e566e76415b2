/* SPDX-License-Identifier: MIT
 * What is different for f32. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_F32_H
#define FPGZ_CODEC_PREDICT_KERNELS_F32_H

#include "codec/predict/predict.h"

enum { PREFIX_BITS = 2 }; /* of the small variant */

/* The signed mean, rounded toward zero. Sums of 16 words are exact in a double. So is the quotient's
 * integer part: a quotient that is not an integer is at least 1/16 away from one. */
static void predict_mean(const void *before, size_t stride, unsigned points, const int32_t *weights,
                         size_t count, void *predicted)
{
    (void)weights;
    double sum[PREDICT_TILE] = {0};
    int32_t *const mean = predicted;
    for (unsigned point = 0; point < points; point++) {
        const int32_t *const row = (const int32_t *)before - point * stride;
        for (size_t i = 0; i < count; i++)
            sum[i] += row[i];
    }
    for (size_t i = 0; i < count; i++)
        mean[i] = (int32_t)(sum[i] / points);
}

#endif

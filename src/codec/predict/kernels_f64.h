/* SPDX-License-Identifier: MIT
 * What is different for f64. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_F64_H
#define FPGZ_CODEC_PREDICT_KERNELS_F64_H

#include "codec/predict/predict.h"

enum { PREFIX_BITS = 3 }; /* of the small variant */

/* The signed mean, rounded toward zero. The halves of the words are summed apart, and the division is done
 * in two digits of 32 bits. */
static void predict_mean(const void *before, size_t stride, unsigned points, const int32_t *weights,
                         size_t count, void *predicted)
{
    (void)weights;
    int64_t high[PREDICT_TILE] = {0}, low[PREDICT_TILE] = {0};
    int64_t *const mean = predicted;
    for (unsigned point = 0; point < points; point++) {
        const int64_t *const row = (const int64_t *)before - point * stride;
        for (size_t i = 0; i < count; i++) {
            high[i] += row[i] >> 32;
            low[i] += row[i] & UINT32_MAX;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const int64_t first = (int64_t)((double)high[i] / points);
        const int64_t rest = (high[i] - first * points) * ((int64_t)1 << 32) + low[i]; /* below 2^37 */
        const int64_t second = (int64_t)((double)rest / points);
        /* A negative first digit with a positive remainder was rounded down. */
        const bool round_up = first < 0 && rest > second * points;
        mean[i] = first * ((int64_t)1 << 32) + second + round_up;
    }
}

#endif

/* SPDX-License-Identifier: MIT
 * Small prefixes of f64: there are half as many words for the same data, and coding them one by one is fast
 * enough. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_AVX2_F64_H
#define FPGZ_CODEC_PREDICT_KERNELS_AVX2_F64_H

#include "codec/predict/kernels.h"

static uint8_t *pack_few(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                         uint8_t *residuals)
{
    return pack_small(values, predicted, count, prefixes, residuals);
}

static const uint8_t *unpack_few(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                 const void *predicted, void *values, size_t count)
{
    return unpack_small(prefixes, residuals, end, predicted, values, count);
}

#endif

/* SPDX-License-Identifier: MIT
 * The reference, compiled for AVX2, and something better for small prefixes of f32. */
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/predict/kernels_avx2_f32.h"
#else
#include "codec/predict/kernels_avx2_f64.h"
#endif

const struct predict_kernels WIDTH(fpgz_predict_avx2) = {
    .pack = {pack_few, pack_large},
    .unpack = {unpack_few, unpack_large},
    .predict = {predict_linear, predict_mean, predict_median},
};

/* SPDX-License-Identifier: MIT
 * The reference: what it writes is the codec's stream, and every other kernel must write the same. */
#include "codec/predict/kernels.h"

const struct predict_kernels fpgz_predict_c = {
    .pack = {{pack_small_f32, pack_large_f32}, {pack_small_f64, pack_large_f64}},
    .unpack = {{unpack_small_f32, unpack_large_f32}, {unpack_small_f64, unpack_large_f64}},
    .predict = {{predict_linear_f32, predict_mean_f32, predict_median_f32},
                {predict_linear_f64, predict_mean_f64, predict_median_f64}},
};

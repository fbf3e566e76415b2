/* SPDX-License-Identifier: MIT
 * The reference: what it writes is the codec's stream, and every other kernel must write the same. */
#include "codec/predict/kernels.h"

const struct predict_kernels WIDTH(fpgz_predict_c) = {
    .pack = {pack_small, pack_large},
    .unpack = {unpack_small, unpack_large},
    .predict = {predict_linear, predict_mean, predict_median},
};

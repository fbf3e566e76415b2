/* SPDX-License-Identifier: MIT
 * All kernels of the high setting, for a level's file to make its table of. For width templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_LEVEL_H
#define FPGZ_CODEC_PRANS_HIGH_LEVEL_H

#include "codec/prans/high/decode_runs.h"
#include "codec/prans/predict/accumulate.h"

#define PRANS_HIGH_KERNELS                                                                                   \
    {                                                                                                        \
        .residuals = residuals_of, .refined_residuals = refined_residuals_of, .errors = errors_of,           \
        .cost = cost_of, .contexts = contexts_of, .fit = {accumulate, errors_under}, .decode = decode        \
    }

#endif

/* SPDX-License-Identifier: MIT */
#include "codec/prans/high/level.h"

const struct prans_kernels fpgz_prans_high_avx2[2] = {PRANS_KERNELS(f32), PRANS_KERNELS(f64)};

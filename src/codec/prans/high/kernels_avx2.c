/* SPDX-License-Identifier: MIT
 * The high setting's kernels for AVX2: the same source. */
#include "codec/prans/high/level.h"

const struct prans_kernels fpgz_prans_high_avx2[2] = {PRANS_KERNELS(f32), PRANS_KERNELS(f64)};

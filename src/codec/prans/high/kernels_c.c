/* SPDX-License-Identifier: MIT
 * The high setting's kernels in plain C. */
#include "codec/prans/high/level.h"

const struct prans_kernels fpgz_prans_high_c[2] = {PRANS_KERNELS(f32), PRANS_KERNELS(f64)};

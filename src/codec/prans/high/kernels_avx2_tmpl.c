/* SPDX-License-Identifier: MIT
 * The high setting's kernels for AVX2: the same source. */
#include "codec/prans/high/level.h"

const struct prans_high_kernels WIDTH(fpgz_prans_high_avx2) = PRANS_HIGH_KERNELS;

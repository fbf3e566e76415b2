/* SPDX-License-Identifier: MIT
 * The high setting's kernels in plain C. */
#include "codec/prans/high/level.h"

const struct prans_high_kernels WIDTH(fpgz_prans_high_c) = PRANS_HIGH_KERNELS;

/* SPDX-License-Identifier: MIT
 * Parting values and joining them again for AVX2. */
#include "codec/prans/parted/level.h"

const struct prans_parted_kernels WIDTH(fpgz_prans_parted_avx2) = PRANS_PARTED_KERNELS;

/* SPDX-License-Identifier: MIT
 * Values by their scales as compilers make them for AVX-512. */
#include "codec/prans/scaled/level.h"

const struct prans_scaled_kernels WIDTH(fpgz_prans_scaled_avx512) = PRANS_SCALED_KERNELS;

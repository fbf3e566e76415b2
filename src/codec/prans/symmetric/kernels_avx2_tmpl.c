/* SPDX-License-Identifier: MIT
 * Copies by symmetries as compilers make them for AVX2. */
#include "codec/prans/symmetric/level.h"

const struct prans_symmetric_kernels WIDTH(fpgz_prans_symmetric_avx2) = PRANS_SYMMETRIC_KERNELS;

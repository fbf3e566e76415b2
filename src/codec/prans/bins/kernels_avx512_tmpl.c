/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins for AVX-512: the same source. */
#include "codec/prans/bins/level.h"

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_avx512) = PRANS_BINS_KERNELS;

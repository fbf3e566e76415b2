/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins for AVX2: sums are vectors. */
#include "codec/prans/middle/sums_avx2.h"

#include "codec/prans/bins/words_plain.h"

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_avx2) = PRANS_BINS_KERNELS;

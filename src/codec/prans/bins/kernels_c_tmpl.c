/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins in plain C: these define the bytes. */
#include "codec/prans/middle/sums.h"

#include "codec/prans/bins/words_plain.h"

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_c) = PRANS_BINS_KERNELS;

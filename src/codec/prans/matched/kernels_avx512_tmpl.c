/* SPDX-License-Identifier: MIT
 * Matches, their search and their parting for AVX-512. */
#include "codec/prans/matched/level.h"

const struct prans_matched_kernels WIDTH(fpgz_prans_matched_avx512) = PRANS_MATCHED_KERNELS;

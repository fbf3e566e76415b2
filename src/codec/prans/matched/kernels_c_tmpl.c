/* SPDX-License-Identifier: MIT
 * Matches, their search and their parting in plain C. */
#include "codec/prans/matched/level.h"

const struct prans_matched_kernels WIDTH(fpgz_prans_matched_c) = PRANS_MATCHED_KERNELS;

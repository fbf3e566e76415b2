/* SPDX-License-Identifier: MIT
 * Parting values and joining them again in plain C. */
#include "codec/prans/parted/level.h"

const struct prans_parted_kernels WIDTH(fpgz_prans_parted_c) = PRANS_PARTED_KERNELS;

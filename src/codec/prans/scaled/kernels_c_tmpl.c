/* SPDX-License-Identifier: MIT
 * Values by their scales in plain C. */
#include "codec/prans/scaled/level.h"

const struct prans_scaled_kernels WIDTH(fpgz_prans_scaled_c) = PRANS_SCALED_KERNELS;

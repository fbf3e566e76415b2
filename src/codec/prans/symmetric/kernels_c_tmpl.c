/* SPDX-License-Identifier: MIT
 * Copies by symmetries in plain C. */
#include "codec/prans/symmetric/level.h"

const struct prans_symmetric_kernels WIDTH(fpgz_prans_symmetric_c) = PRANS_SYMMETRIC_KERNELS;

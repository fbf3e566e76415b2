/* SPDX-License-Identifier: MIT
 * The value domains of floats in plain C. */
#include "codec/prans/domain/values.h"

#include "codec/prans/domain/level.h"

const struct prans_domain_kernels WIDTH(fpgz_prans_domain_c) = PRANS_DOMAIN_KERNELS;

/* SPDX-License-Identifier: MIT
 * The value domains of floats for AVX-512. */
#include "codec/prans/domain/values_avx512.h"

#include "codec/prans/domain/level.h"

const struct prans_domain_kernels WIDTH(fpgz_prans_domain_avx512) = PRANS_DOMAIN_KERNELS;

/* SPDX-License-Identifier: MIT
 * The probe for periods as compilers make it at this CPU level. */
#include "codec/prans/periodic/level.h"

const struct periodic_kernels fpgz_prans_periodic_c = {.length = length};

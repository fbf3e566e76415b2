/* SPDX-License-Identifier: MIT
 * XXH3 as compilers make it at this CPU level. */
#include "core/checksum_level.h"

const struct checksum_kernels fpgz_checksum_c = {.sum = sum, .add = add, .adler32 = adler32};

/* SPDX-License-Identifier: MIT
 * The same with BMI2's shifts and LZCNT: an eighth faster. */
#include "codec/arith/kernels.h"

const struct arith_kernels fpgz_arith_avx2 = {encode_block, decode_one, decode_lanes};

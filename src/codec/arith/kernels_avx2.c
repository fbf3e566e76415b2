/* SPDX-License-Identifier: MIT */
#include "codec/arith/kernels.h"

const struct arith_kernels fpgz_arith_avx2 = {encode_block, decode_one, decode_lanes};

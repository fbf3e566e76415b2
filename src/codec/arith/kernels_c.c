/* SPDX-License-Identifier: MIT */
#include "codec/arith/kernels.h"

const struct arith_kernels fpgz_arith_c = {encode_block, decode_one, decode_lanes};

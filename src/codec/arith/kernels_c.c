/* SPDX-License-Identifier: MIT
 * The reference: what it writes is the codec's stream. */
#include "codec/arith/kernels.h"

const struct arith_kernels fpgz_arith_c = {encode_block, decode_one, decode_lanes};

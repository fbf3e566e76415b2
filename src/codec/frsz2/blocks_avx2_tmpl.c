/* SPDX-License-Identifier: MIT
 * Blocks in AVX2: 4 (f32) or 8 (f64) vectors each. Codes of 8, 16, 32 and 64 bits are stored in vectors,
 * others one by one or by pairs. */
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/frsz2/blocks_avx2_f32.h"
#else
#include "codec/frsz2/blocks_avx2_f64.h"
#endif

#include "codec/frsz2/blocks_simd.h"

const struct frsz2_kernels WIDTH(fpgz_frsz2_avx2) = {.encode = encode, .decode = decode};

/* SPDX-License-Identifier: MIT
 * Blocks in AVX-512: 2 (f32) or 4 (f64) vectors each. Codes of any width are moved by whole bytes
 * (vpermb) and then by the bits that remain. */
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/frsz2/blocks_avx512_f32.h"
#else
#include "codec/frsz2/blocks_avx512_f64.h"
#endif

#include "codec/frsz2/blocks_simd.h"

const struct frsz2_kernels WIDTH(fpgz_frsz2_avx512) = {.encode = encode, .decode = decode};

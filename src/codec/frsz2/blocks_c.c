/* SPDX-License-Identifier: MIT
 * The reference: what it writes is FRSZ2's stream, and every other kernel must write the same. */
#include "codec/frsz2/frsz2.h"

#define WORD uint32_t
#define WORD_BITS 32
#define MANTISSA_BITS 23
#define NAME(name) name##_f32
#define LEADING_ZEROS __builtin_clz
#define LOAD fpgz_load32
#define STORE fpgz_store32
#include "codec/frsz2/blocks_c_tmpl.h"

#define WORD uint64_t
#define WORD_BITS 64
#define MANTISSA_BITS 52
#define NAME(name) name##_f64
#define LEADING_ZEROS __builtin_clzll
#define LOAD fpgz_load64
#define STORE fpgz_store64
#include "codec/frsz2/blocks_c_tmpl.h"

const struct frsz2_kernels fpgz_frsz2_c = {
    .encode = {encode_f32, encode_f64},
    .decode = {decode_f32, decode_f64},
};

/* SPDX-License-Identifier: MIT
 * The reference: what it writes is ndzip's stream, and every other kernel must write the same. */
#include "codec/ndzip/ndzip.h"
#include "core/bytes.h"

#define WORD uint32_t
#define WORD_BITS 32
#define NAME(name) name##_f32
#define LOAD fpgz_load32
#define STORE fpgz_store32
#define POPCOUNT __builtin_popcount
#include "codec/ndzip/cube_c_tmpl.h"

#define WORD uint64_t
#define WORD_BITS 64
#define NAME(name) name##_f64
#define LOAD fpgz_load64
#define STORE fpgz_store64
#define POPCOUNT __builtin_popcountll
#include "codec/ndzip/cube_c_tmpl.h"

const struct ndzip_kernels fpgz_ndzip_c = {
    .encode = {{encode_1d_f32, encode_2d_f32, encode_3d_f32}, {encode_1d_f64, encode_2d_f64, encode_3d_f64}},
    .decode = {{decode_1d_f32, decode_2d_f32, decode_3d_f32}, {decode_1d_f64, decode_2d_f64, decode_3d_f64}},
};

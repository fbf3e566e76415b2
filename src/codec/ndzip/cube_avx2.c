/* SPDX-License-Identifier: MIT
 * The AVX2 kernels; what they write is what cube_c.c writes. */
#include "codec/ndzip/cube_avx2_f32.h"
#include "codec/ndzip/cube_avx2_f64.h"

#define WORD uint32_t
#define NAME(name) name##_f32
#define LANES 8
#define TILES 1
#include "codec/ndzip/cube_avx2_tmpl.h"

#define WORD uint64_t
#define NAME(name) name##_f64
#define LANES 4
#define TILES 2
#include "codec/ndzip/cube_avx2_tmpl.h"

const struct ndzip_kernels fpgz_ndzip_avx2 = {
    .encode = {{encode_1d_f32, encode_2d_f32, encode_3d_f32}, {encode_1d_f64, encode_2d_f64, encode_3d_f64}},
    .decode = {{decode_1d_f32, decode_2d_f32, decode_3d_f32}, {decode_1d_f64, decode_2d_f64, decode_3d_f64}},
};

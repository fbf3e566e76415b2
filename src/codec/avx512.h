/* SPDX-License-Identifier: MIT
 * What width templates share in AVX-512: vectors of WORDs. */
#ifndef FPGZ_CODEC_AVX512_H
#define FPGZ_CODEC_AVX512_H

#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/avx512_f32.h"
#else
#include "codec/avx512_f64.h"
#endif

/* The same byte in all eight of a quadword. */
#define BYTES(n) (UINT64_C(0x0101010101010101) * (n))

#endif

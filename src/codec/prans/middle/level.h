/* SPDX-License-Identifier: MIT
 * A level's table of the middle setting's kernels, to be compiled with its flags: of words(), and of scan and
 * decode for both dtypes, which the including file has. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_LEVEL_H
#define FPGZ_CODEC_PRANS_MIDDLE_LEVEL_H

#define REAL float
#define WORD uint32_t
#define SIGNED int32_t
#define NAME(name) name##_f32
#include "codec/prans/domain/restore_tmpl.h"
#include "codec/prans/middle/kernels_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef NAME

#define REAL double
#define WORD uint64_t
#define SIGNED int64_t
#define NAME(name) name##_f64
#include "codec/prans/domain/restore_tmpl.h"
#include "codec/prans/middle/kernels_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef NAME

#define MIDDLE_KERNELS(dtype)                                                                                \
    {                                                                                                        \
        difference_##dtype, sum_##dtype, cost_##dtype, fill_##dtype, leave_##dtype, symbols_##dtype,         \
            raw_##dtype, words, decode_##dtype                                                               \
    }
#define MIDDLE_TABLE                                                                                         \
    {                                                                                                        \
        MIDDLE_KERNELS(f32), MIDDLE_KERNELS(f64)                                                             \
    }

#endif

/* SPDX-License-Identifier: MIT
 * Which values of a grid share a scale, and how products become values. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_SCALED_RUNS_H
#define FPGZ_CODEC_PRANS_SCALED_RUNS_H

#include <stdint.h>

/* What products are rounded to. */
enum scaled_rounding {
    SCALED_WHOLE,  /* their dtype, f32 or f64; */
    SCALED_SINGLE, /* binary32, of f64; */
    SCALED_HALF,   /* binary16, of f32, or as f16 is; */
    SCALED_BFLOAT  /* bfloat16, of f32, or as bf16 is */
};

/* Value i, counted with the fastest axis first, has scale number i / run modulo `count`. */
struct scaled_runs {
    uint32_t run, count; /* values next to each other; scales */
    uint32_t rounding;   /* enum scaled_rounding */
};

#endif

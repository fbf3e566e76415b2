/* SPDX-License-Identifier: MIT
 * Which values of a grid share a scale. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_SCALED_RUNS_H
#define FPGZ_CODEC_PRANS_SCALED_RUNS_H

#include <stdint.h>

/* Value i, counted with the fastest axis first, has scale number i / run modulo `count`. */
struct scaled_runs {
    uint32_t run, count; /* values next to each other; scales */
};

#endif

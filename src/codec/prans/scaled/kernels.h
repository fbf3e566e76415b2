/* SPDX-License-Identifier: MIT
 * Values by their scales, compiled once a width of words. */
#ifndef FPGZ_CODEC_PRANS_SCALED_KERNELS_H
#define FPGZ_CODEC_PRANS_SCALED_KERNELS_H

#include <stddef.h>

#include "codec/prans/scaled/runs.h"
#include "core/cpu.h"

/* Of f32 or f64. */
struct prans_scaled_kernels {
    /* Turns `count` values into the integers next to their quotients by the scales. Zeros, what is not
     * finite, and values whose scale is 1 stay as they are. */
    void (*divide)(const struct scaled_runs *runs, size_t count, const void *scales, void *values);

    /* Turns quotients into products. What is not finite stays as it is. */
    void (*multiply)(const struct scaled_runs *runs, size_t count, const void *scales, void *values);
};

extern fpgz_word_kernels fpgz_prans_scaled_kernels;

#endif

/* SPDX-License-Identifier: MIT
 * The inner loops, compiled once a CPU level. Sums are taken in the same order at all levels. */
#ifndef CB_GMRES_LOOPS_H
#define CB_GMRES_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"

/* Counts are multiples of 32, what FRSZ2's blocks have. */
struct gmres_loops_kernels {
    double (*dot)(const double *a, const double *b, size_t count);
    void (*add)(double factor, const double *from, double *to, size_t count); /* to += factor * from */
    void (*from_f32)(const void *from, double *to, size_t count);
    void (*from_f16)(const void *from, double *to, size_t count);
    void (*from_bf16)(const void *from, double *to, size_t count);
};

extern fpgz_kernels fpgz_gmres_loops_kernels;

#endif

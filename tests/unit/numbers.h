/* SPDX-License-Identifier: MIT
 * Values that tests make. */
#ifndef TESTS_UNIT_NUMBERS_H
#define TESTS_UNIT_NUMBERS_H

#include <stddef.h>

#include "core/grid.h"

/* Value number `at` of f32, or of f64. */
static inline void store(enum fpgz_dtype dtype, void *values, size_t at, double value)
{
    if (dtype == FPGZ_F32)
        ((float *)values)[at] = (float)value;
    else
        ((double *)values)[at] = value;
}

#endif

/* SPDX-License-Identifier: MIT
 * Values that prans codes in two parts. */
#ifndef TESTS_GPU_PARTS_H
#define TESTS_GPU_PARTS_H

#include "cases.h"

/* Calls `check` for grids of f32 and f64 that are best coded in two parts, in each way there is, with some
 * special values; they are so large that an aide has all values.
 * `every` n-th grid only. */
void parts_each(unsigned every, cases_check *check);

#endif

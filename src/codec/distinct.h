/* SPDX-License-Identifier: MIT
 * How many distinct values a grid has. */
#ifndef FPGZ_CODEC_DISTINCT_H
#define FPGZ_CODEC_DISTINCT_H

#include "core/grid.h"

enum { FPGZ_DISTINCT_MEMORY = 1 << 17 /* bytes of scratch */ };

/* About how many distinct words of 32 or 64 bits the grid holds; SIZE_MAX where that is more than a 20th of
 * the values, or too many to be told. */
size_t fpgz_distinct(const struct fpgz_grid *grid, const void *values, void *scratch);

/* What prans makes of few distinct values at most, stored/raw, which boxes do not tell: of each its number in
 * a dictionary. 1 where they are not few, or words are short. */
double fpgz_distinct_ratio(const struct fpgz_grid *grid, const void *values, void *scratch);

#endif

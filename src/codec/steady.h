/* SPDX-License-Identifier: MIT
 * Values that hardly change from one to the next: masks, fill values, fields of zeros. zstd makes next to
 * nothing of them in a tenth of prans' time, whose segments and tables take something whatever the values. */
#ifndef FPGZ_CODEC_STEADY_H
#define FPGZ_CODEC_STEADY_H

#include "codec/auto.h"

/* How the level codes such a grid; false where it does not, or the grid is small. */
bool fpgz_steady_way(const struct fpgz_level *level, const struct fpgz_grid *grid, struct fpgz_auto_way *way);

/* Whether the grid at `values`, for which there is a way, may be one, by a sample. */
bool fpgz_is_steady(const struct fpgz_grid *grid, const void *values);

#endif

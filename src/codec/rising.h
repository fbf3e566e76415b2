/* SPDX-License-Identifier: MIT
 * Whether a grid is one of times, axes, or numbers of events: each value mostly larger than the one before,
 * or each smaller. What codecs of grids leave of the steps between these is often noise that returns, as
 * rounding makes it: codecs for bytes make far less of it. */
#ifndef FPGZ_CODEC_RISING_H
#define FPGZ_CODEC_RISING_H

#include "core/grid.h"

/* By a sample of values of four or eight bytes; false of others. */
bool fpgz_rises(const struct fpgz_grid *grid, const void *values);

#endif

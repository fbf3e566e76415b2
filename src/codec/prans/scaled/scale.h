/* SPDX-License-Identifier: MIT
 * The scale of a few values. */
#ifndef FPGZ_CODEC_PRANS_SCALED_SCALE_H
#define FPGZ_CODEC_PRANS_SCALED_SCALE_H

#include "codec/prans/scaled/scaled.h"

enum { SCALED_FOLDED = 0 };

/* The number, above 0 and finite, that most of the values of run `which` are times small integers, or times
 * numbers of four binary digits and any exponent, rounded, or within two units in the last place; 1 if all
 * are 0 or not finite, and 0 where there is none. `most` values of it are looked at, 512 at most, and then
 * any number that fits will do. *times is what the largest value may be times it, or SCALED_FOLDED if it may
 * be no integer; it becomes what that is.
 */
double fpgz_prans_scaled_by(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                            uint32_t which, uint32_t most, unsigned *times);

#endif

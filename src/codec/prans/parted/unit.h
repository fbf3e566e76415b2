/* SPDX-License-Identifier: MIT
 * Numbers of single precision that were changed to other units in double precision. */
#ifndef FPGZ_CODEC_PRANS_PARTED_UNIT_H
#define FPGZ_CODEC_PRANS_PARTED_UNIT_H

#include <stddef.h>

/* The number of which most of `count` reals are multiples by numbers of single precision, as rounded products
 * are; these have about 1 as their size in the middle. 0 if there seems to be none, or the reals have few
 * digits themselves. Reals are finite; those that are 0 do not count. */
double fpgz_prans_unit(const double *reals, size_t count);

#endif

/* SPDX-License-Identifier: MIT
 * A few values of a run, for those who look for its scale. */
#ifndef FPGZ_CODEC_PRANS_SCALED_MAGNITUDES_H
#define FPGZ_CODEC_PRANS_SCALED_MAGNITUDES_H

#include "codec/prans/parted/multiples.h"

/* Magnitudes. */
struct scaled_magnitudes {
    size_t count;
    unsigned digits; /* behind the first one */
    bool sure;       /* it is known that there is a scale */
    double unit;     /* the least one in the last place */
    double number[PARTED_SAMPLES];
};

/* With `digits` binary digits behind the first one; above 0 and no subnormal. */
double fpgz_prans_scaled_shortened(double real, unsigned digits);

/* The unit in the last place of one of them. */
double fpgz_prans_scaled_unit(const struct scaled_magnitudes *m, double number);

/* The largest of them; 0 of none. */
double fpgz_prans_scaled_largest(const struct scaled_magnitudes *m);

/* The scale of numbers of few digits, the shortest of those by which products are rounded to most of them. 0
 * where there is none. *times: as fpgz_prans_scaled_by() has it. *others gets the number of those that are no
 * products. Changes the order of numbers. */
double fpgz_prans_scaled_coarse(struct scaled_magnitudes *m, unsigned *times, size_t *others);

/* The same where quotients are no integers, but have four binary digits, whatever their exponents are: from 8
 * to below 16 is the largest one. Spoils the numbers. */
double fpgz_prans_scaled_folded(struct scaled_magnitudes *m, size_t *others);

#endif

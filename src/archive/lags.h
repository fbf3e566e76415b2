/* SPDX-License-Identifier: MIT
 * At which distances values are alike: the axes of a grid whose shape nobody tells. */
#ifndef FPGZ_ARCHIVE_LAGS_H
#define FPGZ_ARCHIVE_LAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/grid.h"

/* A way to read bytes as values. */
struct fpgz_view {
    enum fpgz_dtype dtype;
    enum fpgz_order order;
};

/* Makes integers, in the order of the values, of `count` values at `bytes`. */
void fpgz_view_keys(const struct fpgz_view *view, const uint8_t *bytes, size_t count, uint64_t *key);

/* Lags first, first + step and so on, `count` of them. */
struct fpgz_lags {
    size_t first, step, count;
};

/* Fills cost[] with a number for each lag: the mean bits that a value differs in from the one before by the
 * lag, at so many places among the `keys` keys, more than the largest lag. */
void fpgz_lags_measure(const uint64_t *key, size_t keys, const struct fpgz_lags *lags, unsigned places,
                       float *cost);

/* Chooses the numbers of up to `most` lags at which values are more alike than at some smaller lag, and than
 * at those beside: first the smallest one that is about as good as the best, then that. Returns how many. */
unsigned fpgz_lags_pick(const float *cost, size_t count, unsigned most, size_t *number);

#endif

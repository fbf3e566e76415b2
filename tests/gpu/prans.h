/* SPDX-License-Identifier: MIT
 * Streams of prans' middle setting that need all of its kernels. */
#ifndef TESTS_GPU_PRANS_H
#define TESTS_GPU_PRANS_H

#include "codec/codec.h"

/* Is given a stream, what a decoder has to know of it, what it is like, and whether it is to be refused. */
typedef void prans_check(const struct fpgz_coding *coding, const char *kind, const uint8_t *stream,
                         size_t length, bool refused);

/* Calls `check` for grids that are made to be predicted along each set of axes with each order, in each
 * domain, with special values and without, in both formats; then checks that there were all of these. `every`
 * n-th grid only, and then not. */
void prans_each(unsigned every, prans_check *check);

/* Is given values and the stream of bins that the CPU makes of them. Returns whether an aide counted
 * residuals. */
typedef bool prans_aided(const struct fpgz_coding *coding, const char *kind, const void *values,
                         const uint8_t *stream, size_t length);

/* Calls `check` for larger grids of all dtypes, with each set of axes and each order, without special values
 * and with some. */
void prans_each_aided(unsigned every, prans_aided *check);

#endif

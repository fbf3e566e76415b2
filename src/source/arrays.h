/* SPDX-License-Identifier: MIT
 * What formats whose arrays stand in the file as they are tell of them. */
#ifndef FPGZ_SOURCE_ARRAYS_H
#define FPGZ_SOURCE_ARRAYS_H

#include "core/content.h"
#include "core/status.h"

enum { FPGZ_ARRAYS_LIMIT = 1 << 16 }; /* of a file; what comes behind them is archived as bytes */

/* Adds an array of that name whose pieces stand at a run of places: one piece is the whole array, several
 * are one for each index along the slowest axis. The run's number and `at` do not count. An axis is added
 * where the array has none; an array without values is left out. What cannot be right, or is too much, is
 * left out with a remark. FPGZ_MEMORY alone is an error. */
enum fpgz_status fpgz_arrays_add(struct fpgz_content *content, const char *name,
                                 const struct fpgz_array *array, const struct fpgz_run *run,
                                 struct fpgz_error *remark, struct fpgz_error *error);

/* The same for an array in one piece, from byte `offset` of the file on. */
enum fpgz_status fpgz_arrays_add_dense(struct fpgz_content *content, const char *name,
                                       const struct fpgz_array *array, uint64_t offset,
                                       struct fpgz_error *remark, struct fpgz_error *error);

/* Adds an array that the file has in one piece after the filters, at a level of deflate that is tried first
 * (0: none). Fails without memory. Beyond FPGZ_ARRAYS_LIMIT it adds none. */
enum fpgz_status fpgz_arrays_add_filtered(struct fpgz_content *content, const char *name,
                                          const struct fpgz_array *array, const struct fpgz_filters *filters,
                                          uint8_t level, const struct fpgz_kept *piece,
                                          struct fpgz_error *error);

#endif

/* SPDX-License-Identifier: MIT
 * Raw grids: files or pipes of values alone. Options or the file's name tell their type and shape. */
#ifndef FPGZ_SOURCE_RAW_H
#define FPGZ_SOURCE_RAW_H

#include <stdbool.h>

#include "core/grid.h"
#include "core/status.h"

/* What the command line says of the grid. */
struct fpgz_raw_request {
    bool has_dtype, has_shape;
    struct fpgz_array array; /* its byte order always counts */
};

/* Reads a shape, "20x180x360" or "*x180x360" (slowest extent unknown). False when it is none. */
bool fpgz_shape_parse(const char *text, size_t length, struct fpgz_array *array);

/* The dtype that the suffix of a name tells (".f32"); false where it tells none. */
bool fpgz_raw_dtype(const char *name, enum fpgz_dtype *dtype);

/* Finds dtype and shape of `size` bytes (FPGZ_UNKNOWN for a pipe) named `name` (without directories; empty
 * for a pipe). The request comes first, then the name ("temp_20x180x360.f32"). Otherwise they are
 * one-dimensional, and bytes where no dtype is known. A file of several grids of the shape gets one more
 * axis, the slowest. FPGZ_USAGE when the size does not fit. */
enum fpgz_status fpgz_raw_describe(const struct fpgz_raw_request *request, const char *name, uint64_t size,
                                   struct fpgz_array *array, struct fpgz_error *error);

#endif

/* SPDX-License-Identifier: MIT
 * The functions behind HDF5's rows in the tables; hdf5_none.c has those of a build without the library. */
#ifndef FPGZ_SOURCE_HDF5_FORMATS_H
#define FPGZ_SOURCE_HDF5_FORMATS_H

#include "source/sink.h"
#include "source/source.h"

/* The version of the library that this build has; NULL: it has none. */
const char *fpgz_hdf5_version(void);

enum fpgz_status fpgz_hdf5_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                    struct fpgz_error *error);

enum fpgz_status fpgz_hdf5_dataset(int fd, const char *path, const char *name, bool values,
                                   struct fpgz_dataset *dataset, struct fpgz_error *error);

enum fpgz_status fpgz_hdf5_begin(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error);
enum fpgz_status fpgz_hdf5_write(void *state, const void *data, size_t length, struct fpgz_error *error);
enum fpgz_status fpgz_hdf5_end(void *state, struct fpgz_error *error);

#endif

/* SPDX-License-Identifier: MIT
 * HDF5 in a build without its library. */
#include "source/hdf5_formats.h"

const char *fpgz_hdf5_version(void)
{
    return NULL;
}

enum fpgz_status fpgz_hdf5_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                    struct fpgz_error *error)
{
    (void)fd, (void)content, (void)error;
    fpgz_fail(remark, FPGZ_UNSUPPORTED, "this fpgz is built without HDF5; it is archived as bytes");
    return FPGZ_OK;
}

enum fpgz_status fpgz_hdf5_dataset(int fd, const char *path, const char *name, bool values,
                                   struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    (void)fd, (void)path, (void)name, (void)values, (void)dataset;
    return fpgz_fail(error, FPGZ_UNSUPPORTED, "this fpgz is built without HDF5: it cannot take a dataset");
}

enum fpgz_status fpgz_hdf5_begin(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error)
{
    (void)what, (void)state;
    return fpgz_fail(error, FPGZ_UNSUPPORTED,
                     "this fpgz is built without HDF5: it cannot write such files; use --to npy or raw");
}

enum fpgz_status fpgz_hdf5_write(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    (void)state, (void)data, (void)length;
    return error->status;
}

enum fpgz_status fpgz_hdf5_end(void *state, struct fpgz_error *error)
{
    (void)state;
    return error->status;
}

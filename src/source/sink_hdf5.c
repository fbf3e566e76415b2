/* SPDX-License-Identifier: MIT
 * An HDF5 file of one dataset. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buffer.h"
#include "core/bytes.h"
#include "source/hdf5.h"
#include "source/hdf5_formats.h"

#define TEXT(number) #number
#define VERSION(major, minor, release) TEXT(major) "." TEXT(minor) "." TEXT(release)

const char *fpgz_hdf5_version(void)
{
    return VERSION(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}

/* A chunk is a range of the array's bytes: its axes before `axis` have extent 1, those behind are whole.
 * The bytes, as they come, fill one chunk after the other. */
struct writer {
    hid_t file, dataset;
    struct fpgz_array array;
    unsigned axis;
    hsize_t rows, start[FPGZ_MAX_DIMS];
    uint64_t row; /* bytes */
    struct fpgz_buffer buffer;
    size_t used;
};

enum { CHUNK_BYTES = 1 << 20 }; /* the default size of the library's cache of chunks, which readers use */

/* Cuts the array into chunks; false for one without values. */
static bool cut(struct writer *w)
{
    w->axis = w->array.dims - 1;
    w->row = fpgz_dtype_size(w->array.dtype);
    for (unsigned d = 0; d < w->array.dims; d++)
        if (!w->array.extent[d])
            return false;
    while (w->axis > 0 && w->row * w->array.extent[w->axis] <= CHUNK_BYTES)
        w->row *= w->array.extent[w->axis--];
    w->rows = fpgz_min(w->array.extent[w->axis], CHUNK_BYTES / w->row);
    return true;
}

/* Creates the dataset, and the groups on the way to it. */
static bool create(struct writer *w, const char *name)
{
    hsize_t extent[FPGZ_MAX_DIMS], chunk[FPGZ_MAX_DIMS];
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), plist = H5Pcreate(H5P_DATASET_CREATE);
    const bool chunked = cut(w);
    for (unsigned d = 0; d < w->array.dims; d++) {
        extent[d] = w->array.extent[d];
        chunk[d] = d < w->axis ? 1 : d > w->axis ? extent[d] : w->rows;
    }
    const hid_t space = H5Screate_simple((int)w->array.dims, extent, NULL);
    const hid_t type = fpgz_hdf5_type_of(w->array.dtype, w->array.order);
    if (H5Pset_create_intermediate_group(links, 1) >= 0 &&
        (!chunked || H5Pset_chunk(plist, (int)w->array.dims, chunk) >= 0) &&
        H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER) >= 0)
        w->dataset = H5Dcreate2(w->file, name, type, space, links, plist, H5P_DEFAULT);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plist);
    H5Pclose(links);
    return w->dataset >= 0;
}

static void close_writer(struct writer *w)
{
    H5Dclose(w->dataset);
    H5Fclose(w->file);
    fpgz_buffer_free(&w->buffer);
    free(w);
}

enum fpgz_status fpgz_hdf5_begin(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error)
{
    const struct fpgz_attributes none = {0};
    char path[40];
    if (fpgz_hdf5_load(error))
        return error->status;
    struct writer *w = calloc(1, sizeof *w);
    if (!w || !fpgz_buffer_reserve(&w->buffer, CHUNK_BYTES)) {
        free(w);
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    }
    w->file = w->dataset = H5I_INVALID_HID;
    w->array = *what->array;
    fpgz_hdf5_quiet();
    snprintf(path, sizeof path, "/proc/self/fd/%d", what->fd);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST); /* allows attributes above 64 KiB */
    if (lseek(what->fd, 0, SEEK_CUR) < 0)
        fpgz_fail(error, FPGZ_USAGE, "HDF5 goes to a file, not to a pipe; use -o FILE, or --to raw");
    else if ((w->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access)) < 0)
        fpgz_hdf5_fail(error, FPGZ_IO, "cannot create an HDF5 file");
    else if (!create(w, *what->name ? what->name : "data"))
        fpgz_hdf5_fail(error, FPGZ_USAGE, "cannot create the dataset");
    else if (!fpgz_hdf5_put_attributes(w->dataset, what->attributes ? what->attributes : &none))
        fpgz_hdf5_fail(error, FPGZ_IO, "cannot write the attributes");
    H5Pclose(access);
    if (error->status)
        close_writer(w);
    else
        *state = w;
    return error->status;
}

/* Writes the chunk in the buffer; the next one begins behind it. */
static enum fpgz_status flush_chunk(struct writer *w, struct fpgz_error *error)
{
    memset(w->buffer.data + w->used, 0, w->rows * w->row - w->used); /* behind the array's edge */
    fpgz_hdf5_quiet();
    if (H5Dwrite_chunk(w->dataset, H5P_DEFAULT, 0, w->start, w->rows * w->row, w->buffer.data) < 0)
        fpgz_hdf5_fail(error, FPGZ_IO, "cannot write the dataset");
    w->start[w->axis] += w->used / w->row;
    for (unsigned d = w->axis; d > 0 && w->start[d] == w->array.extent[d]; d--) {
        w->start[d] = 0;
        w->start[d - 1]++;
    }
    w->used = 0;
    return error->status;
}

enum fpgz_status fpgz_hdf5_write(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    struct writer *w = state;
    while (length && !error->status) {
        const uint64_t rows = fpgz_min(w->rows, w->array.extent[w->axis] - w->start[w->axis]);
        const size_t part = fpgz_min(length, rows * w->row - w->used);
        if (!part)
            return fpgz_fail(error, FPGZ_INTERNAL, "more bytes came than the array has");
        fpgz_copy(w->buffer.data + w->used, data, part);
        w->used += part;
        data = (const uint8_t *)data + part;
        length -= part;
        if (w->used == rows * w->row)
            flush_chunk(w, error);
    }
    return error->status;
}

enum fpgz_status fpgz_hdf5_end(void *state, struct fpgz_error *error)
{
    struct writer *w = state;
    fpgz_hdf5_quiet();
    if (!error->status && H5Fflush(w->file, H5F_SCOPE_GLOBAL) < 0)
        fpgz_hdf5_fail(error, FPGZ_IO, "cannot write the file");
    close_writer(w);
    return error->status;
}

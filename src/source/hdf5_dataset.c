/* SPDX-License-Identifier: MIT
 * One dataset of an HDF5 file as a pipe of values. The library deals with its layout and filters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/text.h"
#include "source/dataset.h"
#include "source/hdf5.h"
#include "source/hdf5_formats.h"
#include "source/helper.h"

/* What is asked for. */
struct request {
    bool values, has_path;
    char text[]; /* the file's path, where it has one, and the dataset's name, each with its zero */
};

enum { NAME_SHOWN = 60 };

/* Datasets of the file, and whether one of them is the one that was asked for. */
struct datasets {
    const char *wanted;
    bool there;
    struct fpgz_dataset_names names;
};

static herr_t add_name(hid_t root, const char *path, const H5O_info_t *info, void *context)
{
    struct datasets *datasets = context;
    (void)root;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    fpgz_dataset_name(&datasets->names, "/", path);
    datasets->there |= !strcmp(path, datasets->wanted + (*datasets->wanted == '/'));
    return 0;
}

/* Records why a dataset cannot be opened. */
static void fail_unopened(hid_t file, const char *name, struct fpgz_error *error)
{
    struct datasets datasets = {.wanted = name};
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add_name, &datasets, H5O_INFO_BASIC);
    if (!datasets.there) {
        fpgz_dataset_absent(&datasets.names, name, error);
        return;
    }
    H5Dopen2(file, name, H5P_DEFAULT); /* for the reason, which is forgotten since */
    fpgz_hdf5_fail(error, FPGZ_CORRUPT, "the HDF5 library cannot read the dataset");
}

/* Bytes that are read at once (a slab, cut along one axis, of which `rows` are taken together), and bytes
 * of the library's cache of chunks. The rest of the memory is for decoding a chunk. */
static uint64_t slab_bytes(void)
{
    return fpgz_helper_allowed() / 11;
}

static size_t cache_bytes(void)
{
    return (size_t)(fpgz_helper_allowed() / 11 * 8);
}

struct slab {
    unsigned rank, axis; /* axes behind `axis` are taken whole, those before it index by index */
    hsize_t extent[H5S_MAX_RANK], rows;
};

/* Plans slabs of whole chunks where those are small enough. No chunk is then decoded twice. */
static void plan(hid_t plist, const struct fpgz_array *array, unsigned rank, size_t value, struct slab *slab)
{
    hsize_t chunk[H5S_MAX_RANK] = {0};
    uint64_t row = value;
    slab->rank = rank;
    for (unsigned d = 0; d < rank; d++)
        slab->extent[d] = array->extent[d];
    slab->axis = rank - 1;
    while (slab->axis > 0 && row * array->extent[slab->axis] <= slab_bytes())
        row *= array->extent[slab->axis--];
    slab->rows = row < slab_bytes() ? slab_bytes() / row : 1;
    if (H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_chunk(plist, H5S_MAX_RANK, chunk) == (int)rank &&
        chunk[slab->axis] < slab->rows)
        slab->rows -= slab->rows % chunk[slab->axis];
    slab->rows = fpgz_min(slab->rows, array->extent[slab->axis]);
}

/* Moves `start` to the next slab; false behind the last. */
static bool next_slab(const struct slab *slab, hsize_t *start, hsize_t *count)
{
    unsigned d = slab->axis;
    start[d] += count[d];
    while (start[d] >= slab->extent[d]) {
        if (!d)
            return false;
        start[d--] = 0;
        start[d]++;
    }
    return true;
}

/* Writes all values to the pipe, little-endian. False when the library cannot read some. When nobody reads
 * the pipe, the process ends. */
static bool send_slabs(hid_t dataset, hid_t type, const struct fpgz_array *array, const struct slab *slab,
                       int fd)
{
    hsize_t start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK], values = 1;
    const hid_t there = H5Dget_space(dataset);
    const size_t value = H5Tget_size(type);
    uint8_t *buffer = NULL;
    bool ok = true;
    do {
        values = 1;
        for (unsigned d = 0; d < slab->rank; d++) {
            count[d] = d < slab->axis   ? 1
                       : d > slab->axis ? slab->extent[d]
                                        : fpgz_min(slab->rows, slab->extent[d] - start[d]);
            values *= count[d];
        }
        const struct fpgz_grid grid = {array->dtype, 1, {values * value / fpgz_dtype_size(array->dtype)}};
        const hid_t here = H5Screate_simple(1, &values, NULL);
        buffer = buffer ? buffer : malloc(values * value); /* the first slab is the largest */
        ok = buffer &&
             (!slab->rank || H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) &&
             H5Dread(dataset, type, here, there, H5P_DEFAULT, buffer) >= 0;
        if (ok && array->order == FPGZ_BIG)
            fpgz_grid_swap(&grid, buffer);
        ok = ok && fpgz_write(fd, buffer, values * value);
        H5Sclose(here);
    } while (ok && slab->rank && next_slab(slab, start, count));
    free(buffer);
    H5Sclose(there);
    return ok;
}

/* False where the type has no fields that could be asked for. */
static bool fail_records(hid_t type, const char *name, struct fpgz_error *error)
{
    struct fpgz_part table = {.fields = 0};
    const hid_t read = fpgz_hdf5_fields(type, &table);
    if (read >= 0)
        fpgz_fail(error, FPGZ_USAGE,
                  "dataset %.*s holds records; choose one of their %zu fields, as in %.*s.%.*s",
                  fpgz_text_fit(name, NAME_SHOWN), name, table.fields, fpgz_text_fit(name, NAME_SHOWN), name,
                  fpgz_text_fit(table.field->name, NAME_SHOWN), table.field->name);
    H5Tclose(read);
    fpgz_part_free(&table);
    return read >= 0;
}

/* Sends what is wanted of the open dataset: values of `type`, which are read as `read`. */
static void send_dataset(hid_t dataset, hid_t type, hid_t read, const char *name, bool values, int fd,
                         struct fpgz_error *error)
{
    const hid_t plist = H5Dget_create_plist(dataset);
    struct fpgz_attributes attributes = {0};
    struct fpgz_array value;
    struct fpgz_attributes_left left = {0};
    struct fpgz_array array;
    struct slab slab = {0};
    char text[60];
    unsigned rank;
    if (!fpgz_hdf5_value(type, &value)) {
        if (fail_records(type, name, error))
            return;
        fpgz_hdf5_type_text(type, text, sizeof text);
        fpgz_fail(error, FPGZ_USAGE, "dataset %.*s holds %s; --dataset takes numbers",
                  fpgz_text_fit(name, NAME_SHOWN), name, text);
        return;
    }
    if (!fpgz_hdf5_shape(dataset, &value, &array, &rank)) {
        fpgz_fail(error, FPGZ_USAGE, "dataset %.*s holds no values", fpgz_text_fit(name, NAME_SHOWN), name);
        return;
    }
    fpgz_hdf5_get_attributes(dataset, &attributes, &left);
    if (rank)
        plan(plist, &array, rank, H5Tget_size(type), &slab);
    if (!fpgz_dataset_tell(fd, &array, &attributes, &left))
        return;
    if (values && !send_slabs(dataset, read, &array, &slab, fd) && !fpgz_hdf5_fail_filtered(plist, error))
        fpgz_hdf5_fail(error, FPGZ_CORRUPT, "the HDF5 library cannot read all values of the dataset");
}

/* Sends what is wanted of a field: its name follows that of the dataset and a dot. False when there is no
 * such dataset and field. */
static bool send_field(hid_t file, hid_t access, const char *name, bool values, int fd,
                       struct fpgz_error *error)
{
    char path[FPGZ_HELPER_MOST];
    const size_t length = (size_t)snprintf(path, sizeof path, "%s", name);
    for (size_t dot = length; dot-- > 0;) {
        if (name[dot] != '.')
            continue;
        path[dot] = '\0';
        const hid_t dataset = H5Dopen2(file, path, access);
        const hid_t record = dataset < 0 ? dataset : H5Dget_type(dataset);
        hid_t type, read = record < 0 ? record : fpgz_hdf5_field(record, name + dot + 1, &type);
        if (read >= 0) {
            send_dataset(dataset, type, read, name, values, fd, error);
            return true;
        }
    }
    return false;
}

/* A child's work. */
static void send_request(const void *context, int file_fd, int fd, struct fpgz_error *error)
{
    const struct request *request = context;
    const char *const path = request->has_path ? request->text : NULL;
    const char *const name = path ? path + strlen(path) + 1 : request->text;
    struct fpgz_hdf5_watch *watch;
    const hid_t file = path ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : fpgz_hdf5_open(file_fd, &watch);
    if (file < 0) {
        fpgz_hdf5_fail(error, FPGZ_CORRUPT, "the HDF5 library cannot read it");
        return;
    }
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 12421, cache_bytes(), 1.0); /* a prime: chunks are hashed to slots */
    const hid_t dataset = H5Dopen2(file, name, access);
    const hid_t type = dataset < 0 ? dataset : H5Dget_type(dataset);
    if (dataset >= 0)
        send_dataset(dataset, type, type, name, request->values, fd, error);
    else if (!send_field(file, access, name, request->values, fd, error))
        fail_unopened(file, name, error);
}

enum fpgz_status fpgz_hdf5_dataset(int fd, const char *path, const char *name, bool values,
                                   struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    const struct fpgz_work work = {
        .reader = "the HDF5 library", .prepare = fpgz_hdf5_prepare, .run = send_request};
    const size_t path_bytes = path ? strlen(path) + 1 : 0, name_bytes = strlen(name) + 1;
    const size_t length = sizeof(struct request) + path_bytes + name_bytes;
    struct request *request = calloc(1, length);
    if (!request)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    request->values = values;
    request->has_path = path;
    if (path)
        fpgz_copy(request->text, path, path_bytes);
    fpgz_copy(request->text + path_bytes, name, name_bytes);
    fpgz_helper_ask(&work, request, length, fd, &dataset->fd, error);
    free(request);
    if (error->status || fpgz_dataset_hear(dataset))
        return error->status;
    if (!fpgz_dataset_close(dataset, error))
        fpgz_fail(error, FPGZ_CORRUPT, "the HDF5 library did not finish reading it");
    return error->status;
}

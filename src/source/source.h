/* SPDX-License-Identifier: MIT
 * Formats of files that hold arrays among other things: a format is one file, and one line of the table in
 * source.c. What none of them knows is a raw grid (raw.h). */
#ifndef FPGZ_SOURCE_SOURCE_H
#define FPGZ_SOURCE_SOURCE_H

#include "core/content.h"
#include "core/status.h"
#include "source/attributes.h"

/* A grid on its way out of a file, as fpgz_dataset_open() leaves it. */
struct fpgz_dataset {
    struct fpgz_array array; /* f32 or f64, little-endian, all extents known */
    struct fpgz_attributes attributes;
    struct fpgz_attributes_left left; /* attributes that are not among these */
    int fd;                           /* a pipe that brings the values of the array, in row-major order */
};

struct fpgz_source {
    const char *name; /* "HDF5" */
    enum fpgz_kind kind;
    /* Whether the `size` bytes of the regular file begin as the format does. */
    bool (*probe)(int fd, uint64_t size);
    /* fpgz_source_describe(); the content is all zeros but for kind and size. */
    enum fpgz_status (*describe)(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                 struct fpgz_error *error);
    /* fpgz_dataset_open(); NULL where a file has no more than one array. */
    enum fpgz_status (*open)(int fd, const char *path, const char *name, bool values,
                             struct fpgz_dataset *dataset, struct fpgz_error *error);
};

/* Starts the process that reads HDF5 files for this one (helper.h), unless it runs or this build has no use
 * for it: without it they are files of bytes. To be called before there are threads, for it forks. FPGZ_IO or
 * FPGZ_MEMORY when it cannot be started. */
enum fpgz_status fpgz_source_start(struct fpgz_error *error);

/* Ends it, if it runs; it ends by itself when this process does. */
void fpgz_source_stop(void);

/* The format of the regular file of `size` bytes; NULL: a raw grid. */
const struct fpgz_source *fpgz_source_probe(int fd, uint64_t size);

/* Finds all arrays of the file. The content is complete: its places cover the file, and what could not be
 * understood is in its FPGZ_BYTES part. `remark` tells what that is in words: FPGZ_CORRUPT where the file is
 * damaged, FPGZ_UNSUPPORTED where this build cannot look into it, FPGZ_OK (and no text) where all is well.
 * Fails only without memory. */
enum fpgz_status fpgz_source_describe(const struct fpgz_source *source, int fd, uint64_t size,
                                      struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error);

/* Opens the one dataset of that name (an HDF5 path): its array, its attributes and, where `values` says so, a
 * pipe that brings its values whatever their layout and filters are; otherwise the pipe is empty. `path` is
 * the file's, by which a dataset may reach other files; NULL where it has none. FPGZ_USAGE for a name that is
 * not there or values that are no floats, FPGZ_CORRUPT for a file or dataset that cannot be read,
 * FPGZ_UNSUPPORTED without the HDF5 library; FPGZ_IO. One at a time. */
enum fpgz_status fpgz_dataset_open(const struct fpgz_source *source, int fd, const char *path,
                                   const char *name, bool values, struct fpgz_dataset *dataset,
                                   struct fpgz_error *error);

/* Ends the reading of the pipe, and frees what the dataset holds. To be called after every successful
 * fpgz_dataset_open(); FPGZ_CORRUPT, with the library's reason, when the values could not all be read: the
 * pipe then ended early. A pipe that was not read to its end is no error. */
enum fpgz_status fpgz_dataset_close(struct fpgz_dataset *dataset, struct fpgz_error *error);

#endif

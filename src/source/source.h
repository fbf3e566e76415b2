/* SPDX-License-Identifier: MIT
 * Formats of files that hold arrays among other things: a format is one file, and one line of the table in
 * formats.c (README.md has the checklist). A file of none of these formats is a raw grid (raw.h). */
#ifndef FPGZ_SOURCE_SOURCE_H
#define FPGZ_SOURCE_SOURCE_H

#include <stdbool.h>

#include "core/content.h"
#include "core/status.h"
#include "source/attributes.h"

struct fpgz_source;

/* A grid that is being read from a file, as fpgz_dataset_open() returns it. */
struct fpgz_dataset {
    const struct fpgz_source *source;
    struct fpgz_array array; /* little-endian, all extents known */
    struct fpgz_attributes attributes;
    struct fpgz_attributes_left left; /* attributes that could not be taken */
    int fd;                           /* to read the array's values from, in row-major order: mostly a pipe */
};

/* The row of a format. NULL or false: the format does not have that. */
struct fpgz_source {
    const char *name;    /* as -l, --json and --format call it */
    const char *summary; /* what becomes arrays, for --formats */
    /* In containers (fpgz.5): above FPGZ_KIND_RAW, and never another format's. */
    uint8_t kind;
    /* Files hold attributes of arrays, which open() finds. */
    bool attributes;
    /* Whether the `size` bytes of the regular file begin as the format does. */
    bool (*probe)(int fd, uint64_t size);
    /* Starts the process that reads such files for this one (helper.h), unless it runs. To be called
     * before there are threads, since it forks. */
    enum fpgz_status (*start)(struct fpgz_error *error);
    /* fpgz_source_describe(); the content is all zeros but for kind and size. */
    enum fpgz_status (*describe)(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                 struct fpgz_error *error);
    /* For fpgz_stored_open(): the attributes of the array of that name, which the file of `size` bytes has.
     * False without memory. */
    bool (*attributes_of)(int fd, uint64_t size, const char *name, struct fpgz_attributes *attributes,
                          struct fpgz_attributes_left *left);
    /* fpgz_dataset_open(); the dataset is all zeros but for the source. */
    enum fpgz_status (*open)(int fd, const char *path, const char *name, bool values,
                             struct fpgz_dataset *dataset, struct fpgz_error *error);
    /* Closes dataset->fd: fpgz_dataset_close(). Where there is open(). */
    enum fpgz_status (*close)(struct fpgz_dataset *dataset, struct fpgz_error *error);
};

/* Finds all arrays of the file. The content is complete: its places cover the file, and its FPGZ_BYTES
 * part holds what was not understood. `remark` says why in words: FPGZ_CORRUPT where the file is damaged,
 * FPGZ_UNSUPPORTED where this build cannot read it. It is FPGZ_OK, without text, where all is well. Fails
 * only without memory. */
enum fpgz_status fpgz_source_describe(const struct fpgz_source *source, int fd, uint64_t size,
                                      struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error);

/* Opens the dataset of that name: its array, its attributes and, with `values`, a pipe that brings its
 * values whatever their layout and filters are. Without `values` the pipe is empty. `path` is the file's,
 * through which a dataset may refer to other files; NULL where it has none. FPGZ_USAGE for a format (or NULL)
 * without datasets, an unknown name, or values that are no numbers. FPGZ_CORRUPT for a file or dataset that
 * cannot be read. FPGZ_UNSUPPORTED where this build lacks something for it. FPGZ_IO. One at a time. */
enum fpgz_status fpgz_dataset_open(const struct fpgz_source *source, int fd, const char *path,
                                   const char *name, bool values, struct fpgz_dataset *dataset,
                                   struct fpgz_error *error);

/* Closes the pipe and frees the dataset. To be called after every successful fpgz_dataset_open().
 * FPGZ_CORRUPT, with the reason, when not all values could be read: the pipe then ended early. Closing the
 * pipe before its end is no error. */
enum fpgz_status fpgz_dataset_close(struct fpgz_dataset *dataset, struct fpgz_error *error);

#endif

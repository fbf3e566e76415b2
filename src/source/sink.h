/* SPDX-License-Identifier: MIT
 * Formats that one array can be written in: a format is one file, and one line of the table in
 * formats.c (README.md has the checklist). */
#ifndef FPGZ_SOURCE_SINK_H
#define FPGZ_SOURCE_SINK_H

#include "core/status.h"
#include "source/attributes.h"

/* What to write. The caller owns all of it, and keeps it until end(). */
struct fpgz_sink_array {
    int fd;                                   /* open for writing, at its beginning */
    const char *name;                         /* of the dataset ("/group/temperature"); may be empty */
    const struct fpgz_array *array;           /* extents known, or 0 where a region is empty */
    const struct fpgz_attributes *attributes; /* NULL: none */
};

struct fpgz_sink {
    const char *name;        /* as --to takes it */
    const char *suffixes[3]; /* of files of the format, with their dot */
    bool attributes;         /* it keeps the array's attributes */
    /* Begins a file: *state is for write() and end(), and end() frees it. FPGZ_UNSUPPORTED when this build
     * cannot write the format. FPGZ_USAGE when the format needs a seekable file and `fd` is none, or cannot
     * take such an array. After a failure there is nothing to end(). */
    enum fpgz_status (*begin)(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error);
    /* Writes the next bytes of the array: row-major, in the array's byte order, any number at a time. */
    enum fpgz_status (*write)(void *state, const void *data, size_t length, struct fpgz_error *error);
    /* Completes the file after all bytes of the array were written. Always frees the state. If writing
     * failed, `error` holds that already. */
    enum fpgz_status (*end)(void *state, struct fpgz_error *error);
};

/* Writes nothing but the values. Other formats use it to write theirs. */
extern const struct fpgz_sink fpgz_sink_raw;

#endif

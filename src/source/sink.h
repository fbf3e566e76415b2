/* SPDX-License-Identifier: MIT
 * Formats that one array can be written in: a format is one file, and one line of the table in
 * formats.c (README.md has the checklist). */
#ifndef FPGZ_SOURCE_SINK_H
#define FPGZ_SOURCE_SINK_H

#include "core/status.h"
#include "source/attributes.h"

/* What is to be written. All of it stays the caller's, and stays there until end(). */
struct fpgz_sink_array {
    int fd;                                   /* open for writing, at its beginning */
    const char *name;                         /* of the dataset ("/group/temperature"); may be empty */
    const struct fpgz_array *array;           /* extents known, or 0 where a region is empty */
    const struct fpgz_attributes *attributes; /* NULL: none */
};

struct fpgz_sink {
    const char *name;        /* as --to takes it */
    const char *suffixes[3]; /* of files of the format, with their dot */
    bool attributes;         /* it keeps those of the array */
    /* Begins a file: *state goes to the others, and is the caller's to end(). FPGZ_UNSUPPORTED when this
     * build cannot write the format, FPGZ_USAGE when it needs a file that can be sought and `fd` is none, or
     * cannot take such an array. Nothing is left to end() after a failure. */
    enum fpgz_status (*begin)(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error);
    /* Writes the next bytes of the array: row-major, in the array's byte order, in pieces of any length. */
    enum fpgz_status (*write)(void *state, const void *data, size_t length, struct fpgz_error *error);
    /* Completes the file, once all bytes of the array were written; frees the state in any case. After a
     * failure, `error` holds it already. */
    enum fpgz_status (*end)(void *state, struct fpgz_error *error);
};

/* Nothing but the values: what other formats write them by. */
extern const struct fpgz_sink fpgz_sink_raw;

#endif

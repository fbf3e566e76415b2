/* SPDX-License-Identifier: MIT
 * A line of a manifest (fpgz.1, MANIFESTS): what became of one file. */
#ifndef FPGZ_BATCH_RECORD_H
#define FPGZ_BATCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "core/status.h"

#define RECORD_TORN "#torn\n" /* what ends a line that a run left without its end */

enum { MANIFEST_CODECS = 32 }; /* above all ids of the table */

/* The highest sequence number: all JSON readers know whole numbers up to it. */
#define RECORD_LAST ((UINT64_C(1) << 53) - 1)

/* Mode and time of a file or folder. */
struct file_times {
    uint32_t mode; /* permission bits */
    struct timespec mtime;
};

struct record {
    char *source; /* paths as they were given */
    uint64_t size;
    struct file_times times;
    struct file_times *folders; /* of those above the source, the nearest first */
    size_t folder_count;
    char *container;
    uint64_t stored;        /* the container's bytes */
    uint64_t sum;           /* XXH3-64 of the source ... */
    uint64_t restored_sum;  /* ... and of what the container restores: another one if a codec was lossy */
    const uint64_t *chunks; /* by codec id, MANIFEST_CODECS of them; only written */
    double seconds;         /* that it took */
    double finished;        /* when, in seconds since 1970 */
    uint64_t sequence;      /* of the lines about a source the highest counts; 0: fpgz 0.1 wrote the line */
    size_t read;            /* its place among all that were read */
    enum fpgz_status status;
    char *error; /* what went wrong, if `status` says so: no field from `stored` to `chunks` counts then */
};

/* The line of a record, with its check and its end; the caller frees it. NULL without memory. */
char *record_line(const struct record *record, size_t *length);

/* Reads a line of `length` bytes, its end included. NULL, or why it is no record. The caller frees what is in
 * *record either way. */
const char *record_read(const char *line, size_t length, struct record *record);

/* Whether a source has the size and time that it had when it was archived. */
bool record_is_of(const struct record *record, const struct stat *source);

void record_free(struct record *record);

#endif

/* SPDX-License-Identifier: MIT
 * Manifests of archives: a JSON object a line for each file (fpgz.1, MANIFESTS). A manifest M is the file M
 * and the files M.K-of-N beside it, which the shards of a run write. */
#ifndef FPGZ_CLI_BATCH_MANIFEST_H
#define FPGZ_CLI_BATCH_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/status.h"

enum { MANIFEST_CODECS = 32 }; /* above all ids of the table */

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
    enum fpgz_status status;
    char *error; /* what went wrong, if `status` says so: no field from `stored` to `chunks` counts then */
};

struct manifest {
    struct record *record; /* one a source, in the order of their paths, the last good one if there is any */
    size_t count, capacity;
};

/* Whether a file called `name` may be part of the manifest `path`, in the same folder. */
bool manifest_owns(const char *path, const char *name);

/* Adds the records of the manifest at `path`, of all its files, to those that are there. A last line without
 * its end, which a crash leaves, is ignored; a line that is no record costs a warning. FPGZ_IO when there is
 * such a file but cannot be read; *files receives how many there were. */
enum fpgz_status manifest_load(struct manifest *manifest, const char *path, unsigned *files,
                               struct fpgz_error *error);

/* Once all is loaded: leaves one record a source. A good one has `error` set if a later try failed. */
void manifest_settle(struct manifest *manifest);

const struct record *manifest_find(const struct manifest *manifest, const char *source);

void manifest_free(struct manifest *manifest);

/* The line of a record, its end included; the caller frees it. NULL without memory. */
char *manifest_line(const struct record *record, size_t *length);

/* The file that this run appends to: each line is one write(2). */
struct journal {
    char *path;
    int fd;
    uint64_t length;
};

/* Opens or creates the file of a shard (shards > 1) or of a whole run, waits a little until no other run has
 * it, and cuts off what a crash left of a line. */
enum fpgz_status journal_open(struct journal *journal, const char *manifest, unsigned shard, unsigned shards,
                              struct fpgz_error *error);

/* After a failure the file is as before. */
enum fpgz_status journal_append(struct journal *journal, const struct record *record,
                                struct fpgz_error *error);
enum fpgz_status journal_sync(struct journal *journal, struct fpgz_error *error);
void journal_close(struct journal *journal);

#endif

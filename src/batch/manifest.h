/* SPDX-License-Identifier: MIT
 * Manifests of archives: a JSON object a line for each file (fpgz.1, MANIFESTS). A manifest M is the file M
 * and the files M.K-of-N beside it, which the shards of a run write. */
#ifndef FPGZ_BATCH_MANIFEST_H
#define FPGZ_BATCH_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch/record.h"
#include "console/message.h"

struct manifest {
    struct console *console; /* is told of lines that do not count */
    struct record *record; /* one a source, in the order of their paths, the last good one if there is any */
    size_t count, capacity;
    uint64_t sequence; /* the highest of all lines */
};

/* Whether a file called `name` may be part of the manifest `path`, in the same folder. */
bool manifest_owns(const char *path, const char *name);

/* Adds the records of the manifest at `path`, of all its files, to those that are there. A last line without
 * its end, which a crash leaves, is ignored with a notice; a line that is no record, or is not as it was
 * written, costs a warning. FPGZ_IO when there is such a file but cannot be read; *files receives how many
 * there were. */
enum fpgz_status manifest_load(struct manifest *manifest, const char *path, unsigned *files,
                               struct fpgz_error *error);

/* Once all is loaded: leaves one record a source, by sequence, then by when it was finished, then by the
 * order of reading. A good one has `error` set if a later try failed. */
void manifest_settle(struct manifest *manifest);

const struct record *manifest_find(const struct manifest *manifest, const char *source);

void manifest_free(struct manifest *manifest);

/* The file that this run appends to: each line is one write(2). Nothing that is there is ever changed. */
struct journal {
    struct console *console; /* is told of a line without its end, and of locks that are not there */
    char *path;
    int fd;
    uint64_t sequence; /* of the line that was written last */
};

/* Opens or creates the file of a shard (shards > 1) or of a whole run, waits a little until no other run has
 * it, and ends what a crash left of a line. */
enum fpgz_status journal_open(struct journal *journal, struct console *console, const char *manifest,
                              unsigned shard, unsigned shards, struct fpgz_error *error);

/* Gives the record the next sequence number, and appends it. After a failure a part of the line may be there,
 * which the next journal_open() or journal_append(), of whichever run, ends. */
enum fpgz_status journal_append(struct journal *journal, const struct record *record,
                                struct fpgz_error *error);
enum fpgz_status journal_sync(struct journal *journal, struct fpgz_error *error);
void journal_close(struct journal *journal);

#endif

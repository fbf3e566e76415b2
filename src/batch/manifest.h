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

#endif

/* SPDX-License-Identifier: MIT
 * What archiving, checking and restoring have in common: tasks, one a file, and what became of them. */
#ifndef FPGZ_BATCH_TASK_H
#define FPGZ_BATCH_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "archive/verify.h"
#include "batch/journal.h"
#include "batch/manifest.h"
#include "batch/request.h"
#include "batch/shard.h"
#include "files/beneath.h"
#include "files/removal.h"
#include "files/walk.h"

struct task {
    char *source, *container;
    uint64_t size;
    const struct record *known; /* of the manifest, or NULL */

    /* For archiving: */
    struct stat stat;
    const struct walk_folder *folder;
    bool replace; /* the container that is there was made by an earlier run */
    bool confirm; /* ... of this very source, which is to be removed */
    bool surplus; /* not to be done */

    /* For restoring: */
    const struct beneath *root; /* the folder to restore into, */
    const char *target;         /* and the path below it */
};

/* What a process tells of its task. */
struct outcome {
    struct fpgz_error error;
    int code;   /* of message.h */
    bool taken; /* restored: had been there already; archived: the container had been there already */
    bool told;  /* ... and the manifest tells of it */
    double seconds;
    struct proof proof;            /* of the source */
    struct fpgz_verified restored; /* what the container restores */
    uint64_t stored, chunks[MANIFEST_CODECS];
};

struct batch {
    const struct batch_request *request;
    const struct batch_means *means;
    struct shard shard;
    struct manifest manifest;
    struct task *task;
    size_t count, capacity;
    unsigned processes; /* that do tasks, at most */

    /* Does a task in a process of its own, by its setup; what goes wrong is reported there, or put into
     * outcome->error. */
    void (*work)(const struct batch *batch, const struct task *task, const struct fpgz_terms *terms,
                 struct outcome *outcome);
    /* Takes note of what became of it, with all failures reported; false when that cannot be done. */
    bool (*note)(struct batch *batch, struct task *task, const struct outcome *outcome);
    /* After some notes. */
    bool (*flush)(struct batch *batch);

    /* After that, in the task's process: what needed the flush; or NULL. */
    void (*settle)(const struct batch *batch, const struct task *task, const struct outcome *outcome);

    struct journal journal; /* for archiving */
    bool noted;             /* something, since the last flush() */
    size_t done, taken, failed;
    uint64_t raw, stored;
};

/* Appends a task, whose strings are the batch's from then on. */
struct task *task_add(struct batch *batch, const struct task *task);

/* Runs all tasks, the largest first. */
void tasks_run(struct batch *batch);

/* Archives what the options name, or checks or restores what their manifests hold. False, with the reason
 * reported, when that could not be begun. */
bool archive_run(struct batch *batch);
bool restore_run(struct batch *batch);

/* XXH3-64 and length of a file. */
enum fpgz_status path_digest(const char *path, struct fpgz_verified *digest, struct fpgz_error *error);

/* The path without what leads out of the current folder: from behind leading slashes and the last "..". */
const char *path_below(const char *path);

#endif

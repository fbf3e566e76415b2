/* SPDX-License-Identifier: MIT
 * What a batch is to do, and what the command gives it for that. */
#ifndef FPGZ_BATCH_REQUEST_H
#define FPGZ_BATCH_REQUEST_H

#include "archive/setup.h"
#include "batch/shard.h"
#include "console/message.h"
#include "files/removal.h"
#include "files/walk.h"

/* The task: to archive, or else to check or to restore. */
struct batch_request {
    const char *manifest; /* to check or restore: one more beside those of the selection, or NULL */
    bool check, restore;
    struct shard shard; /* of 0 shards: the environment tells which one this is */
};

/* A file to compress. */
struct batch_file {
    const char *source, *container;
    bool replaces; /* a container that is there */
    const struct fpgz_terms *terms;
};

struct batch_means {
    struct console *console;
    const struct fpgz_terms *terms;    /* the files at work share its threads and memory */
    const struct selection *selection; /* the files to archive, or the manifests to read */
    const char *suffix;                /* of containers */
    const char *output; /* the folder to write to; NULL: beside the sources, or the current folder */
    bool replaces;      /* files that are there */
    bool removes;       /* each source, once it is archived */
    bool has_gpu;       /* the device that is lent is one */
    /* Compresses a file, syncs and verifies its container. *proof receives what shows that the source is no
     * longer needed, *restored what the container restores. False when there is no container; the reason is
     * reported then. */
    bool (*compress)(const void *context, const struct batch_file *file, struct proof *proof,
                     struct fpgz_verified *restored);
    /* In a process that has all threads for a file: gives its terms the device, which is opened with the
     * first of these. At the end of the process: tells of it. */
    void (*lend_device)(void *context, struct fpgz_terms *terms);
    void (*end_device)(void *context);
    void *context;
};

#endif

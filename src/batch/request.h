/* SPDX-License-Identifier: MIT
 * What a batch is asked for, and what it is given to do it with. */
#ifndef FPGZ_BATCH_REQUEST_H
#define FPGZ_BATCH_REQUEST_H

#include "archive/setup.h"
#include "batch/shard.h"
#include "console/message.h"
#include "files/removal.h"
#include "files/walk.h"

/* What fpgz batch is to do: to archive or, if one of these is true, to check or to restore. */
struct batch_request {
    const char *manifest; /* when checking or restoring, one beside the selection; or NULL */
    bool check, restore;
    struct shard shard; /* of 0: what the environment says */
};

/* A file to archive. */
struct batch_file {
    const char *source, *container;
    bool replaces; /* the container may be there */
    const struct fpgz_setup *setup;
};

/* With what it is done. */
struct batch_means {
    struct console *console;
    const struct fpgz_setup *setup;    /* its threads and memory are shared by the files at work */
    const struct selection *selection; /* what to archive, or manifests */
    const char *suffix;                /* of containers */
    const char *output; /* the folder to write to; NULL: beside the sources, or the current one */
    bool replaces;      /* what is there already */
    bool removes;       /* sources, once they are archived */
    /* Compresses a file to its container, verified and synced, and tells what shows that the source is not
     * needed, and what the container restores. False, with the reason reported, when there is no container.
     */
    bool (*compress)(const void *context, const struct batch_file *file, struct proof *proof,
                     struct fpgz_verified *restored);
    const void *context;
};

#endif

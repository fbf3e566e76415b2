/* SPDX-License-Identifier: MIT
 * Which part of the files a run takes, so that independent runs cover everything once. */
#ifndef FPGZ_BATCH_SHARD_H
#define FPGZ_BATCH_SHARD_H

#include <stdbool.h>

#include "core/status.h"

struct shard {
    unsigned index, count; /* index < count */
    const char *origin;    /* "--shard" or the variable that told */
};

/* Reads "K/N", with K from 0 to N: N is another name for 0, so that counting from 0 and from 1 both do. */
bool shard_parse(const char *text, struct shard *shard);

/* What the batch system's variables say; one shard of one where there are none. FPGZ_USAGE when they say
 * nothing sensible. */
enum fpgz_status shard_from_environment(struct shard *shard, struct fpgz_error *error);

/* Whether the shard takes a file: by a hash of its path that never changes. */
bool shard_takes(const struct shard *shard, const char *path);

#endif

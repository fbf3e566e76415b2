/* SPDX-License-Identifier: MIT
 * Files as the command writes and completes them: under a temporary name until all is there and synced. */
#ifndef FPGZ_CLI_OUTPUT_H
#define FPGZ_CLI_OUTPUT_H

#include <time.h>

#include "cli/input.h"
#include "container/format.h"

/* What a completed output gets from its source. */
struct metadata {
    bool has_mode, has_mtime;
    mode_t mode;
    struct timespec mtime;
    bool has_owner;
    uid_t owner;
    gid_t group;
};

/* What a file section says of it; owners are not there. */
struct metadata metadata_of(const struct fpgz_file_head *file);

struct output {
    const char *path; /* NULL: standard output */
    const char *name; /* for messages */
    int fd;
    bool replace;    /* an existing file may be replaced */
    bool synced;     /* a regular file, written, with its metadata */
    bool complete;   /* ... and named */
    char *temporary; /* beside the target; NULL where bytes go straight to a pipe or device */
};

/* Opens `path`, or standard output for NULL. A regular file is written under a temporary name beside it until
 * output_commit(). FPGZ_EXISTS when it is there and may not be replaced, or is the input itself. */
enum fpgz_status output_open(struct output *output, const char *path, bool replace, const struct input *input,
                             struct fpgz_error *error);

/* Gives the output its metadata and syncs it. */
enum fpgz_status output_sync(struct output *output, const struct metadata *metadata,
                             struct fpgz_error *error);

/* The same, where that was not done yet; then gives it its name, and syncs that. */
enum fpgz_status output_commit(struct output *output, const struct metadata *metadata,
                               struct fpgz_error *error);

/* Closes and removes what was written and not committed. Harmless after output_commit(). */
void output_discard(struct output *output);

#endif

/* SPDX-License-Identifier: MIT
 * Which files the command line means: operands, lists of names, and the folders below them. */
#ifndef FPGZ_CLI_WALK_H
#define FPGZ_CLI_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "cli/options.h"

/* A folder that was entered; `parent` is NULL for one that the command line names. */
struct walk_folder {
    const struct walk_folder *parent;
    struct walk_folder *older; /* of all that were entered */
    struct stat stat;
};

struct walk {
    const struct options *options;
    bool recursive;
    /* Called for each file, in the order of the command line and by name within a folder. `path` is the
     * callee's to free; `stat` is NULL for "-" and for what cannot be looked at, whose opening will tell why;
     * `folder` is NULL for what is named itself. */
    void (*file)(void *context, char *path, const struct stat *stat, const struct walk_folder *folder);
    void *context;
    struct walk_folder *folders; /* set by walk_run(), freed by walk_free() */
    uint64_t seen;               /* operands and names in lists */
};

/* Passes over, with a warning: folders and lists that cannot be read, and what is no regular file or would
 * not be there any more after --rm (symbolic links, files with several names, modes that no output gets),
 * where the options do not ask for it. Passes over quietly: what --exclude matches and, within folders, what
 * is no regular file, temporary outputs, containers when compressing, and all but them otherwise. */
void walk_run(struct walk *walk);
void walk_free(struct walk *walk);

/* Puts the files in place of the options' operands; true when there is something to do, be it with standard
 * input. files_release() frees them. */
bool files_gather(struct options *options);
void files_release(struct options *options);

#endif

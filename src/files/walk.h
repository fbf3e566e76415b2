/* SPDX-License-Identifier: MIT
 * Which files the command line means: operands, lists of names, and the folders below them. */
#ifndef FPGZ_FILES_WALK_H
#define FPGZ_FILES_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "console/message.h"
#include "files/name.h"

/* What a command line names. */
struct selection {
    char **files; /* operands; none means standard input */
    int file_count;
    struct name_list lists;   /* files that hold names */
    bool null_separated;      /* each of these names ends in a NUL; else it is a line */
    bool recursive;           /* the files below a folder are meant, too */
    struct name_list exclude; /* patterns of what is left out */
};

/* A folder that was entered; `parent` is NULL for one that the command line names. */
struct walk_folder {
    const struct walk_folder *parent;
    struct walk_folder *older; /* of all that were entered */
    struct stat stat;
};

struct walk {
    struct console *console;
    const struct selection *selection;
    const char *suffix; /* of containers, beside .fpgz */
    bool recursive;
    bool containers; /* within folders these are meant; else all but these */
    bool special;    /* pipes and devices that are named are taken, too */
    bool removes;    /* sources are removed afterwards: what a replacement could not stand for is not taken */
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
 * where the walk does not take it. Passes over quietly: what is excluded and, within folders, what is no
 * regular file, temporary outputs, and containers, or all but them. */
void walk_run(struct walk *walk);
void walk_free(struct walk *walk);

#endif

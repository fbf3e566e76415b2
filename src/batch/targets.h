/* SPDX-License-Identifier: MIT
 * Where the files of manifests are restored, and whether any two would meet there. */
#ifndef FPGZ_BATCH_TARGETS_H
#define FPGZ_BATCH_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/manifest.h"

struct target {
    const struct record *record;
    char *path; /* below the folder to restore into: plain names, a slash between two */
};

struct targets {
    struct console *console; /* is told what is wrong with them */
    struct target *target;   /* in the order of targets_meet() */
    size_t count;
};

/* The targets of all files that the manifest has containers of, below a folder that was given, or the current
 * one. False, with each reported, when there are files that would leave that or have no name. */
bool targets_find(struct targets *targets, struct console *console, const struct manifest *manifest,
                  bool folder_given);

/* How many targets are those of another file, too, or lie below one; each is reported. With `fold` such as
 * differ by the case of letters alone do too. */
size_t targets_meet(struct targets *targets, bool fold);

void targets_free(struct targets *targets);

/* Order of paths: what lies below one comes right behind it, and with `fold` case does not count (fpgz.1,
 * --restore). 0 for equal ones; *below tells whether `b` is one of those below `a`. */
int path_compare(const char *a, const char *b, bool fold, bool *below);

#endif

/* SPDX-License-Identifier: MIT
 * Marks: the names of temporary files, which say who writes them. */
#ifndef FPGZ_CORE_MARK_H
#define FPGZ_CORE_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process: its number, and the numbers of the host's boot and of the PID namespace that give this number
 * its meaning. These are 0 where /proc is missing and they are unknown. */
struct fpgz_mark {
    uint64_t host;
    pid_t pid;
    uint64_t start; /* of the process, in clock ticks since the host started */
};

/* Room for a name with its NUL. File systems allow 255 bytes. */
enum { FPGZ_MARK_BYTES = 80 };

/* The mark of this process. Its host is 0 where that cannot be found out. */
struct fpgz_mark fpgz_mark_own(void);

/* The name of a temporary file, which ends in XXXXXX for mkstemp(3). */
void fpgz_mark_name(const struct fpgz_mark *mark, char name[FPGZ_MARK_BYTES]);

/* For "dir/name": "dir/" and a marked name (mark.h) that ends in XXXXXX; the caller frees it. NULL without
 * memory. */
char *fpgz_mark_beside(const char *path);

/* Reads the mark in the last component of a path. False where that is not the name of a temporary file. */
bool fpgz_mark_parse(const char *path, struct fpgz_mark *mark);

/* Whether the process has certainly ended: `own` is of the same host, and the number belongs to no process
 * or to a later one. */
bool fpgz_mark_gone(const struct fpgz_mark *mark, const struct fpgz_mark *own);

#endif

/* SPDX-License-Identifier: MIT
 * Marks: the names of temporary files, which say who writes them. */
#ifndef FPGZ_CORE_MARK_H
#define FPGZ_CORE_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process. What knows pids of its own (a host since it was started, a PID namespace in it) has a number of
 * its own too; 0 where it is not known, for /proc is missing. */
struct fpgz_mark {
    uint64_t host;
    pid_t pid;
    uint64_t start; /* of the process, in clock ticks since the host's */
};

/* Room for a name with its NUL: file systems take 255 bytes. */
enum { FPGZ_MARK_BYTES = 80 };

/* The mark of this process; of a host of 0 where that cannot be found out. */
struct fpgz_mark fpgz_mark_own(void);

/* The name of a temporary file, which ends in XXXXXX for mkstemp(3). */
void fpgz_mark_name(const struct fpgz_mark *mark, char name[FPGZ_MARK_BYTES]);

/* For "dir/name": "dir/" and a marked name (mark.h) that ends in XXXXXX; the caller frees it. NULL without
 * memory. */
char *fpgz_mark_beside(const char *path);

/* Reads the mark in the last component of a path. False where that is no name of a temporary file. */
bool fpgz_mark_parse(const char *path, struct fpgz_mark *mark);

/* Whether the process is certainly gone: `own` tells of the same host, and there is no such process, or it is
 * another one of that number. */
bool fpgz_mark_gone(const struct fpgz_mark *mark, const struct fpgz_mark *own);

#endif

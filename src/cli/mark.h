/* SPDX-License-Identifier: MIT
 * Marks: the names of temporary files, which say who writes them. */
#ifndef FPGZ_CLI_MARK_H
#define FPGZ_CLI_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process. What knows pids of its own (a host since it was started, a PID namespace in it) has a number of
 * its own too; 0 where it is not known, for /proc is missing. */
struct mark {
    uint64_t host;
    pid_t pid;
    uint64_t start; /* of the process, in clock ticks since the host's */
};

/* Room for a name with its NUL: file systems take 255 bytes. */
enum { MARK_BYTES = 80 };

/* The mark of this process; of a host of 0 where that cannot be found out. */
struct mark mark_own(void);

/* The name of a temporary file, which ends in XXXXXX for mkstemp(3). */
void mark_name(const struct mark *mark, char name[MARK_BYTES]);

/* Reads the mark in the last component of a path. False where that is no name of a temporary file. */
bool mark_parse(const char *path, struct mark *mark);

/* Whether the process is certainly gone: `own` tells of the same host, and there is no such process, or it is
 * another one of that number. */
bool mark_gone(const struct mark *mark, const struct mark *own);

#endif

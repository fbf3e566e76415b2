/* SPDX-License-Identifier: MIT
 * A process that reads a file for us through a library which damaged files may crash, or make loop or take
 * all memory. What it finds comes through a pipe. */
#ifndef FPGZ_SOURCE_CHILD_H
#define FPGZ_SOURCE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/status.h"

struct fpgz_child {
    pid_t pid;
    int fd;                   /* what it writes */
    struct fpgz_error *error; /* memory that both share: its first failure */
};

/* What a child may take; 0: as much as we. */
struct fpgz_child_limits {
    uint64_t seconds; /* of CPU time */
    uint64_t bytes;   /* of memory, beyond what we have */
};

/* Bytes of memory that children started from now on plan with: FPGZ_CHILD_MEMORY at most, which is what they
 * have at first. */
enum { FPGZ_CHILD_MEMORY = 352 << 20 };
void fpgz_child_allow(uint64_t bytes);
uint64_t fpgz_child_allowed(void);

/* Starts a child that calls work(context, fd, error), with a pipe in `fd`, and ends. It prints nothing, and
 * ends with us. FPGZ_IO or FPGZ_MEMORY when none can be started. */
enum fpgz_status fpgz_child_start(void (*work)(const void *context, int fd, struct fpgz_error *error),
                                  const void *context, const struct fpgz_child_limits *limits,
                                  struct fpgz_child *child, struct fpgz_error *error);

/* Closes the pipe and waits for the child's end. Returns what it recorded in its error, or FPGZ_CORRUPT when
 * it came to no end of its own; but FPGZ_OK when it ended since nobody read on. */
enum fpgz_status fpgz_child_end(struct fpgz_child *child, struct fpgz_error *error);

#endif

/* SPDX-License-Identifier: MIT
 * A child process of the helper. It may crash, loop or use up its memory without harm. */
#ifndef FPGZ_SOURCE_CHILD_H
#define FPGZ_SOURCE_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "core/status.h"

/* What a child of the helper is to do with a file. */
struct fpgz_work {
    const char *reader; /* what reads the file, for messages: "the HDF5 library" */
    /* Called in the helper before each child is started; what it loads stays in the helper. NULL: nothing
     * is loaded. */
    enum fpgz_status (*prepare)(struct fpgz_error *error);
    /* Called in the child: writes the result for `file` to the pipe `fd`, and records its first failure. */
    void (*run)(const void *context, int file, int fd, struct fpgz_error *error);
    uint64_t seconds; /* of CPU time; 0: no limit of its own */
    uint64_t bytes;   /* of memory, beyond what the helper has; 0: no limit of its own */
};

/* Prepares this process, which `parent` forked: it prints nothing, and ends when its parent does. */
void fpgz_child_settle(pid_t parent);

/* Does the work in a child, waits for its end, and closes both descriptors. The caller has no threads. */
void fpgz_child_run(const struct fpgz_work *work, const void *context, int file, int fd,
                    struct fpgz_error *error);

#endif

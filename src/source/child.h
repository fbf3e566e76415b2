/* SPDX-License-Identifier: MIT
 * A child of the helper: what it does may crash, loop or take all memory without harm. */
#ifndef FPGZ_SOURCE_CHILD_H
#define FPGZ_SOURCE_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "core/status.h"

/* What a child of the helper is to do with a file. */
struct fpgz_work {
    const char *reader; /* what reads the file, for messages: "the HDF5 library" */
    /* Called in the helper before each child is started; what it loads stays there. NULL: nothing. */
    enum fpgz_status (*prepare)(struct fpgz_error *error);
    /* Called in the child: writes what is wanted of `file` to the pipe `fd`, and records its first failure.
     */
    void (*run)(const void *context, int file, int fd, struct fpgz_error *error);
    uint64_t seconds; /* of CPU time; 0: as much as we */
    uint64_t bytes;   /* of memory, beyond what the helper has; 0: as much as we */
};

/* Makes this process, which `parent` forked, one that dies quietly, and with it. */
void fpgz_child_settle(pid_t parent);

/* Does the work in a child, and waits for its end; both descriptors are closed. The caller has no threads. */
void fpgz_child_run(const struct fpgz_work *work, const void *context, int file, int fd,
                    struct fpgz_error *error);

#endif

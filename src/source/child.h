/* SPDX-License-Identifier: MIT
 * A child of the helper: what it does may crash, loop or take all memory without harm. */
#ifndef FPGZ_SOURCE_CHILD_H
#define FPGZ_SOURCE_CHILD_H

#include <sys/types.h>

#include "source/helper.h"

/* Makes this process, which `parent` forked, one that dies quietly, and with it. */
void fpgz_child_settle(pid_t parent);

/* Does the work in a child, and waits for its end; both descriptors are closed. The caller has no threads. */
void fpgz_child_run(const struct fpgz_work *work, const void *context, int file, int fd,
                    struct fpgz_error *error);

#endif

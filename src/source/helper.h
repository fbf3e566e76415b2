/* SPDX-License-Identifier: MIT
 * A process beside this one that reads files for it through a library which damaged files may crash, or make
 * loop or take all memory. It has no threads, so that it can fork a child for each file at any time, and what
 * the library takes to load and to begin is done once, in it. */
#ifndef FPGZ_SOURCE_HELPER_H
#define FPGZ_SOURCE_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "source/child.h"

/* Starts the helper of this process, unless it runs. It is to be called before this process has threads, for
 * it forks. FPGZ_IO or FPGZ_MEMORY when none can be started. */
enum fpgz_status fpgz_helper_start(struct fpgz_error *error);

/* Ends the helper, if there is one. It ends by itself when this process does. */
void fpgz_helper_stop(void);

/* Sends for the work; *fd is then the pipe that it writes to. The context's bytes are copied:
 * FPGZ_HELPER_MOST at most. One work at a time, of one thread. FPGZ_UNSUPPORTED where no helper was started,
 * FPGZ_IO where it is gone. */
enum { FPGZ_HELPER_MOST = 16 << 10 };
enum fpgz_status fpgz_helper_ask(const struct fpgz_work *work, const void *context, size_t length, int file,
                                 int *fd, struct fpgz_error *error);

/* Closes the pipe and waits for the work's end. Returns what prepare() or run() recorded, or FPGZ_CORRUPT
 * when it came to no end of its own, or FPGZ_IO when the helper did not; but FPGZ_OK when it ended since
 * nobody read on. */
enum fpgz_status fpgz_helper_end(int fd, struct fpgz_error *error);

/* Bytes of memory that works sent for from now on plan with: FPGZ_HELPER_MEMORY at most, which is what they
 * have at first. */
enum { FPGZ_HELPER_MEMORY = 352 << 20 };
void fpgz_helper_allow(uint64_t bytes);
uint64_t fpgz_helper_allowed(void);

#endif

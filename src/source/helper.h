/* SPDX-License-Identifier: MIT
 * A process that reads files for this one through a library that damaged files may crash, or make loop or use
 * up memory. It has no threads, so it can fork a child for each file at any time. It loads and starts the
 * library only once. */
#ifndef FPGZ_SOURCE_HELPER_H
#define FPGZ_SOURCE_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "source/child.h"

/* Starts the helper of this process, unless it runs. To be called before this process has threads, since
 * it forks. FPGZ_IO or FPGZ_MEMORY when it cannot be started. */
enum fpgz_status fpgz_helper_start(struct fpgz_error *error);

/* Ends the helper, if there is one. It also ends when this process does. */
void fpgz_helper_stop(void);

/* Sends the work to the helper; *fd is then the pipe that the work writes to. The context's bytes are
 * copied: FPGZ_HELPER_MOST at most. One work at a time, from one thread. FPGZ_UNSUPPORTED where no helper was
 * started, FPGZ_IO where it has ended. */
enum { FPGZ_HELPER_MOST = 16 << 10 };
enum fpgz_status fpgz_helper_ask(const struct fpgz_work *work, const void *context, size_t length, int file,
                                 int *fd, struct fpgz_error *error);

/* Closes the pipe and waits for the work's end. Returns what prepare() or run() recorded. FPGZ_CORRUPT
 * when the child crashed or hit a limit, FPGZ_IO when the helper is gone. FPGZ_OK when the child ended
 * because the pipe was closed before its end. */
enum fpgz_status fpgz_helper_end(int fd, struct fpgz_error *error);

/* Sets the bytes of memory for the next works: at most FPGZ_HELPER_MEMORY, which is also the default. */
enum { FPGZ_HELPER_MEMORY = 352 << 20 };
void fpgz_helper_allow(uint64_t bytes);
uint64_t fpgz_helper_allowed(void);

#endif

/* SPDX-License-Identifier: MIT
 * Temporary files: outputs before they are complete. */
#ifndef FPGZ_FILES_TEMPORARY_H
#define FPGZ_FILES_TEMPORARY_H

#include "console/message.h"

/* Creates the temporary file (path ends in XXXXXX), or forgets it (NULL), as one step for the signal handler.
 */
int temporary_remember(char *temporary);

/* Removes it, if it is still what we made. */
void temporary_remove(void);

/* Removes the temporary files beside `path` whose processes are certainly gone: a crash left them. Those of
 * other hosts, or from before this one was started, stay. */
void temporary_remove_old(struct console *console, const char *path);

/* On SIGINT, SIGTERM, SIGHUP, SIGPIPE and those of resource limits: no temporary file stays behind. */
void temporary_handle_signals(void);

#endif

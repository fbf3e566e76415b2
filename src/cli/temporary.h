/* SPDX-License-Identifier: MIT
 * Temporary files: outputs before they are complete. */
#ifndef FPGZ_CLI_TEMPORARY_H
#define FPGZ_CLI_TEMPORARY_H

/* Creates the temporary file (path ends in XXXXXX), or forgets it (NULL), as one step for the signal handler.
 */
int temporary_remember(char *temporary);

/* Removes it, if it is still what we made. */
void temporary_remove(void);

/* "dir/.fpgz-XXXXXX" for "dir/name"; the caller frees it. NULL without memory. */
char *temporary_beside(const char *path);

/* Removes the temporary files beside `path` that no living process writes: a crash left them. */
void leftovers_remove(const char *path);

/* On SIGINT, SIGTERM, SIGHUP, SIGPIPE and those of resource limits: no temporary file stays behind. */
void file_io_handle_signals(void);

#endif

/* SPDX-License-Identifier: MIT
 * What people read on stderr, and the exit code that follows from it. */
#ifndef FPGZ_CLI_MESSAGE_H
#define FPGZ_CLI_MESSAGE_H

#include "core/status.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 1, EXIT_WARNING = 2 };

/* Below 0: nothing but errors; 0: notices and warnings too; above: more. */
extern int message_verbosity;

/* "fpgz: FILE: text"; `file` may be NULL. An error and a warning also set the exit code; the worst one stays.
 */
void message_error(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void message_warning(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* From verbosity `level` on. */
void message_notice(int level, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a failed operation; a reader that went away is no news. */
void message_failure(const char *file, const struct fpgz_error *error);

int message_exit_code(void);

#endif

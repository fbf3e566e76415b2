/* SPDX-License-Identifier: MIT
 * What people read on stderr, and the exit code that follows from it. */
#ifndef FPGZ_CLI_MESSAGE_H
#define FPGZ_CLI_MESSAGE_H

#include "core/status.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 1, EXIT_WARNING = 2 };

/* Below 0: nothing but errors; 0: notices and warnings too; above: more. */
extern int message_verbosity;

/* Added to the level of every notice: with many files, what is told of each by itself is too much. */
extern int message_reserve;

/* "fpgz: FILE: text"; `file` may be NULL. An error and a warning also set the exit code; the worst one stays.
 */
void message_error(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void message_warning(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* From verbosity `level` on. */
void message_notice(int level, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a failed operation; a reader that went away is no news. */
void message_failure(const char *file, const struct fpgz_error *error);

/* Ends the process with an error: of lists and names, which are small, where going on makes no sense. */
_Noreturn void message_no_memory(void);

int message_exit_code(void);

/* Takes over what another process ended with. */
void message_worsen(int code);

/* For a process that does one file after another: forgets the exit code and the last error; what the last
 * error was since then (status FPGZ_OK: there was none). */
void message_reset(void);
const struct fpgz_error *message_last_error(void);

#endif

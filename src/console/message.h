/* SPDX-License-Identifier: MIT
 * What people read on stderr, and the exit code that follows from it. */
#ifndef FPGZ_CONSOLE_MESSAGE_H
#define FPGZ_CONSOLE_MESSAGE_H

#include <stdbool.h>

#include "archive/listener.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 1, EXIT_WARNING = 2 };

/* Below -1: nothing; -1: nothing but errors; 0: notices and warnings too; above: more. */
extern int message_verbosity;

/* Added to the level of every notice: with many files, what is told of each by itself is too much. */
extern int message_reserve;

/* Is told of every error and warning, printed or not: its kind's name, the file (or NULL) and the text. NULL:
 * nobody is. */
extern void (*message_observer)(bool error, const char *code, const char *file, const char *text);

/* "fpgz: FILE: text"; `file` may be NULL. An error and a warning also set the exit code; the worst one stays.
 */
void message_error(enum fpgz_status status, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void message_warning(enum fpgz_warning kind, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* From verbosity `level` on. */
void message_notice(int level, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says what jobs tell, and shows how far they are. */
extern const struct fpgz_listener message_listener;

/* Reports a failed operation; a reader that went away is no news. */
void message_failure(const char *file, const struct fpgz_error *error);

int message_exit_code(void);

/* Takes over what another process ended with. */
void message_worsen(int code);

/* For a process that does one file after another: forgets the exit code and the last error; what the last
 * error was since then (status FPGZ_OK: there was none). */
void message_reset(void);
const struct fpgz_error *message_last_error(void);

#endif

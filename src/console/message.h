/* SPDX-License-Identifier: MIT
 * What people read on stderr, and the exit code that follows from it. */
#ifndef FPGZ_CONSOLE_MESSAGE_H
#define FPGZ_CONSOLE_MESSAGE_H

#include <stdbool.h>

#include "archive/listener.h"
#include "console/progress.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 1, EXIT_WARNING = 2 };

/* Speaks to people, and remembers what it said. main() makes one of zeros and passes it on. A worker process
 * has the copy that it gets when it is forked. */
struct console {
    int verbosity; /* below -1: nothing; -1: nothing but errors; 0: notices and warnings too; above: more */
    int reserve;   /* added to the level of every notice: with many files, what is told of each is too much */
    int exit_code; /* the worst of what was said */
    struct fpgz_error last_error; /* status FPGZ_OK: there was none */
    struct progress progress;

    /* Is told of every error and warning, printed or not: its kind's name, the file (or NULL) and the text.
     * NULL: nobody is. */
    void (*observe)(void *observer, bool error, const char *code, const char *file, const char *text);
    void *observer;
};

/* "fpgz: FILE: text"; `file` may be NULL. An error and a warning also set the exit code; the worst one stays.
 */
void message_error(struct console *console, enum fpgz_status status, const char *file, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
void message_warning(struct console *console, enum fpgz_warning kind, const char *file, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));
/* From verbosity `level` on. */
void message_notice(struct console *console, int level, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports a failed operation; a reader that went away is no news. */
void message_failure(struct console *console, const char *file, const struct fpgz_error *error);

/* Says what jobs tell, and shows how far they are. */
struct fpgz_listener message_listener(struct console *console);

/* Takes over what another process ended with. */
void message_worsen(struct console *console, int code);

/* For a process that does one file after another: forgets the exit code and the last error. */
void message_reset(struct console *console);

#endif

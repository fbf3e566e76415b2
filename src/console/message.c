/* SPDX-License-Identifier: MIT
 * Errors, warnings and notices on standard error, and the exit code that follows from them. */
#include "console/message.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "console/printable.h"
#include "core/text.h"

enum { TEXT = 2 * PATH_MAX, MUTE = -2 };

static const char *const warning_names[] = {
    [FPGZ_WARNING_SUFFIX] = "suffix",
    [FPGZ_WARNING_SKIPPED] = "skipped",
    [FPGZ_WARNING_BYTES] = "as-bytes",
    [FPGZ_WARNING_ATTRIBUTES] = "attributes",
    [FPGZ_WARNING_UNVERIFIED] = "unverified",
    [FPGZ_WARNING_METADATA] = "metadata",
    [FPGZ_WARNING_UNSYNCED] = "unsynced",
    [FPGZ_WARNING_KEPT] = "source-kept",
    [FPGZ_WARNING_LOST] = "lost",
    [FPGZ_WARNING_MANIFEST] = "manifest",
    [FPGZ_WARNING_STALE] = "stale",
    [FPGZ_WARNING_DEFECT] = "defect",
    [FPGZ_WARNING_AGAIN] = "again",
    [FPGZ_WARNING_CHANGED] = "changed",
};

/* By one call, which is one write(2): messages of several processes do not mix. */
static void print(struct console *console, const char *file, const char *kind, const char *text)
{
    char *line = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&line, &bytes), *const to = memory ? memory : stderr;
    progress_clear(&console->progress);
    fputs("fpgz: ", to);
    if (file) {
        printable_write(to, file);
        fputs(": ", to);
    }
    fputs(kind, to);
    printable_write(to, text);
    putc('\n', to);
    if (memory && fclose(memory) == 0)
        fwrite(line, 1, bytes, stderr);
    free(line);
}

/* Composes a text, which is cut where it is too long. */
static void compose(char text[TEXT], const char *format, va_list args)
{
    vsnprintf(text, TEXT, format, args);
    text[fpgz_text_fit(text, TEXT - 1)] = '\0';
}

static void observe(const struct console *console, bool error, const char *code, const char *file,
                    const char *text)
{
    if (console->observe)
        console->observe(console->observer, error, code, file, text);
}

void message_failure(struct console *console, const char *file, const struct fpgz_error *error)
{
    if (error->status != FPGZ_CLOSED && console->verbosity > MUTE)
        print(console, file, "", error->text);
    console->last_error = *error;
    message_worsen(console, EXIT_ERROR);
    observe(console, true, fpgz_status_name(error->status), file, error->text);
}

void message_error(struct console *console, enum fpgz_status status, const char *file, const char *format,
                   ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    if (console->verbosity > MUTE)
        print(console, file, "", text);
    console->last_error.status = status;
    snprintf(console->last_error.text, sizeof console->last_error.text, "%.*s",
             fpgz_text_fit(text, sizeof console->last_error.text - 1), text);
    message_worsen(console, EXIT_ERROR);
    observe(console, true, fpgz_status_name(status), file, text);
}

void message_warning(struct console *console, enum fpgz_warning kind, const char *file, const char *format,
                     ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    if (console->verbosity >= 0)
        print(console, file, "warning: ", text);
    message_worsen(console, EXIT_WARNING);
    observe(console, false, warning_names[kind], file, text);
}

static bool hears(void *context, int level)
{
    const struct console *console = context;
    return console->verbosity >= level + console->reserve;
}

void message_notice(struct console *console, int level, const char *file, const char *format, ...)
{
    if (!hears(console, level))
        return;
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    print(console, file, "", text);
}

void message_worsen(struct console *console, int code)
{
    if (code == EXIT_ERROR || (code == EXIT_WARNING && console->exit_code == EXIT_GOOD))
        console->exit_code = code;
}

void message_reset(struct console *console)
{
    console->exit_code = EXIT_GOOD;
    console->last_error.status = FPGZ_OK;
}

static void hear_warning(void *context, enum fpgz_warning kind, const char *name, const char *text)
{
    message_warning(context, kind, name, "%s", text);
}

static void hear_notice(void *context, int level, const char *name, const char *text)
{
    message_notice(context, level, name, "%s", text);
}

static void hear_failure(void *context, const char *name, const struct fpgz_error *error)
{
    message_failure(context, name, error);
}

static bool hear_progress(void *context, uint64_t raw, uint64_t stored)
{
    struct console *console = context;
    progress_add(&console->progress, raw, stored);
    return true;
}

struct fpgz_listener message_listener(struct console *console)
{
    return (struct fpgz_listener){.context = console,
                                  .warning = hear_warning,
                                  .hears = hears,
                                  .notice = hear_notice,
                                  .failure = hear_failure,
                                  .progress = hear_progress};
}

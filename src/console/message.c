/* SPDX-License-Identifier: MIT
 * Errors, warnings and notices on standard error, and the exit code that follows from them. */
#include "console/message.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "console/printable.h"
#include "console/progress.h"
#include "core/text.h"

enum { TEXT = 2 * PATH_MAX, MUTE = -2 };

int message_verbosity, message_reserve;
void (*message_observer)(bool error, const char *code, const char *file, const char *text);
static int exit_code = EXIT_GOOD;
static struct fpgz_error last_error;

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
static void print(const char *file, const char *kind, const char *text)
{
    char *line = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&line, &bytes), *const to = memory ? memory : stderr;
    progress_clear();
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

static void observe(bool error, const char *code, const char *file, const char *text)
{
    if (message_observer)
        message_observer(error, code, file, text);
}

void message_failure(const char *file, const struct fpgz_error *error)
{
    if (error->status != FPGZ_CLOSED && message_verbosity > MUTE)
        print(file, "", error->text);
    last_error = *error;
    message_worsen(EXIT_ERROR);
    observe(true, fpgz_status_name(error->status), file, error->text);
}

void message_error(enum fpgz_status status, const char *file, const char *format, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    if (message_verbosity > MUTE)
        print(file, "", text);
    last_error.status = status;
    snprintf(last_error.text, sizeof last_error.text, "%.*s", fpgz_text_fit(text, sizeof last_error.text - 1),
             text);
    message_worsen(EXIT_ERROR);
    observe(true, fpgz_status_name(status), file, text);
}

void message_warning(enum fpgz_warning kind, const char *file, const char *format, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    if (message_verbosity >= 0)
        print(file, "warning: ", text);
    message_worsen(EXIT_WARNING);
    observe(false, warning_names[kind], file, text);
}

void message_notice(int level, const char *file, const char *format, ...)
{
    if (message_verbosity < level + message_reserve)
        return;
    char text[TEXT];
    va_list args;
    va_start(args, format);
    compose(text, format, args);
    va_end(args);
    print(file, "", text);
}

int message_exit_code(void)
{
    return exit_code;
}

void message_worsen(int code)
{
    if (code == EXIT_ERROR || (code == EXIT_WARNING && exit_code == EXIT_GOOD))
        exit_code = code;
}

void message_reset(void)
{
    exit_code = EXIT_GOOD;
    last_error.status = FPGZ_OK;
}

const struct fpgz_error *message_last_error(void)
{
    return &last_error;
}

static void hear_warning(void *context, enum fpgz_warning kind, const char *name, const char *text)
{
    (void)context;
    message_warning(kind, name, "%s", text);
}

static bool hears(void *context, int level)
{
    (void)context;
    return message_verbosity >= level + message_reserve;
}

static void hear_notice(void *context, int level, const char *name, const char *text)
{
    (void)context;
    message_notice(level, name, "%s", text);
}

static void hear_failure(void *context, const char *name, const struct fpgz_error *error)
{
    (void)context;
    message_failure(name, error);
}

static bool hear_progress(void *context, uint64_t raw, uint64_t stored)
{
    (void)context;
    progress_add(raw, stored);
    return true;
}

const struct fpgz_listener message_listener = {NULL,        hear_warning, hears,
                                               hear_notice, hear_failure, hear_progress};

/* SPDX-License-Identifier: MIT */
#include "cli/message.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/progress.h"

int message_verbosity, message_reserve;
static int exit_code = EXIT_GOOD;
static struct fpgz_error last_error;

/* By one call, which is one write(2): messages of several processes do not mix. */
static void print(const char *file, const char *kind, const char *format, va_list args)
{
    char text[2 * PATH_MAX];
    vsnprintf(text, sizeof text, format, args);
    progress_clear();
    fprintf(stderr, "fpgz: %s%s%s%s\n", file ? file : "", file ? ": " : "", kind, text);
}

void message_error(const char *file, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    print(file, "", format, args);
    va_end(args);
    last_error.status = FPGZ_USAGE;
    vsnprintf(last_error.text, sizeof last_error.text, format, again);
    va_end(again);
    message_worsen(EXIT_ERROR);
}

void message_warning(const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (message_verbosity >= 0)
        print(file, "warning: ", format, args);
    va_end(args);
    message_worsen(EXIT_WARNING);
}

void message_notice(int level, const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (message_verbosity >= level + message_reserve)
        print(file, "", format, args);
    va_end(args);
}

void message_failure(const char *file, const struct fpgz_error *error)
{
    if (error->status != FPGZ_CLOSED)
        message_error(file, "%s", error->text);
    last_error = *error;
    message_worsen(EXIT_ERROR);
}

_Noreturn void message_no_memory(void)
{
    message_error(NULL, "no memory for names");
    exit(EXIT_ERROR);
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

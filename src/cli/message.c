/* SPDX-License-Identifier: MIT */
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>

int message_verbosity;
static int exit_code = EXIT_GOOD;

static void print(const char *file, const char *kind, const char *format, va_list args)
{
    flockfile(stderr);
    fputs("fpgz: ", stderr);
    if (file)
        fprintf(stderr, "%s: ", file);
    fputs(kind, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

void message_error(const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(file, "", format, args);
    va_end(args);
    exit_code = EXIT_ERROR;
}

void message_warning(const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (message_verbosity >= 0)
        print(file, "warning: ", format, args);
    va_end(args);
    if (exit_code == EXIT_GOOD)
        exit_code = EXIT_WARNING;
}

void message_notice(int level, const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (message_verbosity >= level)
        print(file, "", format, args);
    va_end(args);
}

void message_failure(const char *file, const struct fpgz_error *error)
{
    if (error->status == FPGZ_CLOSED)
        exit_code = EXIT_ERROR;
    else
        message_error(file, "%s", error->text);
}

int message_exit_code(void)
{
    return exit_code;
}

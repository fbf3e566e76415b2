/* SPDX-License-Identifier: MIT
 * Makes the texts that a listener gets. */
#include "archive/listener.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

enum { TEXT = 2 * PATH_MAX };

void fpgz_warn(const struct fpgz_listener *listener, enum fpgz_warning kind, const char *name,
               const char *format, ...)
{
    char text[TEXT];
    va_list args;
    if (!listener || !listener->warning)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    listener->warning(listener->context, kind, name, text);
}

bool fpgz_heard(const struct fpgz_listener *listener, int level)
{
    return listener && listener->notice && (!listener->hears || listener->hears(listener->context, level));
}

void fpgz_notice(const struct fpgz_listener *listener, int level, const char *name, const char *format, ...)
{
    char text[TEXT];
    va_list args;
    if (!fpgz_heard(listener, level))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    listener->notice(listener->context, level, name, text);
}

void fpgz_tell_failure(const struct fpgz_listener *listener, const char *name, const struct fpgz_error *error)
{
    if (listener && listener->failure)
        listener->failure(listener->context, name, error);
}

bool fpgz_progress(const struct fpgz_listener *listener, uint64_t raw, uint64_t stored,
                   struct fpgz_error *error)
{
    if (!listener || !listener->progress || listener->progress(listener->context, raw, stored))
        return true;
    fpgz_fail(error, FPGZ_CANCELLED, "ended on request");
    return false;
}

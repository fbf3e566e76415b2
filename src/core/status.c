/* SPDX-License-Identifier: MIT
 * Errors: their names, and their text. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/text.h"

enum fpgz_status fpgz_fail(struct fpgz_error *error, enum fpgz_status status, const char *format, ...)
{
    if (error->status != FPGZ_OK)
        return error->status;
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    error->text[fpgz_text_fit(error->text, sizeof error->text - 1)] = '\0';
    return status;
}

const char *fpgz_status_name(enum fpgz_status status)
{
    static const char *const names[] = {
        [FPGZ_OK] = "ok",
        [FPGZ_CORRUPT] = "corrupt",
        [FPGZ_TRUNCATED] = "truncated",
        [FPGZ_UNSUPPORTED] = "unsupported",
        [FPGZ_FOREIGN] = "foreign",
        [FPGZ_LIMIT] = "limit",
        [FPGZ_USAGE] = "usage",
        [FPGZ_IO] = "io",
        [FPGZ_MEMORY] = "memory",
        [FPGZ_EXISTS] = "exists",
        [FPGZ_CLOSED] = "closed",
        [FPGZ_INTERNAL] = "internal",
        [FPGZ_CANCELLED] = "cancelled",
    };
    return names[status];
}

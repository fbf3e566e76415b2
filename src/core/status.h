/* SPDX-License-Identifier: MIT
 * How the errors of fpgz.h are made. */
#ifndef FPGZ_CORE_STATUS_H
#define FPGZ_CORE_STATUS_H

#include "fpgz.h"

/* Records the first error only: later ones are its consequences. Returns the status recorded first. */
enum fpgz_status fpgz_fail(struct fpgz_error *error, enum fpgz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

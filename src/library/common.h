/* SPDX-License-Identifier: MIT
 * What the calls of fpgz.h have in common. */
#ifndef FPGZ_LIBRARY_COMMON_H
#define FPGZ_LIBRARY_COMMON_H

#include "archive/setup.h"

/* Hands what a job tells on to the caller's callbacks. */
struct fpgz_relay {
    const struct fpgz_events *events; /* NULL: nobody listens */
    uint64_t raw, stored;             /* done so far */
    struct fpgz_listener listener;
};

/* Makes a job's terms of the caller's settings (NULL: none), on the CPU. FPGZ_USAGE for what is out of range.
 */
enum fpgz_status fpgz_library_terms(const struct fpgz_settings *settings, struct fpgz_terms *terms,
                                    struct fpgz_error *error);

/* Connects the terms with the events; `relay` lasts as long as the terms. */
void fpgz_library_listen(struct fpgz_relay *relay, const struct fpgz_events *events,
                         struct fpgz_terms *terms);

/* The error to record in: the caller's, or `own` where that is NULL; emptied. */
struct fpgz_error *fpgz_library_error(struct fpgz_error *error, struct fpgz_error *own);

#endif

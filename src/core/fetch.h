/* SPDX-License-Identifier: MIT
 * How bytes come out of memory that is the host's, or a GPU's. */
#ifndef FPGZ_CORE_FETCH_H
#define FPGZ_CORE_FETCH_H

#include <string.h>

#include "core/status.h"

/* Copies from memory that the CPU does not see. Any number of calls may run at once. */
struct fpgz_fetch {
    enum fpgz_status (*copy)(void *context, void *to, const void *from, size_t bytes,
                             struct fpgz_error *error);
    void *context;
};

/* `fetch` may be NULL: the host's memory. */
static inline enum fpgz_status fpgz_fetch(const struct fpgz_fetch *fetch, void *to, const void *from,
                                          size_t bytes, struct fpgz_error *error)
{
    if (fetch)
        return fetch->copy(fetch->context, to, from, bytes, error);
    memcpy(to, from, bytes);
    return FPGZ_OK;
}

#endif

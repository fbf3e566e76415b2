/* SPDX-License-Identifier: MIT
 * How bytes come out of memory that is the host's, or a GPU's. */
#ifndef FPGZ_CORE_FETCH_H
#define FPGZ_CORE_FETCH_H

#include <string.h>

#include "core/checksum.h"
#include "core/grid.h"
#include "core/status.h"

/* Copies from memory that the CPU does not see. *checksum: of the bytes, unless it is NULL. Any number of
 * calls may run at once. */
struct fpgz_fetch {
    enum fpgz_status (*copy)(void *context, void *to, const void *from, size_t bytes, uint64_t *checksum,
                             struct fpgz_error *error);
    /* The same, but of the bytes only runs of words, each to its place; these are pinned, as is the buffer.
     * FPGZ_UNSUPPORTED, without an error, where it does not go. NULL: it never does. */
    enum fpgz_status (*look)(void *context, void *to, const void *from, size_t bytes,
                             const struct fpgz_looked *run, size_t runs, uint64_t *checksum,
                             struct fpgz_error *error);
    void *context;
};

/* `fetch` may be NULL: the host's memory. */
static inline enum fpgz_status fpgz_fetch(const struct fpgz_fetch *fetch, void *to, const void *from,
                                          size_t bytes, uint64_t *checksum, struct fpgz_error *error)
{
    if (fetch)
        return fetch->copy(fetch->context, to, from, bytes, checksum, error);
    memcpy(to, from, bytes);
    if (checksum)
        *checksum = fpgz_checksum(to, bytes);
    return FPGZ_OK;
}

#endif

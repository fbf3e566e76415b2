/* SPDX-License-Identifier: MIT
 * What the calls of fpgz.h have in common. */
#ifndef FPGZ_LIBRARY_COMMON_H
#define FPGZ_LIBRARY_COMMON_H

#include "archive/catalog.h"
#include "archive/packing.h"
#include "source/sink.h"

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

/* Checks an array, and writes its member by `packing`, of which terms and all that is not the array's are
 * set. `values` are at intake.memory. Frees the packing. */
enum fpgz_status fpgz_library_pack(struct fpgz_packing *packing, struct fpgz_out out, const char *name,
                                   const struct fpgz_array *array, struct fpgz_error *error);

/* As fpgz_container_open_memory(), with what the bytes come out of the memory by, and the terms' backend. */
enum fpgz_status fpgz_library_open(const void *bytes, size_t length, const struct fpgz_fetch *fetch,
                                   struct fpgz_backend *backend, struct fpgz_container **container,
                                   struct fpgz_error *error);

/* As fpgz_container_read(), to a sink. */
enum fpgz_status fpgz_library_read(struct fpgz_container *container, size_t index, const struct fpgz_box *box,
                                   const struct fpgz_sink *sink, void *state, size_t room,
                                   struct fpgz_error *error);

/* Opens the member that holds array `index`, number *array of it. The caller closes the catalog in any case.
 */
enum fpgz_status fpgz_library_catalog(const struct fpgz_container *container, size_t index,
                                      struct fpgz_catalog *catalog, uint32_t *array,
                                      struct fpgz_error *error);

/* Opens a container of one member with one array, which is number *number there. False for all others, and
 * where anything is wrong with it, or memory is short. The caller closes the catalog in any case. */
bool fpgz_library_sole(const void *bytes, size_t length, const struct fpgz_fetch *fetch,
                       struct fpgz_catalog *catalog, uint32_t *number, struct fpgz_array *array);

/* The error to record in: the caller's, or `own` where that is NULL; emptied. */
struct fpgz_error *fpgz_library_error(struct fpgz_error *error, struct fpgz_error *own);

#endif

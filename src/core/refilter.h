/* SPDX-License-Identifier: MIT
 * What formats do to a piece of data before they store it, undone so that it can be done again to the same
 * bytes: filters of HDF5 chunks, members of zip files. */
#ifndef FPGZ_CORE_REFILTER_H
#define FPGZ_CORE_REFILTER_H

#include "core/filters.h"
#include "core/status.h"

/* The most bytes that `bytes` raw ones are stored in; 0 where a size_t does not hold it. */
size_t fpgz_refilter_bound(const struct fpgz_filters *filters, size_t bytes);

/* Bytes of scratch, at an address for any type, that both functions need for a piece of `bytes` raw bytes; 0
 * where a size_t does not hold it. */
size_t fpgz_refilter_memory(const struct fpgz_filters *filters, size_t bytes);

/* Undoes what made `length` stored bytes of `bytes` raw ones, and finds out how to do it again. `how` is
 * given with what was skipped, and with the level and memory level to try first (0: none in particular).
 * FPGZ_CORRUPT where fpgz_refilter() would not make the same bytes again, whatever the reason. */
enum fpgz_status fpgz_unfilter(const struct fpgz_filters *filters, const uint8_t *stored, size_t length,
                               void *scratch, uint8_t *raw, size_t bytes, struct fpgz_refiltering *how);

/* Undoes it as `how` says, of bytes that fpgz_refilter() is known to make again: what does not change the
 * raw ones is not looked at. */
enum fpgz_status fpgz_unfilter_again(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                                     const uint8_t *stored, size_t length, void *scratch, uint8_t *raw,
                                     size_t bytes);

/* Makes the *length stored bytes of `bytes` raw ones, at most `room`. FPGZ_CORRUPT where `how` does not go
 * with the filters, FPGZ_LIMIT where there is no room, or where deflate would take too long (core/deflate).
 */
enum fpgz_status fpgz_refilter(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                               const uint8_t *raw, size_t bytes, void *scratch, uint8_t *stored, size_t room,
                               size_t *length);

#endif

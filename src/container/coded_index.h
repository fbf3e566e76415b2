/* SPDX-License-Identifier: MIT
 * The coded index (fpgz.5): what the index says in few bytes. Offsets and checks follow from the rest, and
 * chunks are told as their differences to those before. */
#ifndef FPGZ_CONTAINER_CODED_INDEX_H
#define FPGZ_CONTAINER_CODED_INDEX_H

#include "container/index.h"
#include "container/numbers.h"

/* Codes the index of sections that follow each other from the member's header on. Appends the body of its
 * section to `body`, and tells its head. `table` is the body of the table of arrays, of `reserve` bytes, or
 * none. FPGZ_MEMORY. */
enum fpgz_status fpgz_index_code(const struct fpgz_index *index, const void *table, size_t reserve,
                                 struct fpgz_numbers *body, struct fpgz_coded_head *head,
                                 struct fpgz_error *error);

/* Reads it back from the section and its body, whose checksum is right; `index` is empty. FPGZ_CORRUPT where
 * it is no index. */
enum fpgz_status fpgz_index_decode(const struct fpgz_section *section, const uint8_t *body,
                                   struct fpgz_index *index, struct fpgz_error *error);

#endif

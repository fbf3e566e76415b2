/* SPDX-License-Identifier: MIT
 * The table of arrays (fpgz.5): all arrays of a member, described together. */
#ifndef FPGZ_CONTAINER_TABLE_H
#define FPGZ_CONTAINER_TABLE_H

#include "container/format.h"
#include "container/numbers.h"

/* What an array is described relative to: what those before it had last. */
struct fpgz_table_before {
    uint64_t extent[FPGZ_MAX_DIMS], piece[FPGZ_MAX_DIMS];
    uint64_t largest_chunk;
    uint64_t end; /* of the last dense array's bytes in the file */
};

/* A table that is being read. */
struct fpgz_table {
    struct fpgz_number_view view;
    struct fpgz_table_before before;
    uint32_t read;                   /* arrays */
    struct fpgz_part group;          /* the last group: its kind, dtype, order and number, ... */
    uint32_t members;                /* ... how many of its members are to come, ... */
    uint64_t first;                  /* ... and the first value of the next one */
    char name[FPGZ_MAX_NAME_BYTES];  /* of the last one */
    size_t name_length, names_bytes; /* of the last one, and of all together */
};

/* Appends the descriptions of `count` arrays, whose chunks have up to largest[] bytes. */
void fpgz_table_write(const struct fpgz_part *part, size_t count, const uint64_t *largest,
                      struct fpgz_numbers *numbers);

/* Reads the next array: *head with its runs and, of a dense one, without its place, which the caller frees.
 * The name stays until the next call. FPGZ_CORRUPT, FPGZ_UNSUPPORTED, FPGZ_LIMIT or FPGZ_MEMORY where there
 * is none. */
enum fpgz_status fpgz_table_next(struct fpgz_table *table, struct fpgz_array_head *head,
                                 struct fpgz_error *error);

#endif

/* SPDX-License-Identifier: MIT
 * Tables: arrays of records, each of several fields. A format describes a table as one part of bytes, with a
 * list of its fields. Once it is known to become arrays, it is replaced by a part for each field. */
#ifndef FPGZ_CORE_TABLE_H
#define FPGZ_CORE_TABLE_H

#include "core/content.h"
#include "core/status.h"

/* Adds a field to a table whose array is set: `array` of each record, from byte `offset` of it on. What is no
 * array of numbers is a field of bytes. False without memory. */
bool fpgz_table_add(struct fpgz_part *table, const char *name, const struct fpgz_array *array,
                    uint64_t offset);

/* Completes the fields, in the order of their offsets: each byte of a record is then in one of them.
 * FPGZ_CORRUPT when two have bytes in common, or one is not within the record; FPGZ_MEMORY. */
enum fpgz_status fpgz_table_complete(struct fpgz_part *table);

/* The part that a field is: pieces of what a record has of it. The caller frees it. False without memory. */
bool fpgz_table_field(const struct fpgz_part *table, size_t field, struct fpgz_part *part);

/* Replaces all tables of the content by their fields. False without memory. */
bool fpgz_content_split(struct fpgz_content *content);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_LIST_TABLE_H
#define FPGZ_CLI_LIST_TABLE_H

#include "cli/summary.h"

/* Prints the names of the columns. */
void list_titles(void);

/* Prints a member of the container at `path`; with `more` also its name, times, attributes and arrays. */
void list_line(const char *path, const struct summary *summary, bool more);

/* Prints a chunk of the array `part`; `traits` may be NULL. */
void list_chunk(const struct fpgz_part *part, const struct fpgz_section *section,
                const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                const struct fpgz_traits *traits);

/* Prints the sums of several files. */
void list_totals(const uint64_t totals[2], int files);

#endif

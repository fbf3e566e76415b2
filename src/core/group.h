/* SPDX-License-Identifier: MIT
 * Groups: small arrays of one dtype, which are coded together as one sequence of values. */
#ifndef FPGZ_CORE_GROUP_H
#define FPGZ_CORE_GROUP_H

#include "core/content.h"

enum { FPGZ_GROUPED_BYTES = 4 << 10 }; /* larger arrays are coded alone */

/* Whether the part may be in a group: its bytes are dense and few. */
bool fpgz_part_is_small(const struct fpgz_part *part);

/* A number below FPGZ_GROUP_KINDS: dtype and order of the bytes, which all of a group have. */
enum { FPGZ_GROUP_KINDS = 2 * FPGZ_DTYPES };
unsigned fpgz_group_kind(const struct fpgz_part *part);

/* The set of the kinds that have so many small parts that they get a group. */
uint64_t fpgz_group_kinds(const struct fpgz_content *content);

/* Makes *group that of all small parts of the kind, in the order of the file, for the caller to free; its
 * members' numbers go to `member`, which has room for all parts. False without memory. */
bool fpgz_group_of(const struct fpgz_content *content, unsigned kind, struct fpgz_part *group,
                   size_t *member);

/* Puts all small parts into groups, which are then in front of all others, their members behind each. False
 * without memory. */
bool fpgz_content_group(struct fpgz_content *content);

#endif

/* SPDX-License-Identifier: MIT
 * Groups: small arrays of one dtype, which are coded together as one sequence of values. */
#ifndef FPGZ_CORE_GROUP_H
#define FPGZ_CORE_GROUP_H

#include "core/content.h"

enum {
    FPGZ_GROUPED_BYTES = 4 << 10, /* larger arrays are coded alone, ... */
    FPGZ_KIN_BYTES = 256 << 10,   /* ... unless those of up to so many bytes repeat each other */
};

/* The kind of the part, below FPGZ_GROUP_KINDS. */
unsigned fpgz_group_kind(const struct fpgz_part *part);

/* Whether the content's grouping puts the part into a group: its bytes are dense and few. */
bool fpgz_part_is_grouped(const struct fpgz_content *content, const struct fpgz_part *part);

/* Makes the grouping that of small parts of each kind that has many. */
void fpgz_grouping_begin(struct fpgz_content *content);

/* Makes *group that of all parts of the kind that have more than `least` and at most `most` bytes, in the
 * order of the file, for the caller to free; its members' numbers go to `member`, which has room for all
 * parts. They are none where they are too few for a group. False without memory. */
bool fpgz_group_of(const struct fpgz_content *content, unsigned kind, uint64_t least, uint64_t most,
                   struct fpgz_part *group, size_t *member);

/* Puts parts into groups by the content's grouping. These are then in front of all others, their members
 * behind each. False without memory. */
bool fpgz_content_group(struct fpgz_content *content);

#endif

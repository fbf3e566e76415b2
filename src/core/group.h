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

/* Whether the part may be in a family. */
bool fpgz_part_has_family(const struct fpgz_part *part);

/* Makes *group that of all parts of the family, in the order of the file, for the caller to free; their
 * numbers go to `member`, which has room for all parts. They are none where they are fewer than two, of
 * several kinds, or one begins in the file before another one ends. False without memory. */
bool fpgz_family_of(const struct fpgz_content *content, uint32_t family, struct fpgz_part *group,
                    size_t *member);

/* The same for parts of the kind, and of no family, that have more than `least` and at most `most` bytes,
 * unless they are too few for a group. */
bool fpgz_group_of(const struct fpgz_content *content, unsigned kind, uint64_t least, uint64_t most,
                   struct fpgz_part *group, size_t *member);

/* Puts parts into groups by the content's grouping, and by their families. These are then in front of all
 * others, their members behind each. False without memory. */
bool fpgz_content_group(struct fpgz_content *content);

#endif

/* SPDX-License-Identifier: MIT
 * The index of a member: a copy of every section's header and head, each behind its offset (fpgz.5). Writers
 * write it. Readers build their own from the sections that they see, and compare. */
#ifndef FPGZ_CONTAINER_INDEX_H
#define FPGZ_CONTAINER_INDEX_H

#include "container/format.h"
#include "core/buffer.h"

struct fpgz_index {
    struct fpgz_buffer body;
    size_t length; /* bytes of body in use */
    uint64_t sections;
};

/* Appends a section; false when there is no memory. */
bool fpgz_index_add(struct fpgz_index *index, const struct fpgz_section *section);

/* Reads the entry at byte *at of the body into `section`, and moves *at behind it. FPGZ_CORRUPT when there
 * is no valid entry. */
enum fpgz_status fpgz_index_next(const struct fpgz_index *index, size_t *at, struct fpgz_section *section,
                                 struct fpgz_error *error);

/* XXH3-64 over the checks of all entries, in order, then `last` (the index section's own). */
uint64_t fpgz_index_content_check(struct fpgz_index *index, uint64_t last);

void fpgz_index_free(struct fpgz_index *index);

#endif

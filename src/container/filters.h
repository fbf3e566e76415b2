/* SPDX-License-Identifier: MIT
 * What the table of arrays tells of filtered pieces (fpgz.5): the filters, and how each piece went through
 * them. */
#ifndef FPGZ_CONTAINER_FILTERS_H
#define FPGZ_CONTAINER_FILTERS_H

#include "container/numbers.h"
#include "core/content.h"

/* Appends it, for a part with filters and runs. */
void fpgz_filters_add(const struct fpgz_part *part, struct fpgz_numbers *numbers);

/* Bytes that it takes; 0 for a part without filters. */
size_t fpgz_filters_bytes(const struct fpgz_part *part);

/* Reads it into a part whose runs are known. FPGZ_CORRUPT for numbers that cannot be, FPGZ_UNSUPPORTED for
 * filters that are not known. Whether it fits the part is for fpgz_part_valid() to check. */
enum fpgz_status fpgz_filters_take(struct fpgz_number_view *view, struct fpgz_part *part,
                                   struct fpgz_error *error);

#endif

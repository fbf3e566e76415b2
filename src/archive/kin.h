/* SPDX-License-Identifier: MIT
 * Whether arrays of one kind are coded together, and how. */
#ifndef FPGZ_ARCHIVE_KIN_H
#define FPGZ_ARCHIVE_KIN_H

#include "archive/setup.h"
#include "core/gather.h"
#include "engine/need.h"

/* Makes the content's grouping: small arrays are put into groups, which also take larger ones where samples
 * show that these repeat each other. Where a group of small arrays would not pay, they become bytes, and
 * *merged true. False without memory. */
bool fpgz_kin_judge(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                    struct fpgz_content *content, struct fpgz_chunk_buffers *buffers, bool *merged);

#endif

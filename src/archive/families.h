/* SPDX-License-Identifier: MIT
 * Larger arrays that repeat each other, whose chunks would not see it. */
#ifndef FPGZ_ARCHIVE_FAMILIES_H
#define FPGZ_ARCHIVE_FAMILIES_H

#include "archive/setup.h"
#include "core/gather.h"

/* Makes families of the content's arrays, which are coded at the level, where coding shows that their members
 * are smaller together. False without memory. */
bool fpgz_families_find(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                        struct fpgz_content *content, struct fpgz_chunk_buffers *buffers);

#endif

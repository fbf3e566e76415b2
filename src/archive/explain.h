/* SPDX-License-Identifier: MIT
 * Why chunks are coded as they are. */
#ifndef FPGZ_ARCHIVE_EXPLAIN_H
#define FPGZ_ARCHIVE_EXPLAIN_H

#include "archive/listener.h"
#include "core/content.h"
#include "engine/coded.h"

/* Tells who listens that closely what chunk number `chunk` of the file `name` holds, how long its stream is,
 * and by what its codec was chosen. */
void fpgz_explain_chunk(const struct fpgz_listener *listener, const char *name, uint64_t chunk,
                        const struct fpgz_part *part, const struct fpgz_coded *coded);

#endif

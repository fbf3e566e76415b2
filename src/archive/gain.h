/* SPDX-License-Identifier: MIT
 * What coding a part would save. */
#ifndef FPGZ_ARCHIVE_GAIN_H
#define FPGZ_ARCHIVE_GAIN_H

#include "archive/setup.h"
#include "core/gather.h"
#include "engine/need.h"

/* Bytes that its codec would save for the part, estimated from a sample in its middle. */
double fpgz_gain_expected(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                          const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers);

#endif

/* SPDX-License-Identifier: MIT
 * What coding a part would save. */
#ifndef FPGZ_ARCHIVE_GAIN_H
#define FPGZ_ARCHIVE_GAIN_H

#include "archive/setup.h"
#include "core/gather.h"
#include "engine/chunk.h"

/* Codes values of the part as a grid, from `at` on in the bytes of its sequence. False where they cannot be
 * read or coded. */
bool fpgz_gain_code(const struct fpgz_coder *coder, const struct fpgz_area *area,
                    const struct fpgz_part *part, uint64_t at, const struct fpgz_grid *grid,
                    struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

/* Bytes that its codec would save for the part, estimated from a sample in its middle. */
double fpgz_gain_expected(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                          const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers);

#endif

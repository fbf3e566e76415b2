/* SPDX-License-Identifier: MIT
 * Arrays whose slowest axis is best coded as the fastest one. */
#ifndef FPGZ_ARCHIVE_TURNING_H
#define FPGZ_ARCHIVE_TURNING_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* A small array that was coded to find whether it turns: a chunk that need not be coded again. */
struct fpgz_tried {
    struct fpgz_coded coded; /* its length is 0 where there is none */
    struct fpgz_coder coder; /* by which */
    struct fpgz_grid grid;   /* as it stands in the file */
    struct fpgz_buffer stream;
};

/* Sets `turned` of the parts whose samples that makes smaller: steps of time of what has no other order, as
 * nodes of a mesh; spectra in columns; tables whose columns repeat themselves. */
void fpgz_turn_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content, struct fpgz_tried *tried);

/* Makes a chunk be what was tried, if that was coded from the same values, whose checksum coded->raw_checksum
 * is, as the coder does. False if it was not. */
bool fpgz_tried_take(const struct fpgz_tried *tried, const struct fpgz_coder *coder,
                     const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                     struct fpgz_coded *coded);

#endif

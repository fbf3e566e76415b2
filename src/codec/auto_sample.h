/* SPDX-License-Identifier: MIT
 * The sample on which codecs are compared: boxes of the grid, all of one shape. */
#ifndef FPGZ_CODEC_AUTO_SAMPLE_H
#define FPGZ_CODEC_AUTO_SAMPLE_H

#include "codec/codec.h"
#include "codec/level.h"

struct fpgz_auto_sample {
    struct fpgz_grid box;
    unsigned pieces;
};

struct fpgz_auto_sample fpgz_auto_plan_sample(const struct fpgz_grid *grid, const struct fpgz_level *level);

/* Copies box number `piece` of the grid at `values` to `out`. */
void fpgz_auto_copy_piece(const struct fpgz_grid *grid, const struct fpgz_auto_sample *s, unsigned piece,
                          const uint8_t *values, uint8_t *out);

#endif

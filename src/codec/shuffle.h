/* SPDX-License-Identifier: MIT
 * Values as planes of their bytes: all first (least significant) ones, then all second ones, and so on.
 * Exponents next to each other match, where mantissas between them would not. */
#ifndef FPGZ_CODEC_SHUFFLE_H
#define FPGZ_CODEC_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/grid.h"

/* What planes are of: the parameter of codecs for bytes. */
enum fpgz_shuffle_way {
    FPGZ_SHUFFLE_NONE,
    FPGZ_SHUFFLE_VALUES,
    FPGZ_SHUFFLE_DIFFERENCES, /* of each value's word and the one before; the first one's is itself */
};

/* Bytes that planes of the grid take in a scratch, rounded up to 64; 0 where there are none, as of values
 * that are bytes, which have no weights to tell apart. */
size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, enum fpgz_shuffle_way way);

/* From values to planes, and back, of the whole grid, where it has planes. */
void fpgz_shuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *values,
                  uint8_t *planes);
void fpgz_unshuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *planes,
                    uint8_t *values);

#endif

/* SPDX-License-Identifier: MIT
 * Values as planes of their bytes: all first (least significant) ones, then all second ones, and so on.
 * Exponents next to each other match, where mantissas between them would not. */
#ifndef FPGZ_CODEC_SHUFFLE_H
#define FPGZ_CODEC_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/grid.h"

/* Bytes that planes of the grid take in a scratch, rounded up to 64; 0 where `wanted` is, or where values are
 * bytes, which have no weights to tell apart. */
size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, uint32_t wanted);

/* From values to planes, and back, of the whole grid. */
void fpgz_shuffle(const struct fpgz_grid *grid, const uint8_t *values, uint8_t *planes);
void fpgz_unshuffle(const struct fpgz_grid *grid, const uint8_t *planes, uint8_t *values);

#endif

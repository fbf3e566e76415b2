/* SPDX-License-Identifier: MIT
 * Bands of an array in pieces: those that have the same index along the first axis. The values of a band, of
 * whole pieces, can be in row-major order, so that those of neighbouring pieces are neighbours. */
#ifndef FPGZ_CORE_BAND_H
#define FPGZ_CORE_BAND_H

#include "core/content.h"

/* What a chunk of a part with filters is made of, of which it has any number: pieces, or bands of them.
 * `extent` receives their extents. */
void fpgz_part_unit(const struct fpgz_part *part, uint64_t extent[FPGZ_MAX_DIMS]);

/* Pieces of a band: they stand behind each other in the sequence. */
uint64_t fpgz_band_pieces(const struct fpgz_part *part);

/* Whether two parts with filters have the same bands, or none. */
bool fpgz_bands_alike(const struct fpgz_part *x, const struct fpgz_part *y);

/* Copies piece `number` of a band from or into it. */
void fpgz_band_take(const struct fpgz_part *part, uint64_t number, const uint8_t *band, uint8_t *piece);
void fpgz_band_put(const struct fpgz_part *part, uint64_t number, const uint8_t *piece, uint8_t *band);

#endif

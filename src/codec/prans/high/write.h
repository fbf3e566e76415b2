/* SPDX-License-Identifier: MIT
 * The streams of the bands, written. */
#ifndef FPGZ_CODEC_PRANS_HIGH_WRITE_H
#define FPGZ_CODEC_PRANS_HIGH_WRITE_H

#include "codec/prans/high/encoding.h"

/* Bytes that there must be room for behind all raw bits but a tile's: those of a value are 64 at most. */
enum { PRANS_TILE_RAW = PRANS_TILE * 8 + 64 };

/* Writes the bands' streams and their lengths. Returns where they end; NULL where that would be less than
 * PRANS_TILE_RAW bytes before `room_end`. */
uint8_t *fpgz_prans_write_field(const struct prans_field *field, const struct prans_encoding *encoding,
                                uint8_t *stream, const uint8_t *room_end);

#endif

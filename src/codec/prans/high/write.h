/* SPDX-License-Identifier: MIT
 * The streams of the bands, written. */
#ifndef FPGZ_CODEC_PRANS_HIGH_WRITE_H
#define FPGZ_CODEC_PRANS_HIGH_WRITE_H

#include "codec/prans/high/encoding.h"

/* Writes the bands' streams and their lengths. Returns where they end; 8 bytes behind that may be written. */
uint8_t *fpgz_prans_write_field(const struct prans_field *field, const struct prans_encoding *encoding,
                                uint8_t *stream);

#endif

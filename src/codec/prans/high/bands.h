/* SPDX-License-Identifier: MIT
 * Decoding of the high setting's bands. */
#ifndef FPGZ_CODEC_PRANS_HIGH_BANDS_H
#define FPGZ_CODEC_PRANS_HIGH_BANDS_H

#include "codec/prans/high/description.h"

/* Bytes of scratch that fpgz_prans_decode_field() needs. */
size_t fpgz_prans_decode_field_memory(void);

/* Restores field->real and special from the bands' streams; all else of the field and the description stand.
 * False when the streams are not as long as they say, or do not end where encoding began. */
bool fpgz_prans_decode_field(struct prans_field *field, const struct prans_description *description,
                             const uint8_t *stream, size_t length, void *scratch);

#endif

/* SPDX-License-Identifier: MIT
 * What a high stream says before its symbols: the bank, the tiles' stencils, the contexts and their tables.
 */
#ifndef FPGZ_CODEC_PRANS_HIGH_DESCRIPTION_H
#define FPGZ_CODEC_PRANS_HIGH_DESCRIPTION_H

#include "codec/prans/high/select.h"

struct prans_description {
    struct prans_entry entry[PRANS_BANK];
    uint8_t class_of[2][PRANS_LEVELS];          /* of levels, of residual and of direct symbols */
    uint8_t classes[2];                         /* 0 of direct ones: there are none */
    uint8_t table[PRANS_CLASSES * PRANS_FLAGS]; /* of residual symbols, by class and flags */
    uint8_t direct_table[PRANS_CLASSES + 1];    /* of direct symbols; at the end of escaped ones */
    bool matches;
    uint8_t length_table, distance_table;
    unsigned frequents;
    uint32_t frequent[PRANS_FREQUENT];
    unsigned tables;
    uint16_t frequency[PRANS_TABLES][PRANS_SYMBOLS];
};

/* Writes or reads it: the field's model (fine, direct_top), bank and tiles, and *description. When reading,
 * the field's bands and axes stand; r->failed tells that something does not fit. */
void fpgz_prans_code_description(struct prans_range *r, struct prans_field *field,
                                 struct prans_description *description);

#endif

/* SPDX-License-Identifier: MIT
 * The choice of a chunk's bank of stencils, and of a stencil a tile. */
#ifndef FPGZ_CODEC_PRANS_HIGH_SELECT_H
#define FPGZ_CODEC_PRANS_HIGH_SELECT_H

#include "codec/prans/high/field.h"

struct prans_selection {
    struct prans_entry entry[PRANS_BANK];
    uint32_t (*cost)[PRANS_BANK]; /* of a tile's sample under a stencil, in 2^-8 bits */
    uint32_t *least;              /* of a tile's costs */
    struct prans_samples samples;
    uint8_t *group, *start; /* of each tile */
    uint8_t *part;          /* of so many of a tile's runs its sample has one */
};

/* Fills field->bank, stencils and tile and the entries, from the residuals of y. */
void fpgz_prans_select(struct prans_field *field, const void *y, struct prans_selection *selection);

/* About how many bits the residuals of y take, from a sample of tiles under the fixed stencils. */
uint64_t fpgz_prans_survey(struct prans_field *field, const void *y);

#endif

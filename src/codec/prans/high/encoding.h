/* SPDX-License-Identifier: MIT
 * Encoding of the high setting: its workspace and its steps. */
#ifndef FPGZ_CODEC_PRANS_HIGH_ENCODING_H
#define FPGZ_CODEC_PRANS_HIGH_ENCODING_H

#include "codec/prans/high/description.h"

enum {
    PRANS_COPIED_FIRST = 1,
    PRANS_COPIED = 2,
    PRANS_LEADS = 256, /* for the sizes of residuals */
};

struct prans_match {
    uint32_t back;
    uint16_t length; /* less 1 */
    uint8_t back_symbol;
};

struct prans_matcher;

struct prans_encoding {
    struct prans_description description;
    struct prans_selection selection;
    struct prans_clustering clustering;
    struct prans_symbol symbol[PRANS_SYMBOLS];
    /* By prans_lead(), of residuals that are not negative, and of others. */
    uint8_t lead_symbol[2][PRANS_LEADS];
    uint32_t share[PRANS_TABLES][PRANS_SYMBOLS]; /* frequency, and the sum of those below << 16 */
    uint8_t table_of[2][PRANS_CONTEXTS];         /* of contexts, and of those of direct symbols */
    uint16_t symbol_cost[PRANS_TABLES][PRANS_SYMBOLS];
    uint32_t histogram[PRANS_CLASSES * PRANS_FLAGS][PRANS_SYMBOLS];
    uint32_t direct_histogram[PRANS_CLASSES + 1][PRANS_SYMBOLS];
    uint32_t match_histogram[2][PRANS_SYMBOLS];
    uint32_t cluster[PRANS_TABLES][PRANS_SYMBOLS];
    bool any_copied;
    size_t band_matches[PRANS_BANDS + 1]; /* where each band's matches begin */

    /* Of each value. */
    uint8_t *residual; /* words of the dtype */
    uint16_t *context;
    uint8_t *symbol_of, *copied;
    uint16_t *cost; /* as it is coded so far, in 2^-3 bits */
    struct prans_match *match;
    struct prans_matcher *matcher;
    uint8_t *words_end; /* the end of room for a band's words */
};

#endif

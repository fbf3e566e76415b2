/* SPDX-License-Identifier: MIT
 * Encoding of the high setting: its workspace and its steps. */
#ifndef FPGZ_CODEC_PRANS_HIGH_ENCODE_H
#define FPGZ_CODEC_PRANS_HIGH_ENCODE_H

#include "codec/prans/high/description.h"

enum {
    PRANS_COPIED_FIRST = 1,
    PRANS_COPIED = 2,
};

struct prans_match {
    uint32_t back;
    uint16_t length; /* less 1 */
    uint8_t back_symbol;
};

struct prans_matcher;

struct prans_encoding {
    struct prans_side side;
    struct prans_selection selection;
    struct prans_clustering clustering;
    struct prans_symbol symbol[PRANS_SYMBOLS];
    uint8_t octave_bits[64], octave_symbol[64];
    uint16_t below[PRANS_TABLES][PRANS_SYMBOLS];
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

/* Of a length less 1, or a distance less 1: 0 to 15 are their own symbol, then there are four symbols an
 * octave with the other bits raw. */
static inline unsigned prans_number_symbol(uint32_t number, unsigned *bits, uint32_t *raw)
{
    *bits = 0;
    *raw = 0;
    if (number < 16)
        return number;
    *bits = 29 - (unsigned)__builtin_clz(number);
    *raw = number & ((1u << *bits) - 1);
    return 16 + 4 * (*bits - 2) + ((number >> *bits) - 4);
}

/* Plans the coding of a field of which the bands, `real`, `special` and the model's axes, kind, shift and
 * specials stand; y has the integers of all values. Completes field and encoding->side. */
void fpgz_prans_plan_field(struct prans_field *field, const void *y, struct prans_encoding *encoding);

/* The same when the bank, the tiles and the model stand. */
void fpgz_prans_plan_symbols(struct prans_field *field, const void *y, struct prans_encoding *encoding);

/* Writes the bands' streams and their lengths. Returns where they end; 8 bytes behind that may be written. */
uint8_t *fpgz_prans_write_field(const struct prans_field *field, const struct prans_encoding *encoding,
                                uint8_t *stream);

#endif

/* SPDX-License-Identifier: MIT
 * Frequencies of symbols: their scaling and their place in the stream. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_FREQUENCIES_H
#define FPGZ_CODEC_PRANS_ENTROPY_FREQUENCIES_H

#include <stddef.h>
#include <stdint.h>

#include "codec/prans/entropy/logarithm.h"
#include "codec/prans/entropy/range.h"

enum {
    PRANS_SYMBOLS = 256,
    PRANS_SCALE_BITS = 12,
    PRANS_SCALE = 1 << PRANS_SCALE_BITS, /* that the frequencies of a table add up to */
};

/* Scales counts to frequencies that sum up to PRANS_SCALE: 0 for a count of 0, else at least 1, and all but
 * the largest (the first of them) of at most four significant bits. Without any counts, symbol 0 has all. */
void fpgz_prans_scale(const uint32_t count[PRANS_SYMBOLS], uint16_t frequency[PRANS_SYMBOLS]);

/* Writes or reads `tables` tables of frequencies. */
void fpgz_prans_code_frequencies(struct prans_range *r, uint16_t (*frequency)[PRANS_SYMBOLS],
                                 unsigned tables);

#endif

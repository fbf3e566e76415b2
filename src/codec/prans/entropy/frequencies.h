/* SPDX-License-Identifier: MIT
 * Frequencies of symbols: their clustering into few tables, their scaling and their place in the stream. */
#ifndef FPGZ_CODEC_PRANS_FREQUENCIES_H
#define FPGZ_CODEC_PRANS_FREQUENCIES_H

#include <stddef.h>
#include <stdint.h>

#include "codec/prans/entropy/range.h"
#include "codec/prans/high/model.h"

/* The binary logarithm of `number` (at least 1) in 2^-16. */
uint32_t fpgz_prans_log2(uint32_t number);

enum { PRANS_GROUPS = 24 * 32 }; /* contexts to cluster, at most */

/* The symbols that a histogram has. */
struct prans_support {
    uint16_t symbols;
    uint8_t symbol[PRANS_SYMBOLS];
};

/* Workspace of clustering. Costs are in 2^-16 bits. */
struct prans_clustering {
    struct prans_support support[PRANS_GROUPS];
    uint64_t best[PRANS_GROUPS], least[PRANS_GROUPS];
    uint32_t cost[PRANS_TABLES][PRANS_SYMBOLS];
};

/* Groups `contexts` histograms of PRANS_SYMBOLS counts into at most `most` clusters, so that coding each by
 * its cluster's frequencies and the tables together are short. Counts sum up to less than 2^30. Fills
 * of_context (PRANS_NONE for a context without symbols) and adds the histograms up into `cluster`. Returns
 * how many clusters there are. */
unsigned fpgz_prans_cluster(uint32_t (*histogram)[PRANS_SYMBOLS], size_t contexts, unsigned most,
                            struct prans_clustering *workspace, uint8_t *of_context,
                            uint32_t (*cluster)[PRANS_SYMBOLS]);

/* Scales counts to frequencies that sum up to PRANS_SCALE: 0 for a count of 0, else at least 1, and all but
 * the largest (the first of them) of at most four significant bits. Without any counts, symbol 0 has all. */
void fpgz_prans_scale(const uint32_t count[PRANS_SYMBOLS], uint16_t frequency[PRANS_SYMBOLS]);

/* Writes or reads `tables` tables of frequencies. */
void fpgz_prans_code_frequencies(struct prans_range *r, uint16_t (*frequency)[PRANS_SYMBOLS],
                                 unsigned tables);

#endif

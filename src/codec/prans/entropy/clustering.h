/* SPDX-License-Identifier: MIT
 * Histograms of many contexts to few tables. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_CLUSTERING_H
#define FPGZ_CODEC_PRANS_ENTROPY_CLUSTERING_H

#include "codec/prans/entropy/frequencies.h"

enum {
    PRANS_TABLES = 48,      /* of frequencies, at most */
    PRANS_GROUPS = 24 * 32, /* contexts to cluster, at most */
    PRANS_NO_TABLE = 255,   /* the cluster of a context without symbols */
};

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
 * of_context (PRANS_NO_TABLE for a context without symbols) and adds the histograms up into `cluster`.
 * Returns how many clusters there are. */
unsigned fpgz_prans_cluster(uint32_t (*histogram)[PRANS_SYMBOLS], size_t contexts, unsigned most,
                            struct prans_clustering *workspace, uint8_t *of_context,
                            uint32_t (*cluster)[PRANS_SYMBOLS]);

#endif

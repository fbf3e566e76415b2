/* SPDX-License-Identifier: MIT
 * What values would cost, in a domain and by a prediction: from a sample of them, or from all. */
#ifndef FPGZ_CODEC_PRANS_BINS_ESTIMATE_H
#define FPGZ_CODEC_PRANS_BINS_ESTIMATE_H

#include "codec/prans/bins/work.h"

struct bins_candidate {
    struct prans_domain domain;
    struct middle_mode mode;
    struct middle_mode flat; /* the best of the orders 0 and 1 */
    struct bins_grid direct; /* where nothing is predicted */
    uint64_t description;    /* bits that say what the domain is */
    uint64_t cost;           /* of all values with it */
    const uint8_t *marks;    /* a byte a value: which special value it is, or 0 */
    const uint8_t *flag;     /* the same; NULL if there are none */
    uint8_t *y;              /* integers of the pieces */
    uint8_t *all;            /* of all values; NULL as long as there are none */
    bool stale;              /* the domain's exceptions or dictionary have given way to those of another */
};

/* Chooses the mode for the candidate's integers, and what they cost, by a sample. other: NULL, or another
 * candidate for the same values, whose axes are tried alone. Less is tried for candidates that cost more
 * than `limit`. */
void fpgz_prans_bins_choose_mode(const struct bins_work *w, const struct bins_candidate *other,
                                 uint64_t limit, struct bins_candidate *c);

/* Learns bins for a candidate, of which there are all integers: sets the description but for heavy words and
 * tables, w->residual, and w->histogram of its classes. Returns what all values cost, in bits. */
uint64_t fpgz_prans_bins_measure(struct bins_work *w, const struct bins_candidate *c);

/* Learns bins of w->histogram. */
void fpgz_prans_bins_relearn(struct bins_work *w);

/* What a bin costs besides its words, in bits. */
unsigned fpgz_prans_bins_price(const struct bins_work *w);

#endif

/* SPDX-License-Identifier: MIT
 * How a candidate's integers are best predicted. */
#ifndef FPGZ_CODEC_PRANS_BINS_MODES_H
#define FPGZ_CODEC_PRANS_BINS_MODES_H

#include "codec/prans/bins/estimate.h"
#include "codec/prans/lead.h"

/* Chooses the mode for the candidate's integers, and what they cost, by a sample. other: NULL, or another
 * candidate for the same values, whose axes are tried alone. Less is tried for candidates that cost more
 * than `limit`. */
void fpgz_prans_bins_choose_mode(const struct bins_work *w, const struct bins_candidate *other,
                                 uint64_t limit, struct bins_candidate *c);

/* Gives the candidate a mode, and what its integers cost in that by the same sample. */
void fpgz_prans_bins_take_mode(const struct bins_work *w, const struct prans_way *way,
                               struct bins_candidate *c);

/* Measures a candidate, with its price if it is `close` to another. Higher orders run away where special
 * values are many, which samples do not see: then it gets its flat mode. Returns the price. */
uint64_t fpgz_prans_bins_measure_mode(struct bins_work *w, struct bins_candidate *c, bool close);

#endif

/* SPDX-License-Identifier: MIT
 * The encoder's choice of domain, prediction, classes and bins. */
#ifndef FPGZ_CODEC_PRANS_BINS_CHOOSE_H
#define FPGZ_CODEC_PRANS_BINS_CHOOSE_H

#include "codec/prans/bins/work.h"
#include "codec/prans/lead.h"
#include "codec/prans/parted/plan.h"

/* Chooses for the values, in the order in which they are coded: sets w->description but for its tables,
 * w->residual and, where there are special values, w->flag. False if values in
 * parts are better: sets *wanted then, unless that is NULL. Where chunks may follow, tells *lead, unless that
 * is NULL. */
bool fpgz_prans_bins_choose(struct bins_work *w, const void *values, struct prans_parts_wanted *wanted,
                            struct fpgz_lead *lead);

/* The same in the way of a chunk of the same grid. False where the values are not like that
 * chunk's. */
bool fpgz_prans_bins_follow(struct bins_work *w, const void *values, const struct prans_way *way);

/* Bits that the values would take by the samples that these choices begin with; by_parts: parted, too. */
uint64_t fpgz_prans_bins_survey(struct bins_work *w, const void *values, bool by_parts);

#endif

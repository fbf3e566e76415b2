/* SPDX-License-Identifier: MIT
 * Candidates whose values an aide enters. */
#ifndef FPGZ_CODEC_PRANS_BINS_AIDED_H
#define FPGZ_CODEC_PRANS_BINS_AIDED_H

#include "codec/prans/bins/estimate.h"

/* Has the aide enter all values, for each of `count` candidates. That sets their lines and their domains'
 * parameters. False where nothing has changed: there is no aide, it is not for one of them, the parameters
 * are not those of the pieces, or it fails. */
bool fpgz_prans_bins_settle_aided(struct bins_work *w, const void *values, struct bins_candidate *c,
                                  unsigned count);

/* Whether ranks of the values, but those that domain->special has, may have few enough distinct ones: if not,
 * the aide has found it. */
bool fpgz_prans_bins_may_rank(struct bins_work *w, const void *values, const uint8_t *flag,
                              const struct prans_domain *domain);

/* What an aide is told of the chunk. */
struct bins_shape fpgz_prans_bins_shape(const struct bins_work *w);

#endif

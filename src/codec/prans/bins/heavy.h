/* SPDX-License-Identifier: MIT
 * Words that stand so often that they have symbols of their own. */
#ifndef FPGZ_CODEC_PRANS_BINS_HEAVY_H
#define FPGZ_CODEC_PRANS_BINS_HEAVY_H

#include "codec/prans/bins/work.h"

/* Finds heavy words of w->residual, marks them in w->symbol, and learns bins without them. flag: NULL, or
 * where the special values are. */
void fpgz_prans_bins_set_heavy_apart(struct bins_work *w, const uint8_t *flag);

#endif

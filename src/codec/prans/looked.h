/* SPDX-License-Identifier: MIT
 * Values that a chunk which follows another one is looked at by. */
#ifndef FPGZ_CODEC_PRANS_LOOKED_H
#define FPGZ_CODEC_PRANS_LOOKED_H

#include "codec/codec.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/lead.h"

/* As codec.h has it. */
size_t fpgz_prans_looked(const struct fpgz_grid *grid, struct fpgz_looked *run);

/* Whether those may be enough for a chunk that follows the lead. */
static inline bool fpgz_prans_looks(const struct fpgz_lead *lead)
{
    return lead->unmatched && !lead->parted && !lead->way[0].special && bins_is_aided(lead->way[0].domain);
}

#endif

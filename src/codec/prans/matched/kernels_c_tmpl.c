/* SPDX-License-Identifier: MIT
 * Matches, their search and their parting in plain C. */
#include "codec/prans/matched/level.h"

INLINE uint64_t sampled_together(enum prans_number number, const WORD *word, uint64_t below)
{
    return sampled_one_by_one(number, word, below);
}

const struct prans_matched_kernels WIDTH(fpgz_prans_matched_c) = PRANS_MATCHED_KERNELS;

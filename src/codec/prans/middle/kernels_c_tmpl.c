/* SPDX-License-Identifier: MIT
 * The middle setting's kernels in plain C: these define the bytes. */
#include "codec/prans/middle/scalar.h"

INLINE void decode_block(const uint32_t *table, uint32_t *state, const uint8_t **words, uint8_t *symbol)
{
    for (unsigned i = 0; i < MIDDLE_BLOCK; i++)
        symbol[i] = (uint8_t)decode_symbol(table, &state[i % MIDDLE_LANES], words);
}

const struct prans_middle_kernels WIDTH(fpgz_prans_middle_c) = PRANS_MIDDLE_KERNELS;

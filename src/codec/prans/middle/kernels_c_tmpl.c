/* SPDX-License-Identifier: MIT
 * The middle setting's kernels in plain C: these define the bytes. */
#include "codec/prans/domain/values.h"

#include "codec/prans/middle/sums.h"

#include "codec/prans/middle/scalar.h"

INLINE void decode_block(const uint32_t *table, uint32_t *state, const uint8_t **words, uint8_t *symbol)
{
    for (unsigned i = 0; i < MIDDLE_BLOCK; i++)
        symbol[i] = (uint8_t)decode_symbol(table, &state[i % MIDDLE_LANES], words);
}

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    uint32_t state[MIDDLE_LANES];
    for (unsigned i = 0; i < MIDDLE_LANES; i++)
        state[i] = PRANS_STATE;
    for (size_t i = blocks * MIDDLE_BLOCK; i-- > 0;) {
        const uint32_t code = codes[ids[i / MIDDLE_BLOCK]][symbol[i]];
        state[i % MIDDLE_LANES] = prans_put_symbol(state[i % MIDDLE_LANES], code & 0xFFFF, code >> 16, &end);
    }
    return memcpy(end - sizeof state, state, sizeof state);
}

const struct prans_middle_kernels WIDTH(fpgz_prans_middle_c) = PRANS_MIDDLE_KERNELS;

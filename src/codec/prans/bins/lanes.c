/* SPDX-License-Identifier: MIT
 * rANS of few lanes, symbol by symbol. */
#include "codec/prans/bins/lanes.h"

#include <string.h>

#include "codec/prans/middle/step.h"

uint8_t *fpgz_prans_lanes_words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids,
                                const uint8_t *symbol, size_t count, unsigned lanes, uint8_t *end)
{
    uint32_t state[MIDDLE_LANES];
    for (unsigned i = 0; i < lanes; i++)
        state[i] = PRANS_STATE;
    for (size_t i = count; i-- > 0;) {
        const middle_code code = codes[ids[i / MIDDLE_BLOCK]][symbol[i]];
        state[i % lanes] = prans_put_symbol(state[i % lanes], code & 0xFFFF, code >> 16, &end);
    }
    const size_t bytes = lanes * sizeof *state;
    return memcpy(end - bytes, state, bytes);
}

bool fpgz_prans_lanes_unpack(const struct middle_source *source, size_t count, unsigned lanes,
                             uint8_t *symbol)
{
    const uint8_t *words = source->words;
    uint32_t state[MIDDLE_LANES], all = 0;
    memcpy(state, source->states, lanes * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        if (words > source->words_end)
            return false;
        symbol[i] =
            (uint8_t)decode_symbol(source->tables[source->ids[i / MIDDLE_BLOCK]], &state[i % lanes], &words);
    }
    for (unsigned i = 0; i < lanes; i++)
        all |= state[i] ^ PRANS_STATE;
    return !all && words == source->words_end;
}

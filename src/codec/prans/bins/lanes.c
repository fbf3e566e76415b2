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

/* A symbol of one lane. Whether it takes a word, nobody knows: moves, no branch. */
INLINE uint8_t unpack_symbol(const uint32_t *table, uint32_t *state, const uint8_t **words)
{
    const uint32_t entry = table[*state % PRANS_SCALE],
                   next = ((entry >> 8) % PRANS_SCALE + 1) * (*state >> PRANS_SCALE_BITS) + (entry >> 20),
                   filled = next << 16 | fpgz_load16(*words), is_short = next < PRANS_STATE;
    *state = is_short ? filled : next;
    *words += 2 * is_short;
    return (uint8_t)entry;
}

/* Of so many lanes, which compilers know. While there are words for all lanes, these are not counted. */
INLINE bool unpack_lanes(const struct middle_source *source, size_t count, unsigned lanes, uint8_t *symbol)
{
    const uint8_t *words = source->words;
    uint32_t state[MIDDLE_LANES], all = 0;
    memcpy(state, source->states, lanes * sizeof *state);
    for (size_t i = 0, end; i < count; i = end) {
        const uint32_t *const table = source->tables[source->ids[i / MIDDLE_BLOCK]];
        end = fpgz_min(count, i + MIDDLE_BLOCK);
        for (; i + lanes <= end && source->words_end - words >= 2 * (ptrdiff_t)lanes; i += lanes)
            for (unsigned l = 0; l < lanes; l++)
                symbol[i + l] = unpack_symbol(table, &state[l], &words);
        for (; i < end; i++) {
            if (words > source->words_end)
                return false;
            symbol[i] = unpack_symbol(table, &state[i % lanes], &words);
        }
    }
    for (unsigned i = 0; i < lanes; i++)
        all |= state[i] ^ PRANS_STATE;
    return !all && words == source->words_end;
}

bool fpgz_prans_lanes_unpack(const struct middle_source *source, size_t count, unsigned lanes,
                             uint8_t *symbol)
{
    switch (lanes) {
    case 1:
        return unpack_lanes(source, count, 1, symbol);
    case 2:
        return unpack_lanes(source, count, 2, symbol);
    case 4:
        return unpack_lanes(source, count, 4, symbol);
    case 8:
        return unpack_lanes(source, count, 8, symbol);
    case 16:
        return unpack_lanes(source, count, 16, symbol);
    default:
        return unpack_lanes(source, count, lanes, symbol);
    }
}

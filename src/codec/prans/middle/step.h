/* SPDX-License-Identifier: MIT
 * What the middle setting's kernels of all levels share. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_STEP_H
#define FPGZ_CODEC_PRANS_MIDDLE_STEP_H

#include <string.h>

#include "codec/prans/middle/kernels.h"
#include "core/bytes.h"
#include "core/inline.h"

/* Raw bits behind an ordinary value's symbol; none behind a special value's. */
INLINE unsigned raw_bits(unsigned symbol)
{
    return symbol < 8 || symbol >= MIDDLE_SPECIAL ? 0 : symbol / 4 - 1;
}

/* Takes a symbol out of a lane's state, and a word into it where it became short. */
INLINE unsigned decode_symbol(const uint32_t *table, uint32_t *state, const uint8_t **words)
{
    const uint32_t entry = table[*state % PRANS_SCALE];
    *state = ((entry >> 8) % PRANS_SCALE + 1) * (*state >> PRANS_SCALE_BITS) + (entry >> 20);
    if (*state < PRANS_STATE) {
        *state = *state << 16 | fpgz_load16(*words);
        *words += 2;
    }
    return entry & (PRANS_SYMBOLS - 1);
}

/* Whether a segment's words ended where they should. */
INLINE bool words_complete(const struct middle_source *source, const uint32_t *state, const uint8_t *words)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < MIDDLE_LANES; i++)
        all |= state[i] ^ PRANS_STATE;
    return !all && words == source->words_end;
}

/* The same, and its raw bits. */
INLINE bool is_complete(const struct middle_source *source, const uint32_t *state, const uint8_t *words,
                        uint64_t bit)
{
    return words_complete(source, state, words) && (bit + 7) / 8 == (size_t)(source->raw_end - source->raw);
}

#endif

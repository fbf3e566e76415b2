/* SPDX-License-Identifier: MIT
 * The steps of rANS: a state of 32 bits, words of 16, frequencies that add up to 4096. Symbols are encoded in
 * reverse, so that decoding goes forward. fpgz.5 has the arithmetic. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_RANS_H
#define FPGZ_CODEC_PRANS_ENTROPY_RANS_H

#include "codec/prans/entropy/frequencies.h"
#include "core/bytes.h"

enum { PRANS_STATE = 1 << 16 /* that encoding begins and decoding ends with; states are never below */ };

/* What decoding must know of each of the PRANS_SCALE slots of a state: symbol, frequency - 1 << 8, the slot's
 * number among those of its symbol << 20. */
static inline void prans_fill_slots(const uint16_t frequency[PRANS_SYMBOLS], uint32_t slot[PRANS_SCALE])
{
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        for (uint32_t i = 0; i < frequency[s]; i++)
            *slot++ = s | (uint32_t)(frequency[s] - 1) << 8 | i << 20;
}

/* The state with a symbol more, whose frequency this is, and the sum of those below it. A word may go before
 * *words, where there must be room for it: whether it does would often be guessed wrong. */
static inline __attribute__((always_inline)) uint32_t prans_put_symbol(uint32_t state, uint32_t frequency,
                                                                       uint32_t below, uint8_t **words)
{
    const uint32_t full = state >> (32 - PRANS_SCALE_BITS) >= frequency, rest = state >> (full * 16);
    fpgz_store16(*words - 2, (uint16_t)state);
    *words -= full * 2;
    return (rest / frequency << PRANS_SCALE_BITS) + rest % frequency + below;
}

#endif

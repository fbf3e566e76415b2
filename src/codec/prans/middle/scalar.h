/* SPDX-License-Identifier: MIT
 * For levels that have decode_block() alone: symbols are encoded, and raw bits decoded, one by one. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H
#define FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H

#include "codec/prans/middle/step.h"

INLINE uint32_t encode_symbol(middle_code code, uint32_t state, uint8_t **words)
{
    const uint32_t frequency = code & 0xFFFF, below = code >> 16;
    if (state >> (32 - PRANS_SCALE_BITS) >= frequency) {
        *words -= 2;
        fpgz_store16(*words, (uint16_t)state);
        state >>= 16;
    }
    return (state / frequency << PRANS_SCALE_BITS) + state % frequency + below;
}

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    uint32_t state[MIDDLE_LANES];
    for (unsigned i = 0; i < MIDDLE_LANES; i++)
        state[i] = MIDDLE_START;
    for (size_t i = blocks * MIDDLE_BLOCK; i-- > 0;) {
        const middle_code *const code = codes[ids[i / MIDDLE_BLOCK]];
        state[i % MIDDLE_LANES] = encode_symbol(code[symbol[i]], state[i % MIDDLE_LANES], &end);
    }
    return memcpy(end - sizeof state, state, sizeof state);
}

#define WORD uint32_t
#define NAME(name) name##_f32
#include "codec/prans/middle/scalar_tmpl.h"
#undef WORD
#undef NAME

#define WORD uint64_t
#define NAME(name) name##_f64
#include "codec/prans/middle/scalar_tmpl.h"
#undef WORD
#undef NAME

#endif

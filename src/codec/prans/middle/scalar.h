/* SPDX-License-Identifier: MIT
 * For levels that have decode_block() alone: symbols are encoded, and raw bits decoded, one by one. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_SCALAR_H
#define FPGZ_CODEC_PRANS_MIDDLE_SCALAR_H

#include "codec/prans/middle/step.h"

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

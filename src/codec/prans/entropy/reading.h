/* SPDX-License-Identifier: MIT
 * What range.h has, for reading alone: the state stays in registers, as each bit waits for the one before.
 * Chances tell most bits, so that these are branches; of raw bits nobody knows, so that these are none. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_READING_H
#define FPGZ_CODEC_PRANS_ENTROPY_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/inline.h"

enum { RANGE_CHANCE_BITS = 12, RANGE_ADAPT = 4, RANGE_LEAST = 1 << 24 };

/* Lent by fpgz_prans_range_lend(). */
struct prans_reading {
    uint32_t range, code;
    const uint8_t *at, *end;
    bool failed;
};

/* Beyond the end there are zeros. */
INLINE uint8_t prans_reading_byte(struct prans_reading *s)
{
    if (s->at == s->end) {
        s->failed = true;
        return 0;
    }
    return *s->at++;
}

INLINE void prans_reading_normalise(struct prans_reading *s)
{
    for (; s->range < RANGE_LEAST; s->range <<= 8)
        s->code = s->code << 8 | prans_reading_byte(s);
}

INLINE unsigned prans_reading_bit(struct prans_reading *s, uint16_t *chance)
{
    const uint32_t told = *chance, zero = (s->range >> RANGE_CHANCE_BITS) * told;
    const bool bit = s->code >= zero;
    if (bit) {
        *chance = (uint16_t)(told - (told >> RANGE_ADAPT));
        s->code -= zero;
        s->range -= zero;
    } else {
        *chance = (uint16_t)(told + (((1u << RANGE_CHANCE_BITS) - told) >> RANGE_ADAPT));
        s->range = zero;
    }
    prans_reading_normalise(s);
    return bit;
}

INLINE uint64_t prans_reading_bits(struct prans_reading *s, unsigned bits)
{
    uint64_t read = 0;
    while (bits-- > 0) {
        s->range >>= 1;
        const uint32_t bit = s->code >= s->range;
        s->code -= s->range & (0 - bit);
        read = read << 1 | bit;
        prans_reading_normalise(s);
    }
    return read;
}

/* In branches: the next chance is then looked up before the bit is known. */
INLINE unsigned prans_reading_tree(struct prans_reading *s, uint16_t *chances, unsigned bits)
{
    uint32_t range = s->range, code = s->code;
    unsigned node = 1;
    for (unsigned place = bits; place-- > 0;) {
        const uint32_t told = chances[node], zero = (range >> RANGE_CHANCE_BITS) * told;
        if (code >= zero) {
            chances[node] = (uint16_t)(told - (told >> RANGE_ADAPT));
            code -= zero;
            range -= zero;
            node = node << 1 | 1;
        } else {
            chances[node] = (uint16_t)(told + (((1u << RANGE_CHANCE_BITS) - told) >> RANGE_ADAPT));
            range = zero;
            node <<= 1;
        }
        for (; range < RANGE_LEAST; range <<= 8)
            code = code << 8 | prans_reading_byte(s);
    }
    s->range = range;
    s->code = code;
    return node - (1u << bits);
}

/* How many numbers of four bits by a tree are 0 before another one, or before bytes are taken: at most
 * `most`, each of the bits by chances in registers. */
INLINE unsigned prans_reading_zeros(struct prans_reading *s, uint16_t chances[16], unsigned most)
{
    uint32_t range = s->range, told[4] = {chances[1], chances[2], chances[4], chances[8]};
    unsigned count = 0;
    for (; count < most; count++) {
        uint32_t next = range;
        for (unsigned i = 0; i < 4; i++)
            next = (next >> RANGE_CHANCE_BITS) * told[i];
        if (next < RANGE_LEAST || s->code >= next)
            break;
        for (unsigned i = 0; i < 4; i++)
            told[i] += ((1u << RANGE_CHANCE_BITS) - told[i]) >> RANGE_ADAPT;
        range = next;
    }
    for (unsigned i = 0; i < 4; i++)
        chances[1 << i] = (uint16_t)told[i];
    s->range = range;
    return count;
}

INLINE uint64_t prans_reading_number(struct prans_reading *s, uint16_t *chances)
{
    unsigned top = 0;
    while (top < 63 && prans_reading_bit(s, &chances[top]))
        top++;
    uint64_t read = 1;
    const unsigned told = top < 2 ? top : 2;
    for (unsigned i = 0; i < told; i++)
        read = read << 1 | prans_reading_bit(s, &chances[64 + 4 * top + (unsigned)read]);
    return (read << (top - told) | prans_reading_bits(s, top - told)) - 1;
}

#endif

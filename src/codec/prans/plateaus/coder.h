/* SPDX-License-Identifier: MIT
 * Bits whose chances are told by what is around them: the range coder, with chances of 16 bits that learn
 * fast at first. */
#ifndef FPGZ_CODEC_PRANS_PLATEAUS_CODER_H
#define FPGZ_CODEC_PRANS_PLATEAUS_CODER_H

#include "codec/prans/entropy/reading.h"
#include "core/inline.h"

enum {
    CHANCE_BITS = 16,
    CHANCE_HALF = 1 << (CHANCE_BITS - 1),
    CHANCE_SURE = 32, /* no bit is less likely than this */
    SLOWEST = 6,      /* a chance moves by a part of 2^SLOWEST at last */
};

/* The chance of 0, and how many bits have told it, up to where it moves slowest. */
struct plateaus_chance {
    uint16_t zero, seen;
};

INLINE void plateaus_learn(struct plateaus_chance *chance, unsigned bit)
{
    const unsigned by = 31 - (unsigned)__builtin_clz(chance->seen + 2u);
    const uint32_t zero = chance->zero;
    chance->zero = (uint16_t)(bit ? zero - ((zero - CHANCE_SURE) >> by)
                                  : zero + (((1u << CHANCE_BITS) - CHANCE_SURE - zero) >> by));
    chance->seen = (uint16_t)(chance->seen + (by < SLOWEST));
}

/* As fpgz_prans_range_normalise() reads, of a state that stays in registers, for no call knows where it is.
 */
INLINE void plateaus_take(struct prans_range *r)
{
    for (; r->range < RANGE_LEAST; r->range <<= 8) {
        r->code <<= 8;
        if (r->at == r->end)
            r->failed = true;
        else
            r->code |= *r->at++;
    }
}

/* Codes a bit; writing or reading is known where this is called. */
INLINE unsigned plateaus_bit(struct prans_range *r, bool reading, struct plateaus_chance *chance,
                             unsigned bit)
{
    const uint32_t zero = (r->range >> CHANCE_BITS) * chance->zero;
    if (reading)
        bit = r->code >= zero;
    if (bit) {
        if (reading)
            r->code -= zero;
        else
            r->low += zero;
        r->range -= zero;
    } else {
        r->range = zero;
    }
    plateaus_learn(chance, bit);
    if (reading)
        plateaus_take(r);
    else if (r->range < RANGE_LEAST)
        fpgz_prans_range_normalise(r);
    return bit;
}

#endif

/* SPDX-License-Identifier: MIT
 * Lengths and distances as symbols. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_NUMBER_H
#define FPGZ_CODEC_PRANS_ENTROPY_NUMBER_H

#include <stdint.h>

/* Of a length less 1, or a distance less 1: 0 to 15 are their own symbol, then there are four symbols an
 * octave with the other bits raw. */
static inline unsigned prans_number_symbol(uint32_t number, unsigned *bits, uint32_t *raw)
{
    *bits = 0;
    *raw = 0;
    if (number < 16)
        return number;
    *bits = 29 - (unsigned)__builtin_clz(number);
    *raw = number & ((1u << *bits) - 1);
    return 16 + 4 * (*bits - 2) + ((number >> *bits) - 4);
}

#endif

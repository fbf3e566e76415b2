/* SPDX-License-Identifier: MIT
 * The symbols of RFC 1951, section 3.2.5, for lengths and distances. */
#ifndef FPGZ_CORE_DEFLATE_SYMBOLS_H
#define FPGZ_CORE_DEFLATE_SYMBOLS_H

#include "core/inline.h"

enum {
    DEFLATE_MIN_MATCH = 3,
    DEFLATE_MAX_MATCH = 258,
    DEFLATE_END = 256,      /* of a block */
    DEFLATE_LITERALS = 286, /* bytes, the end and lengths */
    DEFLATE_DISTANCES = 30,
    DEFLATE_CODES = 288,   /* of the fixed code of literals: two never occur */
    DEFLATE_KIND_BITS = 3, /* that begin a block: whether it is the last, and its kind */
};

enum fpgz_deflate_kind { DEFLATE_STORED, DEFLATE_FIXED, DEFLATE_DYNAMIC };

struct fpgz_deflate_symbol {
    unsigned symbol, extra, value; /* `extra` bits, which hold `value` */
};

/* Of the length DEFLATE_MIN_MATCH + `length`. */
INLINE struct fpgz_deflate_symbol fpgz_deflate_length(unsigned length)
{
    if (length == DEFLATE_MAX_MATCH - DEFLATE_MIN_MATCH)
        return (struct fpgz_deflate_symbol){DEFLATE_LITERALS - 1, 0, 0};
    const unsigned extra = 29 - (unsigned)__builtin_clz(length | 4);
    return (struct fpgz_deflate_symbol){DEFLATE_END + 1 + 4 * extra + (length >> extra), extra,
                                        length & ((1u << extra) - 1)};
}

/* Of the distance 1 + `distance`. */
INLINE struct fpgz_deflate_symbol fpgz_deflate_distance(unsigned distance)
{
    const unsigned extra = 30 - (unsigned)__builtin_clz(distance | 2);
    return (struct fpgz_deflate_symbol){2 * extra + (distance >> extra), extra,
                                        distance & ((1u << extra) - 1)};
}

/* The bits behind a symbol of either alphabet. */
INLINE unsigned fpgz_deflate_length_extra(unsigned symbol)
{
    const unsigned length = symbol - DEFLATE_END - 1;
    return symbol < DEFLATE_END + 9 || symbol == DEFLATE_LITERALS - 1 ? 0 : length / 4 - 1;
}

INLINE unsigned fpgz_deflate_distance_extra(unsigned symbol)
{
    return symbol < 4 ? 0 : symbol / 2 - 1;
}

#endif

/* SPDX-License-Identifier: MIT
 * Tokens: literals, then a match. Encoder and decoder walk them in the same way. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_TOKENS_H
#define FPGZ_CODEC_PRANS_MATCHED_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/inline.h"

enum {
    MATCHED_DEEPEST = 7, /* sources of sources */
    MATCHED_RECENT = 4,  /* distances that stood last */
    MATCHED_FIELDS = 3,
    MATCHED_TOKEN_PART = 2, /* tokens are at most one part of so many of the words */
};

/* The numbers of a token, in the order of their streams. */
enum { MATCHED_LITERALS, MATCHED_LENGTH /* less 1 */, MATCHED_SOURCE };

struct matched_tokens {
    uint32_t *field[MATCHED_FIELDS];
    size_t count, literals; /* literals: of all tokens and behind them */
    unsigned deepest;
};

/* The last distances, the newest first. */
struct matched_recent {
    uint32_t distance[MATCHED_RECENT];
};

INLINE void matched_begin(struct matched_recent *recent)
{
    for (unsigned i = 0; i < MATCHED_RECENT; i++)
        recent->distance[i] = i + 1;
}

INLINE void matched_remember(struct matched_recent *recent, unsigned place, uint32_t distance)
{
    for (; place; place--)
        recent->distance[place] = recent->distance[place - 1];
    recent->distance[0] = distance;
}

/* A source's number: twice that of the distance, plus 1 if it is negated. The distance's is its place among
 * the last ones, or else itself and 3 more. */
INLINE uint32_t matched_name(struct matched_recent *recent, uint32_t distance, bool negated)
{
    unsigned place = 0;
    while (place < MATCHED_RECENT && recent->distance[place] != distance)
        place++;
    const uint32_t number = place < MATCHED_RECENT ? place : distance + MATCHED_RECENT - 1;
    matched_remember(recent, place < MATCHED_RECENT ? place : MATCHED_RECENT - 1, distance);
    return number << 1 | negated;
}

/* Without branches: which of the last ones it is, nobody knows. Each of the MATCHED_RECENT is named. */
INLINE uint32_t matched_distance(struct matched_recent *recent, uint32_t source)
{
    const uint32_t number = source >> 1;
    const uint32_t a = recent->distance[0], b = recent->distance[1], c = recent->distance[2],
                   d = recent->distance[3];
    uint32_t distance = number - (MATCHED_RECENT - 1);
    distance = number == 0 ? a : distance;
    distance = number == 1 ? b : distance;
    distance = number == 2 ? c : distance;
    distance = number == 3 ? d : distance;
    recent->distance[0] = distance;
    recent->distance[1] = number > 0 ? a : b;
    recent->distance[2] = number > 1 ? b : c;
    recent->distance[3] = number > 2 ? c : d;
    return distance;
}

#endif

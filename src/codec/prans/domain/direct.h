/* SPDX-License-Identifier: MIT
 * Numbers of integers that lie so close together that there is a bit for each. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DIRECT_H
#define FPGZ_CODEC_PRANS_DOMAIN_DIRECT_H

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/place.h"
#include "core/bytes.h"

/* Whether integers from `least` to `most` have a bit each, in their order. */
INLINE bool is_direct(const struct prans_domain_room *room, const struct prans_domain *domain, WORD least,
                      WORD most)
{
    return domain->number != PRANS_REAL && (WORD)(most - least) >> room->slot_bits == 0;
}

/* The least and the largest place of words that are not special; false if all are. */
static bool find_span(const struct prans_domain *domain, const WORD *word, const uint8_t *flag, size_t count,
                      WORD *least, WORD *most)
{
    WORD low = (WORD) ~(WORD)0, high = 0;
    for (size_t i = 0; i < count; i++) {
        const WORD place = place_among(domain->number, word[i]), absent = (WORD) - (WORD)(flag[i] != 0);
        low = (place | absent) < low ? place | absent : low;
        high = (place & ~absent) > high ? place & ~absent : high;
    }
    *least = low;
    *most = high;
    return low <= high;
}

/* Which of 64 integers there are, as bits, and how many below these. */
struct stretch {
    uint64_t stand;
    uint32_t below;
};

/* Lists the distinct places, in order, of integers that have a bit each. False if they are too many. */
static bool list_direct(const WORD *word, const uint8_t *flag, size_t count,
                        const struct prans_domain_room *room, WORD least, WORD span,
                        struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary;
    const size_t most = count / PRANS_DISTINCT_PART, bytes = ((size_t)span / 8 + 1) * 8;
    uint8_t *const stands = (uint8_t *)room->slots;
    memset(stands, 0, bytes);
    for (size_t i = 0; i < count; i++)
        if (!flag[i])
            stands[(WORD)(place_among(domain->number, word[i]) - least)] = 1;
    for (size_t at = 0; at < bytes; at += 8) {
        const uint64_t ones = fpgz_load64(stands + at);
        if (domain->distinct + (unsigned)__builtin_popcountll(ones) > most)
            return false;
        for (uint64_t left = ones; left; left &= left - 1)
            dictionary[domain->distinct++] = (WORD)(least + at + (unsigned)__builtin_ctzll(left) / 8);
    }
    return true;
}

/* Sets the bits of the distinct places, which are in order. */
static void number_direct(const struct prans_domain_room *room, const struct prans_domain *domain)
{
    const WORD *const dictionary = domain->dictionary;
    const size_t span = (WORD)(dictionary[domain->distinct - 1] - dictionary[0]);
    struct stretch *const stretch = (struct stretch *)room->slots;
    memset(stretch, 0, (span / 64 + 1) * sizeof *stretch);
    for (size_t i = 0; i < domain->distinct; i++) {
        const WORD at = (WORD)(dictionary[i] - dictionary[0]);
        stretch[at / 64].stand |= (uint64_t)1 << at % 64;
    }
    for (size_t s = 0; s < span / 64; s++)
        stretch[s + 1].below = stretch[s].below + (uint32_t)__builtin_popcountll(stretch[s].stand);
}

/* The number of the place that lies so far above the first one. */
INLINE WORD number_of(const struct stretch *stretch, WORD at)
{
    const struct stretch *const s = &stretch[at / 64];
    return (WORD)(s->below + (unsigned)__builtin_popcountll(s->stand & (((uint64_t)1 << at % 64) - 1)));
}

#endif

/* SPDX-License-Identifier: MIT
 * The rank domain of short words, all of which a table has. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_SHORT_RANK_H
#define FPGZ_CODEC_PRANS_DOMAIN_SHORT_RANK_H

#include "codec/prans/domain/rank.h"

enum { WORDS = 1 << (WORD_BITS <= 16 ? WORD_BITS : 0) };

static bool find_short_distinct(const void *values, const uint8_t *flag, size_t count,
                                const struct prans_domain_room *room, struct prans_domain *domain)
{
    const WORD *const word = values;
    WORD *const dictionary = room->dictionary;
    uint8_t stands[WORDS + 1] = {0}; /* the last one for special values */
    domain->id = PRANS_DOMAIN_RANK;
    domain->dictionary = dictionary;
    domain->distinct = 0;
    if (!repeats(values, flag, count, *room, domain))
        return false;
    for (size_t i = 0; i < count; i++)
        stands[flag[i] ? (size_t)WORDS : word[i]] = 1;
    for (size_t place = 0; place < WORDS; place++) {
        if (!stands[word_of_place_among(domain->number, (WORD)place)])
            continue;
        if (domain->distinct == count / PRANS_DISTINCT_PART)
            return false;
        dictionary[domain->distinct++] = (WORD)place;
    }
    return domain->distinct > 0;
}

static void find_short_ranks(const void *values, const uint8_t *flag, size_t count,
                             const struct prans_domain *domain, void *y)
{
    const WORD *const word = values, *const dictionary = domain->dictionary;
    WORD *const rank = y;
    WORD number[WORDS] = {0};
    for (size_t i = 0; i < domain->distinct; i++)
        number[word_of_place_among(domain->number, dictionary[i]) & (WORDS - 1)] = (WORD)i;
    for (size_t i = 0; i < count; i++) {
        const WORD one = number[word[i] & (WORDS - 1)];
        rank[i] = flag[i] ? 0 : one;
    }
}

/* The rank domain of words of any width. */
static bool find_any_distinct(const void *values, const uint8_t *flag, size_t count,
                              const struct prans_domain_room *room, struct prans_domain *domain)
{
    return WORD_BITS <= 16 ? find_short_distinct(values, flag, count, room, domain)
                           : find_distinct(values, flag, count, room, domain);
}

static void find_any_ranks(const void *values, const uint8_t *flag, size_t count,
                           const struct prans_domain_room *room, const struct prans_domain *domain, void *y)
{
    if (WORD_BITS <= 16)
        find_short_ranks(values, flag, count, domain, y);
    else
        find_ranks(values, flag, count, room, domain, y);
}

static bool enter_any_rank(const void *values, const uint8_t *flag, size_t count,
                           const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    if (!find_any_distinct(values, flag, count, room, domain))
        return false;
    find_any_ranks(values, flag, count, room, domain, y);
    return true;
}

#endif

/* SPDX-License-Identifier: MIT
 * The rank domain of short words, all of which a table has. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_SHORT_RANK_H
#define FPGZ_CODEC_PRANS_DOMAIN_SHORT_RANK_H

#include "codec/prans/domain/rank.h"

static bool enter_short_rank(const void *values, const uint8_t *flag, size_t count,
                             const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    enum { WORDS = 1 << (WORD_BITS <= 16 ? WORD_BITS : 0) };
    const WORD *const word = values;
    WORD *const dictionary = room->dictionary, *const rank = y;
    WORD number[WORDS] = {0};
    uint8_t stands[WORDS + 1] = {0}; /* the last one for special values */
    domain->id = PRANS_DOMAIN_RANK;
    domain->dictionary = dictionary;
    domain->distinct = 0;
    if (!repeats(domain, word, flag, count, *room))
        return false;
    for (size_t i = 0; i < count; i++)
        stands[flag[i] ? (size_t)WORDS : word[i]] = 1;
    for (size_t place = 0; place < WORDS; place++) {
        const WORD one = word_of_place_among(domain->number, (WORD)place);
        if (!stands[one])
            continue;
        if (domain->distinct == count / PRANS_DISTINCT_PART)
            return false;
        number[one] = (WORD)domain->distinct;
        dictionary[domain->distinct++] = (WORD)place;
    }
    for (size_t i = 0; i < count; i++) {
        const WORD one = number[word[i]];
        rank[i] = flag[i] ? 0 : one;
    }
    return domain->distinct > 0;
}

/* Enters the rank domain with words of any width. */
static bool enter_any_rank(const void *values, const uint8_t *flag, size_t count,
                           const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    return WORD_BITS <= 16 ? enter_short_rank(values, flag, count, room, domain, y)
                           : enter_rank(values, flag, count, room, domain, y);
}

#endif

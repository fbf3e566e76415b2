/* SPDX-License-Identifier: MIT
 * Value domains of halves and integers, for words of one width. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_WORDS_LEVEL_H
#define FPGZ_CODEC_PRANS_DOMAIN_WORDS_LEVEL_H

#include "codec/prans/domain/crowd.h"
#include "codec/prans/domain/front.h"
#include "codec/prans/domain/short_rank.h"
#include "codec/prans/domain/specials.h"
#include "codec/prans/domain/words.h"
#include "core/bytes.h"

/* The least and the largest number often stand for the want of one; of halves, infinities and NaNs do. */
INLINE bool is_absent(const struct prans_domain *domain, WORD bits)
{
    const WORD place = place_among(domain->number, bits);
    if (domain->number == PRANS_REAL)
        return (WORD)(bits << 1) >= domain->infinity;
    return place == 0 || place == (WORD) ~(WORD)0;
}

/* How many steps words lie from the first one, less `below`. Steps divide these distances, so that the
 * inverse of their odd part does, too; of special values they need not, and what comes out means nothing. */
static void divide_distances(const WORD *word, size_t count, WORD first, WORD step, WORD below,
                             WORD *restrict y)
{
    const unsigned shift = (unsigned)__builtin_ctzll(step);
    const uint64_t inverse = fpgz_inverse((WORD)(step >> shift));
    if (step == 1) {
        const WORD origin = (WORD)(first + below);
        for (size_t i = 0; i < count; i++)
            y[i] = (WORD)(word[i] - origin);
        return;
    }
    for (size_t i = 0; i < count; i++)
        y[i] = (WORD)((WORD)((WORD)(word[i] - first) >> shift) * inverse - below);
}

static void enter_integer(const WORD *word, const uint8_t *flag, size_t count, struct prans_domain *domain,
                          WORD *y)
{
    WORD least = (WORD) ~(WORD)0, step = 0;
    for (size_t i = 0; i < count; i++) {
        const WORD place = place_among(domain->number, word[i]) | (WORD) - (WORD)(flag[i] != 0);
        least = place < least ? place : least;
    }
    const WORD first = word_of_place_among(domain->number, least);
    for (size_t i = 0; i < count && step != 1; i++)
        step = flag[i] ? step : (WORD)fpgz_common_divisor(step, (WORD)(word[i] - first));
    const WORD below = (WORD)fpgz_prans_set_integers(domain, WORD_BITS, least, step);
    divide_distances(word, count, first, (WORD)domain->step, below, y);
}

static bool enter_plain(const void *values, const uint8_t *flag, size_t count,
                        const struct prans_domain_room *room, struct prans_domain *domain, void *integers)
{
    const WORD *const word = values;
    WORD *const y = integers, all = 0;
    (void)room;
    if (domain->number != PRANS_REAL) {
        enter_integer(word, flag, count, domain, y);
        return true;
    }
    for (size_t i = 0; i < count; i++)
        all |= flag[i] ? 0 : word[i];
    domain->id = PRANS_DOMAIN_FLOAT;
    domain->shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    if (domain->shift > WORD_BITS - 2)
        domain->shift = WORD_BITS - 2;
    for (size_t i = 0; i < count; i++)
        y[i] = (WORD)(place_of(word[i]) >> domain->shift);
    return true;
}

static void leave(const struct prans_domain *domain, size_t count, void *integers)
{
    WORD *const y = integers;
    if (domain->id == PRANS_DOMAIN_FLOAT) {
        const unsigned shift = domain->shift;
        const WORD mask = (WORD)((WORD) ~(WORD)0 << shift);
        for (size_t i = 0; i < count; i++)
            y[i] = word_of_place((WORD)(y[i] << shift)) & mask;
    } else if (domain->id == PRANS_DOMAIN_INTEGER) {
        const WORD origin = (WORD)domain->origin, step = (WORD)domain->step;
        for (size_t i = 0; i < count; i++)
            y[i] = (WORD)(origin + (uint64_t)step * y[i]);
    } else {
        const WORD *const dictionary = domain->dictionary, last = (WORD)(domain->distinct - 1);
        const enum prans_number number = domain->number;
        for (size_t i = 0; i < count; i++)
            y[i] = dictionary[y[i] < last ? y[i] : last];
        for (size_t i = 0; i < count; i++) /* by vectors, unlike what the dictionary has */
            y[i] = word_of_place_among(number, y[i]);
    }
}

static uint64_t description_cost(const struct prans_domain *domain)
{
    return domain->id == PRANS_DOMAIN_RANK ? rank_cost(domain) : 0;
}

static void code_words(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                       struct prans_domain *domain)
{
    uint16_t chances[PRANS_NUMBER_CHANCES];
    const enum prans_domain_id plain =
        domain->number == PRANS_REAL ? PRANS_DOMAIN_FLOAT : PRANS_DOMAIN_INTEGER;
    code_front(r, WORD_BITS, domain);
    if (domain->id == PRANS_DOMAIN_RANK) {
        code_rank(r, count, room, domain);
    } else if (domain->id != plain) {
        r->failed = true;
    } else if (plain == PRANS_DOMAIN_FLOAT) {
        code_shift(r, WORD_BITS - 1, domain);
    } else {
        domain->origin = (int64_t)fpgz_prans_range_bits(r, WORD_BITS, (WORD)domain->origin);
        fpgz_prans_chances(chances, PRANS_NUMBER_CHANCES);
        domain->step = fpgz_prans_range_number(r, chances, domain->step - 1) + 1;
    }
}

#define PRANS_WORDS_KERNELS                                                                                  \
    {                                                                                                        \
        .domain = {.specials = find_specials,                                                                \
                   .flags = mark_specials,                                                                   \
                   .enter = {enter_plain, NULL, enter_any_rank, NULL, NULL},                                 \
                   .distinct = find_any_distinct,                                                            \
                   .followed = count_followed,                                                               \
                   .widen = widen_distinct,                                                                  \
                   .narrow = narrow_distinct,                                                                \
                   .ranks = find_any_ranks,                                                                  \
                   .description = description_cost,                                                          \
                   .code = code_words},                                                                      \
        .leave = leave,                                                                                      \
    }

#endif

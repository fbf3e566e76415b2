/* SPDX-License-Identifier: MIT
 * The rank domain: a dictionary of the distinct values. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_RANK_H
#define FPGZ_CODEC_PRANS_DOMAIN_RANK_H

#include <stdlib.h>
#include <string.h>

#include "codec/prans/domain/direct.h"
#include "codec/prans/domain/distinct.h"

static int by_place(const void *a, const void *b)
{
    const WORD x = *(const WORD *)a, y = *(const WORD *)b;
    return (x > y) - (x < y);
}

/* Sorts places by digits, from the lowest; `other` has room for as many. */
static void sort_places(WORD *places, size_t count, WORD *other)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 256 };
    WORD *from = places, *to = other;
    if (count < FEW) {
        qsort(places, count, sizeof *places, by_place);
        return;
    }
    for (unsigned shift = 0; shift < WORD_BITS; shift += DIGIT_BITS) {
        uint32_t below[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            below[(from[i] >> shift) % DIGITS + 1]++;
        if (below[(*from >> shift) % DIGITS + 1] == count)
            continue;
        for (unsigned d = 0; d < DIGITS; d++)
            below[d + 1] += below[d];
        for (size_t i = 0; i < count; i++)
            to[below[(from[i] >> shift) % DIGITS]++] = from[i];
        WORD *const swapped = from;
        from = to;
        to = swapped;
    }
    if (from != places)
        memcpy(places, from, count * sizeof *places);
}

/* About how many bits code_rank() takes. */
static uint64_t rank_cost(const struct prans_domain *domain)
{
    const WORD *const dictionary = domain->dictionary;
    uint64_t bits = 0;
    WORD gap = 0;
    for (size_t i = 1; i < domain->distinct; i++) {
        const SIGNED difference = (SIGNED)(WORD)(dictionary[i] - dictionary[i - 1] - gap);
        gap = (WORD)(dictionary[i] - dictionary[i - 1]);
        bits += 66 - (unsigned)__builtin_clzll((uint64_t)(difference < 0 ? ~difference : difference) | 1);
    }
    return bits;
}

/* Each place as its distance to the one before, by how that differs from the distance before. */
static void code_rank(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                      struct prans_domain *domain)
{
    uint16_t chances[2][PRANS_NUMBER_CHANCES], sign[2];
    fpgz_prans_chances(&chances[0][0], sizeof chances / sizeof(uint16_t));
    fpgz_prans_chances(sign, 2);
    domain->distinct = (size_t)fpgz_prans_range_bits(r, 28, domain->distinct);
    if (r->reading) {
        domain->dictionary = room->dictionary;
        r->failed |= !domain->distinct || domain->distinct > count / PRANS_DISTINCT_PART;
    }
    WORD *const dictionary = domain->dictionary, before = 0, gap_before = 0;
    unsigned small = 0;
    for (size_t i = 0; i < domain->distinct && !r->failed; i++) {
        const WORD gap = (WORD)(dictionary[i] - before), difference = (WORD)(gap - gap_before);
        unsigned negative = (unsigned)(difference >> (WORD_BITS - 1));
        uint64_t size =
            fpgz_prans_range_number(r, chances[small], (WORD)(negative ? -difference : difference) >> 1);
        size = size << 1 | fpgz_prans_range_bit(r, &sign[1], (negative ? -difference : difference) & 1);
        if (size)
            negative = fpgz_prans_range_bit(r, &sign[0], negative);
        small = size < 4;
        gap_before = (WORD)(negative && size ? gap_before - size : gap_before + size);
        before = (WORD)(before + gap_before);
        dictionary[i] = before;
    }
}

/* Puts what tells the numbers of the distinct places, which are in order, into the slots. */
static void number_places(const struct prans_domain_room *room, const struct prans_domain *domain)
{
    const WORD *const dictionary = domain->dictionary;
    const struct prans_domain_room table = room_for(room, domain->distinct);
    if (is_direct(room, domain, dictionary[0], dictionary[domain->distinct - 1]))
        number_direct(room, domain);
    else
        number_in_slots(&table, dictionary, domain->distinct);
}

static bool widen_distinct(size_t count, const struct prans_domain_room *room, struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary;
    for (; domain->specials; domain->specials--) {
        const WORD place = place_among(domain->number, (WORD)domain->special[domain->specials - 1]);
        size_t at = domain->distinct;
        if (at == count / PRANS_DISTINCT_PART)
            return false;
        for (; at && dictionary[at - 1] > place; at--)
            dictionary[at] = dictionary[at - 1];
        dictionary[at] = place;
        domain->distinct++;
    }
    number_places(room, domain);
    return true;
}

/* The reverse: `domain` is what widen_distinct() was given. */
static void narrow_distinct(const struct prans_domain_room *room, const struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary;
    size_t kept = 0;
    for (size_t i = 0; i < domain->distinct + domain->specials; i++) {
        bool special = false;
        for (unsigned s = 0; s < domain->specials; s++)
            special |= dictionary[i] == place_among(domain->number, (WORD)domain->special[s]);
        dictionary[kept] = dictionary[i];
        kept += !special;
    }
    number_places(room, domain);
}

/* Finds the distinct places, in order, and what tells their numbers. False if they are too many. */
static bool find_distinct(const void *values, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain)
{
    const WORD *const word = values;
    WORD *const dictionary = room->dictionary;
    struct rank_sample sample;
    WORD least, largest;
    domain->id = PRANS_DOMAIN_RANK;
    domain->dictionary = dictionary;
    domain->distinct = 0;
    if (tells_too_many(word, flag, count, *room, domain, RANK_SAMPLE_BITS, &sample))
        return false;
    if (domain->number != PRANS_REAL && find_span(domain, word, flag, count, &least, &largest) &&
        is_direct(room, domain, least, largest)) {
        if (!list_direct(word, flag, count, room, least, (WORD)(largest - least), domain))
            return false;
    } else {
        if ((may_be_distinct(&sample, count) && are_too_many(word, flag, count, room, domain)) ||
            !return_often(domain, word, flag, count, *room) ||
            !list_distinct(word, flag, count, room, domain) || !domain->distinct)
            return false;
        sort_places(dictionary, domain->distinct, (WORD *)room->slots);
    }
    number_places(room, domain);
    return true;
}

static void find_ranks(const void *values, const uint8_t *flag, size_t count,
                       const struct prans_domain_room *room, const struct prans_domain *domain, void *y)
{
    const WORD *word = values, *const dictionary = domain->dictionary;
    const struct prans_domain_room table = room_for(room, domain->distinct);
    WORD *rank = y, place[FORESEEN];
    if (is_direct(room, domain, dictionary[0], dictionary[domain->distinct - 1])) {
        const struct stretch *const stretch = (const struct stretch *)room->slots;
        for (size_t i = 0; i < count; i++)
            rank[i] = flag[i]
                          ? 0
                          : number_of(stretch, (WORD)(place_among(domain->number, word[i]) - dictionary[0]));
        return;
    }
    for (size_t part; count; word += part, flag += part, rank += part, count -= part) {
        size_t at[FORESEEN];
        uint32_t number[FORESEEN];
        part = fpgz_min(count, FORESEEN);
        for (size_t i = 0; i < part; i++)
            place[i] = place_among(domain->number, word[i]);
        foresee_slots(&table, place, part, at);
        for (uint64_t left = look_up_places(&table, dictionary, place, flag, part, at, number); left;
             left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(left);
            number[i] = *slot_from(&table, dictionary, at[i], place[i]) - 1;
        }
        for (size_t i = 0; i < part; i++)
            rank[i] = flag[i] ? 0 : (WORD)number[i];
    }
}

#endif

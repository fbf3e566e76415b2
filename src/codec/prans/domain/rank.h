/* SPDX-License-Identifier: MIT
 * The rank domain: a dictionary of the distinct values. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_RANK_H
#define FPGZ_CODEC_PRANS_DOMAIN_RANK_H

#include <stdlib.h>
#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/place.h"
#include "codec/sample.h"
#include "core/bytes.h"

/* Where the search for a place in the hash table of places in `dictionary` begins. */
static inline size_t hash_of_place(const struct prans_domain_room *room, WORD place)
{
    return (size_t)((uint64_t)place * UINT64_C(0x9E3779B97F4A7C15) >> (64 - room->slot_bits));
}

/* The slot of a place, from there on: that of its number + 1, or an empty one. */
static inline uint32_t *slot_from(const struct prans_domain_room *room, const WORD *dictionary, size_t at,
                                  WORD place)
{
    while (room->slots[at] && dictionary[room->slots[at] - 1] != place)
        at = (at + 1) & (((size_t)1 << room->slot_bits) - 1);
    return &room->slots[at];
}

static inline uint32_t *slot_of(const struct prans_domain_room *room, const WORD *dictionary, WORD place)
{
    return slot_from(room, dictionary, hash_of_place(room, place), place);
}

enum { FORESEEN = 64 /* places whose slots are asked for together */ };

/* Asks for the slots of up to FORESEEN places. */
INLINE void foresee_slots(const struct prans_domain_room *room, const WORD *place, size_t count, size_t *at)
{
    for (size_t i = 0; i < count; i++)
        at[i] = hash_of_place(room, place[i]);
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(&room->slots[at[i]], 1);
}

static int by_place(const void *a, const void *b)
{
    const WORD x = *(const WORD *)a, y = *(const WORD *)b;
    return (x > y) - (x < y);
}

/* Whether an eighth of the values tells that they return often enough for ranks. */
static bool return_often(const struct prans_domain *domain, const WORD *word, const uint8_t *flag,
                         size_t count, struct prans_domain_room room)
{
    const uint32_t again = UINT32_C(1) << 31;
    WORD *const dictionary = room.dictionary;
    size_t distinct = 0, sampled = 0, once = 0;
    if (count < PRANS_RETURN_LEAST)
        return true;
    room.slot_bits -= 1;
    memset(room.slots, 0, sizeof *room.slots << room.slot_bits);
    for (size_t i = 0; i + PRANS_RETURN_RUN <= count; i += PRANS_RETURN_PERIOD) {
        WORD place[PRANS_RETURN_RUN];
        size_t at[FORESEEN];
        for (size_t k = 0; k < PRANS_RETURN_RUN; k++)
            place[k] = place_among(domain->number, word[i + k]);
        foresee_slots(&room, place, PRANS_RETURN_RUN, at);
        for (size_t k = 0; k < PRANS_RETURN_RUN; k++) {
            if (flag[i + k])
                continue;
            uint32_t *slot = &room.slots[at[k]];
            while (*slot && dictionary[(*slot & ~again) - 1] != place[k])
                slot = slot + 1 == room.slots + ((size_t)1 << room.slot_bits) ? room.slots : slot + 1;
            sampled++;
            once -= *slot && !(*slot & again);
            if (*slot) {
                *slot |= again;
                continue;
            }
            dictionary[distinct++] = place[k];
            *slot = (uint32_t)distinct;
            once++;
        }
    }
    return once * 100 <= sampled * PRANS_RETURN_PERCENT;
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

/* Whether a sample has as many values more than once as it would at least if few were distinct. Uses the
 * room's slots and dictionary. */
static bool repeats(const void *values, const uint8_t *flag, size_t count, struct prans_domain_room room,
                    const struct prans_domain *domain)
{
    enum { SAMPLES = 4096, SLOT_BITS = 13, MARGIN = 4 };
    const WORD *const word = values;
    WORD *const dictionary = room.dictionary;
    const size_t most = count / PRANS_DISTINCT_PART;
    size_t distinct = 0, sampled = 0;
    if (most < SAMPLES || room.slot_bits < SLOT_BITS)
        return true;
    room.slot_bits = SLOT_BITS;
    memset(room.slots, 0, sizeof *room.slots << SLOT_BITS);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const size_t at = fpgz_sample_place(i, SAMPLES, count);
        if (flag[at])
            continue;
        const WORD place = place_among(domain->number, word[at]);
        uint32_t *const slot = slot_of(&room, dictionary, place);
        sampled++;
        if (*slot)
            continue;
        dictionary[distinct++] = place;
        *slot = (uint32_t)distinct;
    }
    return (sampled - distinct) * most * 2 * MARGIN >= sampled * sampled;
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

/* Lists the distinct places in the order in which they come. False if they are too many. */
static bool list_distinct(const WORD *word, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary, place[FORESEEN];
    const size_t most = count / PRANS_DISTINCT_PART;
    memset(room->slots, 0, sizeof *room->slots << room->slot_bits);
    for (size_t part; count; word += part, flag += part, count -= part) {
        size_t at[FORESEEN];
        part = fpgz_min(count, FORESEEN);
        for (size_t i = 0; i < part; i++)
            place[i] = place_among(domain->number, word[i]);
        foresee_slots(room, place, part, at);
        for (size_t i = 0; i < part; i++) {
            if (flag[i])
                continue;
            uint32_t *const slot = slot_from(room, dictionary, at[i], place[i]);
            if (*slot)
                continue;
            if (domain->distinct == most)
                return false;
            dictionary[domain->distinct++] = place[i];
            *slot = (uint32_t)domain->distinct;
        }
    }
    return true;
}

/* Whether integers from `least` to `most` have a slot each, in their order. */
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

/* Lists the distinct places, in order, of integers that have a slot each, with their numbers. False if they
 * are too many. */
static bool list_direct(const WORD *word, const uint8_t *flag, size_t count,
                        const struct prans_domain_room *room, WORD least, WORD span,
                        struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary;
    const size_t most = count / PRANS_DISTINCT_PART;
    memset(room->slots, 0, ((size_t)span + 1) * sizeof *room->slots);
    for (size_t i = 0; i < count; i++)
        if (!flag[i])
            room->slots[(WORD)(place_among(domain->number, word[i]) - least)] = 1;
    for (size_t at = 0; at <= span; at++) {
        if (!room->slots[at])
            continue;
        if (domain->distinct == most)
            return false;
        dictionary[domain->distinct++] = (WORD)(least + at);
        room->slots[at] = (uint32_t)domain->distinct;
    }
    return true;
}

/* Puts the numbers of the distinct places, in order, into the slots. */
static void number_places(const struct prans_domain_room *room, const struct prans_domain *domain)
{
    const WORD *const dictionary = domain->dictionary;
    if (is_direct(room, domain, dictionary[0], dictionary[domain->distinct - 1])) {
        for (size_t i = 0; i < domain->distinct; i++)
            room->slots[(WORD)(dictionary[i] - dictionary[0])] = (uint32_t)i + 1;
        return;
    }
    memset(room->slots, 0, sizeof *room->slots << room->slot_bits);
    for (size_t first = 0, part; first < domain->distinct; first += part) {
        size_t at[FORESEEN];
        part = fpgz_min(domain->distinct - first, FORESEEN);
        foresee_slots(room, dictionary + first, part, at);
        for (size_t i = 0; i < part; i++)
            *slot_from(room, dictionary, at[i], dictionary[first + i]) = (uint32_t)(first + i) + 1;
    }
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

/* Finds the distinct places, in order, and puts their numbers into the slots. False if they are too many. */
static bool find_distinct(const void *values, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain)
{
    const WORD *const word = values;
    WORD *const dictionary = room->dictionary;
    domain->id = PRANS_DOMAIN_RANK;
    domain->dictionary = dictionary;
    domain->distinct = 0;
    WORD least, largest;
    if (!repeats(values, flag, count, *room, domain))
        return false;
    if (domain->number != PRANS_REAL && find_span(domain, word, flag, count, &least, &largest) &&
        is_direct(room, domain, least, largest))
        return list_direct(word, flag, count, room, least, (WORD)(largest - least), domain);
    if (!return_often(domain, word, flag, count, *room) || !list_distinct(word, flag, count, room, domain) ||
        !domain->distinct)
        return false;
    sort_places(dictionary, domain->distinct, (WORD *)room->slots);
    number_places(room, domain);
    return true;
}

static void find_ranks(const void *values, const uint8_t *flag, size_t count,
                       const struct prans_domain_room *room, const struct prans_domain *domain, void *y)
{
    const WORD *word = values, *const dictionary = domain->dictionary;
    WORD *rank = y, place[FORESEEN];
    if (is_direct(room, domain, dictionary[0], dictionary[domain->distinct - 1])) {
        for (size_t i = 0; i < count; i++)
            rank[i] =
                flag[i] ? 0 : room->slots[(WORD)(place_among(domain->number, word[i]) - dictionary[0])] - 1;
        return;
    }
    for (size_t part; count; word += part, flag += part, rank += part, count -= part) {
        size_t at[FORESEEN];
        part = fpgz_min(count, FORESEEN);
        for (size_t i = 0; i < part; i++)
            place[i] = place_among(domain->number, word[i]);
        foresee_slots(room, place, part, at);
        for (size_t i = 0; i < part; i++)
            rank[i] = flag[i] ? 0 : *slot_from(room, dictionary, at[i], place[i]) - 1;
    }
}

#endif

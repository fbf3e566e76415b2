/* SPDX-License-Identifier: MIT
 * Which places are distinct, and what tells earlier that they are too many for ranks. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DISTINCT_H
#define FPGZ_CODEC_PRANS_DOMAIN_DISTINCT_H

#include "codec/prans/domain/slots.h"
#include "codec/sample.h"

/* What a sample of values tells. */
struct rank_sample {
    size_t sampled, distinct;
};

enum { RANK_SAMPLE_BITS = 12, RANK_MORE_BITS = 14 };

/* Whether there are enough values for a sample of 2^bits, which then takes the room's slots and dictionary.
 */
static bool take_sample(const WORD *word, const uint8_t *flag, size_t count, struct prans_domain_room room,
                        const struct prans_domain *domain, unsigned bits, struct rank_sample *sample)
{
    enum { AHEAD = 16 };
    const uint32_t samples = (uint32_t)1 << bits;
    WORD *const dictionary = room.dictionary;
    *sample = (struct rank_sample){0, 0};
    if (count / PRANS_DISTINCT_PART < samples || room.slot_bits < bits + 1)
        return false;
    room.slot_bits = bits + 1;
    memset(room.slots, 0, sizeof *room.slots << room.slot_bits);
    for (uint32_t i = 0; i < samples; i++) {
        const size_t at = fpgz_sample_place(i, samples, count);
        __builtin_prefetch(&word[fpgz_sample_place((i + AHEAD) % samples, samples, count)]);
        if (flag[at])
            continue;
        const WORD place = place_among(domain->number, word[at]);
        uint32_t *const slot = slot_of(&room, dictionary, place);
        sample->sampled++;
        if (*slot)
            continue;
        dictionary[sample->distinct++] = place;
        *slot = (uint32_t)sample->distinct;
    }
    return true;
}

enum { MARGIN = 4, MORE_MARGIN = 2 /* by so much samples may be wrong */ };

/* Whether a sample of so many values has as many more than once as it would at least if few were distinct. */
static bool may_repeat(const struct rank_sample *s, size_t count, unsigned margin)
{
    return (s->sampled - s->distinct) * (count / PRANS_DISTINCT_PART) * 2 * margin >= s->sampled * s->sampled;
}

/* Whether it has as few as it would at most if many were. */
static bool may_be_distinct(const struct rank_sample *s, size_t count)
{
    return (s->sampled - s->distinct) * (count / PRANS_DISTINCT_PART) * 2 < MARGIN * s->sampled * s->sampled;
}

/* Whether a sample of 2^bits tells that there are too many distinct places. */
static bool tells_too_many(const WORD *word, const uint8_t *flag, size_t count, struct prans_domain_room room,
                           const struct prans_domain *domain, unsigned bits, struct rank_sample *sample)
{
    return take_sample(word, flag, count, room, domain, bits, sample) &&
           !may_repeat(sample, count, bits == RANK_MORE_BITS ? MORE_MARGIN : MARGIN);
}

static bool repeats(const void *values, const uint8_t *flag, size_t count, struct prans_domain_room room,
                    const struct prans_domain *domain)
{
    struct rank_sample sample;
    return !tells_too_many(values, flag, count, room, domain, RANK_SAMPLE_BITS, &sample);
}

/* Whether there are surely too many distinct places: a larger sample says so or, of all values, the bits that
 * their hashes set in a map. The second-level cache has it, unlike the slots. */
static bool are_too_many(const WORD *word, const uint8_t *flag, size_t count,
                         const struct prans_domain_room *room, const struct prans_domain *domain)
{
    const size_t most = count / PRANS_DISTINCT_PART;
    const unsigned bits = room->slot_bits + 1;
    uint64_t *const map = (uint64_t *)room->slots;
    struct rank_sample sample;
    size_t set = 0;
    if (tells_too_many(word, flag, count, *room, domain, RANK_MORE_BITS, &sample))
        return true;
    memset(map, 0, (size_t)1 << bits >> 3);
    for (size_t part; count && set <= most; word += part, flag += part, count -= part) {
        uint32_t at[FORESEEN];
        part = fpgz_min(count, FORESEEN);
        for (size_t i = 0; i < part; i++)
            at[i] = (uint32_t)hash_of_place(place_among(domain->number, word[i]), bits);
        for (size_t i = 0; i < part; i++) {
            uint64_t *const those = &map[at[i] / 64];
            const uint64_t before = *those, bit = (uint64_t)!flag[i] << at[i] % 64;
            set += (bit & ~before) != 0;
            *those = before | bit;
        }
    }
    return set > most;
}

/* Whether an eighth of the values tells that they return often enough for ranks. */
static bool return_often(const struct prans_domain *domain, const WORD *word, const uint8_t *flag,
                         size_t count, struct prans_domain_room room)
{
    WORD *const dictionary = room.dictionary;
    size_t distinct = 0, sampled = 0, once = 0;
    if (count < PRANS_RETURN_LEAST)
        return true;
    room.slot_bits -= 1;
    uint8_t *const again = (uint8_t *)(room.slots + ((size_t)1 << room.slot_bits));
    struct prans_domain_room table = room_for(&room, 0);
    number_in_slots(&table, dictionary, 0);
    for (size_t i = 0; i + PRANS_RETURN_RUN <= count; i += PRANS_RETURN_PERIOD) {
        WORD place[PRANS_RETURN_RUN];
        size_t at[PRANS_RETURN_RUN];
        uint32_t number[PRANS_RETURN_RUN];
        grow(&room, dictionary, distinct, &table);
        for (size_t k = 0; k < PRANS_RETURN_RUN; k++)
            place[k] = place_among(domain->number, word[i + k]);
        foresee_slots(&table, place, PRANS_RETURN_RUN, at);
        uint64_t left =
            distinct ? look_up_places(&table, dictionary, place, flag + i, PRANS_RETURN_RUN, at, number)
                     : UINT64_MAX >> (64 - PRANS_RETURN_RUN);
        for (size_t k = 0; k < PRANS_RETURN_RUN; k++) {
            sampled += !flag[i + k];
            left |= (uint64_t)(distinct && !again[number[k]]) << k;
        }
        for (; left; left &= left - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(left);
            if (flag[i + k])
                continue;
            uint32_t *const slot = slot_from(&table, dictionary, at[k], place[k]);
            if (*slot) {
                once -= 1u - again[*slot - 1];
                again[*slot - 1] = 1;
                continue;
            }
            again[distinct] = 0;
            dictionary[distinct++] = place[k];
            *slot = (uint32_t)distinct;
            once++;
        }
    }
    return once * 100 <= sampled * PRANS_RETURN_PERCENT;
}

/* Lists the distinct places in the order in which they come. False if they are too many. */
static bool list_distinct(const WORD *word, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain)
{
    WORD *const dictionary = domain->dictionary, place[FORESEEN];
    const size_t most = count / PRANS_DISTINCT_PART;
    struct prans_domain_room table = room_for(room, 0);
    number_in_slots(&table, dictionary, 0);
    for (size_t part; count; word += part, flag += part, count -= part) {
        size_t at[FORESEEN];
        uint32_t number[FORESEEN];
        part = fpgz_min(count, FORESEEN);
        grow(room, dictionary, domain->distinct, &table);
        for (size_t i = 0; i < part; i++)
            place[i] = place_among(domain->number, word[i]);
        foresee_slots(&table, place, part, at);
        uint64_t left = domain->distinct ? look_up_places(&table, dictionary, place, flag, part, at, number)
                                         : UINT64_MAX >> (64 - part);
        for (; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(left);
            if (flag[i])
                continue;
            uint32_t *const slot = slot_from(&table, dictionary, at[i], place[i]);
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

#endif

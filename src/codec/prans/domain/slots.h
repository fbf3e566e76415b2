/* SPDX-License-Identifier: MIT
 * A hash table of the numbers of places in a dictionary. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_SLOTS_H
#define FPGZ_CODEC_PRANS_DOMAIN_SLOTS_H

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/place.h"
#include "core/bytes.h"

/* Where the search for a place in the hash table of places in `dictionary` begins. */
static inline size_t hash_of_place(WORD place, unsigned bits)
{
    return (size_t)((uint64_t)place * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
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
    return slot_from(room, dictionary, hash_of_place(place, room->slot_bits), place);
}

enum { FORESEEN = 64 /* places whose slots are asked for together */ };

/* Asks for the slots of up to FORESEEN places. */
INLINE void foresee_slots(const struct prans_domain_room *room, const WORD *place, size_t count, size_t *at)
{
    for (size_t i = 0; i < count; i++)
        at[i] = hash_of_place(place[i], room->slot_bits);
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(&room->slots[at[i]], 1);
}

/* Finds the numbers of up to FORESEEN places that stand where their search begins, among one or more that
 * are numbered. Returns the others that no flag marks, as bits: without a branch a place, for few distinct
 * ones stand elsewhere. */
INLINE uint64_t look_up_places(const struct prans_domain_room *room, const WORD *dictionary,
                               const WORD *place, const uint8_t *flag, size_t count, const size_t *at,
                               uint32_t *number)
{
    WORD there[FORESEEN];
    uint8_t differs[FORESEEN] = {0};
    uint64_t others = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = room->slots[at[i]];
        number[i] = slot - (slot != 0);
        there[i] = dictionary[number[i]]; /* of an empty slot another place */
    }
    for (size_t i = 0; i < count; i++)
        differs[i] = (there[i] != place[i]) & !flag[i];
    for (size_t i = 0; i < FORESEEN; i += 8)
        others |= fpgz_load64(differs + i) * UINT64_C(0x0102040810204080) >> 56 << i;
    return others;
}

/* The room with as many slots as some distinct places take, so that most stand where their search begins: of
 * a small table the nearest caches have all. */
static struct prans_domain_room room_for(const struct prans_domain_room *room, size_t distinct)
{
    enum { LEAST_BITS = 10, SLOTS_EACH = 16 };
    struct prans_domain_room some = *room;
    some.slot_bits = LEAST_BITS;
    while (distinct * SLOTS_EACH > (size_t)1 << some.slot_bits)
        some.slot_bits++;
    some.slot_bits = fpgz_min(some.slot_bits, room->slot_bits);
    return some;
}

/* Puts the numbers of places into slots that are cleared before. */
static void number_in_slots(const struct prans_domain_room *room, const WORD *dictionary, size_t distinct)
{
    memset(room->slots, 0, sizeof *room->slots << room->slot_bits);
    for (size_t first = 0, part; first < distinct; first += part) {
        size_t at[FORESEEN];
        part = fpgz_min(distinct - first, FORESEEN);
        foresee_slots(room, dictionary + first, part, at);
        for (size_t i = 0; i < part; i++)
            *slot_from(room, dictionary, at[i], dictionary[first + i]) = (uint32_t)(first + i) + 1;
    }
}

/* Gives places that are listed a larger table where FORESEEN more would fill too much of this one. */
INLINE void grow(const struct prans_domain_room *room, const WORD *dictionary, size_t distinct,
                 struct prans_domain_room *table)
{
    enum { PART = 8 };
    if (distinct + FORESEEN <= ((size_t)1 << table->slot_bits) / PART || table->slot_bits == room->slot_bits)
        return;
    *table = room_for(room, 2 * distinct);
    number_in_slots(table, dictionary, distinct);
}

#endif

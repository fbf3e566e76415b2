/* SPDX-License-Identifier: MIT
 * Samples of places tell about how many values are distinct, samples of values how these lie: all places of
 * one in so many of the distinct values, chosen by hashes. */
#include "codec/prans/ranked/sample.h"

#include <string.h>

#include "codec/prans/ranked/keys.h"
#include "codec/sample.h"
#include "core/inline.h"

enum {
    PLACES = 8192,
    FEW_PLACES = 512, /* which tell where values are less than one part of */
    FEW_PART = 4,     /* what ranks are for */
    CHOSEN_LOG = 5,   /* of 2^5 distinct values one is chosen */
    TOGETHER = 64,    /* values that are looked at for that */
    DOUBT_PART = 4,   /* by so much samples of places may be wrong about how many values are distinct */
    EXACT_PART = 64,  /* and those of values */
    TABLES_PART = 8,  /* by so much ranks cost more than their lengths say */
};

/* By digits, from the lowest. */
uint64_t *fpgz_prans_ranked_sort(uint64_t *key, size_t count, unsigned bits, uint64_t *other)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t below[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            below[(key[i] >> shift) % DIGITS + 1]++;
        if (below[(*key >> shift) % DIGITS + 1] == count)
            continue;
        for (unsigned d = 0; d < DIGITS; d++)
            below[d + 1] += below[d];
        for (size_t i = 0; i < count; i++)
            other[below[(key[i] >> shift) % DIGITS]++] = key[i];
        uint64_t *const sorted = other;
        other = key;
        key = sorted;
    }
    return key;
}

/* Place i of `count`, by chance: places that are spread evenly would miss that neighbours are the same. */
static size_t place_by_chance(uint32_t i, size_t count)
{
    const uint64_t hash = (i + 1) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(((hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32) * count >> 32);
}

/* About how many values are distinct, by those that stand once and twice in a sample of so many places;
 * rather fewer, where a few values are frequent. */
static size_t guess_distinct(const struct ranked_work *w, enum fpgz_dtype dtype, const void *values,
                             size_t places)
{
    enum { AHEAD = 16 /* for which memory is asked */ };
    const size_t samples = fpgz_min(places, w->count / RANKED_PART);
    size_t times[3] = {0, 0, 0}; /* values that stand once, twice, more often */
    for (uint32_t i = 0; i < samples; i++) {
        __builtin_prefetch((const uint8_t *)values + place_by_chance(i + AHEAD, w->count) * w->size);
        w->keys[i] = ranked_key_of(dtype, ranked_word_at(values, w->size, place_by_chance(i, w->count)));
    }
    const uint64_t *const key =
        fpgz_prans_ranked_sort(w->keys, samples, 8 * (unsigned)w->size, w->keys + samples);
    for (size_t i = 0, run; i < samples; i += run) {
        for (run = 1; i + run < samples && key[i + run] == key[i];)
            run++;
        times[fpgz_min(run, 3) - 1]++;
    }
    return times[0] + times[1] + times[2] +
           (size_t)((uint64_t)times[0] * times[0] / (2 * times[1] + 1) * (w->count - samples) / w->count);
}

/* Chosen values. */
struct chosen {
    const uint64_t *key; /* sorted, once each */
    size_t count;
    uint64_t bits; /* about what the dictionary of all takes */
};

static unsigned log_of(uint64_t number)
{
    return 63 - (unsigned)__builtin_clzll(number | 1);
}

/* Whether words from number `first` on are chosen, as bits: without a branch a word, for frequent ones come
 * by chance. */
INLINE uint64_t chosen_of(const void *values, size_t size, size_t first, size_t count)
{
    uint8_t chosen[TOGETHER] = {0};
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        chosen[i] = ranked_word_at(values, size, first + i) * UINT64_C(0xD6E8FEB86659FD93) >> 32 <
                    UINT32_MAX >> CHOSEN_LOG;
    for (size_t i = 0; i < TOGETHER; i += 8)
        bits |= fpgz_load64(chosen + i) * UINT64_C(0x0102040810204080) >> 56 << i;
    return bits;
}

/* Takes the chosen words of `size` bytes, one of those behind each other that are the same. Returns how many
 * there are with all of these, or `room` and more if these are too many; *taken is how many were taken. */
INLINE size_t take(const struct ranked_work *w, size_t size, const void *values, size_t room, size_t *taken)
{
    uint64_t *const key = w->keys, before = 0;
    size_t chosen = 0, at = 0;
    for (size_t first = 0; first < w->count && chosen < room; first += TOGETHER) {
        uint64_t left = chosen_of(values, size, first, fpgz_min(w->count - first, TOGETHER));
        for (; left; left &= left - 1, chosen++) {
            const uint64_t word = ranked_word_at(values, size, first + (unsigned)__builtin_ctzll(left));
            key[at] = word;
            at += word != before || !at;
            before = word;
        }
    }
    *taken = at;
    return chosen;
}

/* False if a value that stands too often is among them. */
static bool choose(const struct ranked_work *w, enum fpgz_dtype dtype, const void *values, struct chosen *c)
{
    enum { GAP_BITS = 2 };
    const size_t room = w->count / RANKED_PART;
    size_t taken;
    if ((w->size == 4 ? take(w, 4, values, room, &taken) : take(w, 8, values, room, &taken)) >= room)
        return false;
    for (size_t i = 0; i < taken; i++)
        w->keys[i] = ranked_key_of(dtype, w->keys[i]);
    uint64_t *const key = fpgz_prans_ranked_sort(w->keys, taken, 8 * (unsigned)w->size, w->keys + room);
    *c = (struct chosen){.key = key};
    for (size_t i = 0, run; i < taken; i += run) {
        for (run = 1; i + run < taken && key[i + run] == key[i];)
            run++;
        key[c->count++] = key[i];
    }
    for (size_t i = 1; i < c->count; i++) {
        const unsigned log = log_of(key[i] - key[i - 1]);
        c->bits += GAP_BITS + (log > CHOSEN_LOG ? log - CHOSEN_LOG : 0);
    }
    c->bits <<= CHOSEN_LOG;
    return true;
}

/* About the number of a key among all distinct ones, in order. */
static uint64_t rank_of(const struct chosen *c, uint64_t key)
{
    size_t low = 0, high = c->count; /* the key is not below that at `low` - 1, and below that at `high` */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->key[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || low == c->count)
        return low << CHOSEN_LOG;
    const uint64_t from = key - c->key[low - 1], gap = c->key[low] - c->key[low - 1];
    const unsigned shift = log_of(gap) > 32 ? log_of(gap) - 32 : 0;
    return (low << CHOSEN_LOG) + ((from >> shift << CHOSEN_LOG) / ((gap >> shift) + 1));
}

/* About the bits of the numbers of all values, by how these differ from the one before. */
static uint64_t bits_of_ranks(const struct ranked_work *w, enum fpgz_dtype dtype, const void *values,
                              const struct chosen *c)
{
    enum { PAIRS = 1024, SIGN_AND_LENGTH = 2 };
    uint64_t bits = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const size_t at = fpgz_sample_place(i, PAIRS, w->count - 1);
        const uint64_t before = ranked_key_of(dtype, ranked_word_at(values, w->size, at)),
                       key = ranked_key_of(dtype, ranked_word_at(values, w->size, at + 1));
        const uint64_t a = rank_of(c, before), b = rank_of(c, key);
        bits += key == before ? 0 : SIGN_AND_LENGTH + log_of(a > b ? a - b : b - a);
    }
    return bits * w->count / PAIRS;
}

/* About what the dictionary takes if its values are decimals, or such. What is chosen lies farther apart. */
static uint64_t bits_as_row(const struct ranked_work *w, const struct fpgz_codec *inner,
                            const struct fpgz_coding *coding, const struct chosen *c)
{
    const enum fpgz_dtype dtype = coding->grid.dtype;
    const struct fpgz_coding row = {fpgz_prans_row(dtype, c->count), coding->params, w->inner, NULL};
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t word = ranked_word_of(dtype, c->key[i]);
        memcpy(w->dictionary + i * w->size, &word, w->size);
    }
    const uint64_t bits = 8 * (uint64_t)inner->estimate(&row, w->dictionary, w->stream),
                   nearer = (uint64_t)CHOSEN_LOG * c->count;
    return fpgz_max(bits - fpgz_min(bits, nearer), c->count) << CHOSEN_LOG;
}

bool fpgz_prans_ranked_promise(const struct ranked_work *w, const struct fpgz_codec *inner,
                               const struct fpgz_coding *coding, const void *values, uint64_t most)
{
    const enum fpgz_dtype dtype = coding->grid.dtype;
    const size_t few = w->count / RANKED_FEW_PART, many = w->count / RANKED_PART;
    struct chosen c;
    if (guess_distinct(w, dtype, values, FEW_PLACES) < few / FEW_PART)
        return false;
    const size_t distinct = guess_distinct(w, dtype, values, PLACES);
    if (distinct < few - few / DOUBT_PART || distinct > many + many / DOUBT_PART)
        return false;
    if (!choose(w, dtype, values, &c))
        return true;
    if (c.count << CHOSEN_LOG > many + many / EXACT_PART)
        return false;
    const uint64_t ranks = bits_of_ranks(w, dtype, values, &c), room = most - most / TABLES_PART;
    return ranks <= room && (c.bits <= room - ranks || bits_as_row(w, inner, coding, &c) <= room - ranks);
}

/* SPDX-License-Identifier: MIT
 * The search for matches: greedy, from the cheapest distances on, by what values cost without them. */
#include "codec/prans/high/match.h"

#include <stdlib.h>
#include <string.h>

#include "codec/prans/domain/word.h"
#include "codec/prans/entropy/number.h"

enum {
    BIT = 8,           /* the unit of costs is 2^-3 bits */
    MARGIN = 3 * BIT,  /* what a match must save to be taken */
    CHEAP = 2 * BIT,   /* matches begin at values that cost more */
    LONGEST = 1 << 16, /* values */
    LEAST_TIMES = 8,   /* of a distance that is listed */
    /* About what the symbols of distances cost. */
    REPEAT_COST = 3 * BIT,
    FREQUENT_COST = 6 * BIT,
    LEAST_COST = REPEAT_COST + 3 * BIT + MARGIN, /* of what a match stands for */
    LEAST_MOST = 4,
};

/* What the parse of a band knows. */
struct parse {
    struct prans_encoding *e;
    struct prans_matcher *m;
    const void *key; /* words of the band's values: the same for the same value */
    const uint8_t *special;
    uint8_t *copied;
    size_t values;
    const uint16_t *cost;
    uint32_t recent[PRANS_REPEATS];
    unsigned hash_bits;  /* of the tables' places, as many as the values need */
    size_t least;        /* values that a match must have to save anything, as far as that is known */
    size_t back, length; /* the best match so far */
    int64_t gain;
};

/* Whether copies of the two are the same: their bits, or their special value. */
static inline bool same(const struct parse *p, bool is_f64, size_t a, size_t b)
{
    const bool equal = prans_word_at(p->key, is_f64, a) == prans_word_at(p->key, is_f64, b);
    return (equal || p->special[a]) && p->special[a] == p->special[b];
}

/* About what a match of this length costs besides its distance. */
static int64_t length_cost(size_t length)
{
    return length < 3 ? 3 * BIT : (int64_t)(4 + 2 * (63 - __builtin_clzll(length))) * BIT;
}

static inline void try_distance(struct parse *p, bool is_f64, size_t at, size_t back, int64_t distance_cost)
{
    const size_t last = at + p->least - 1;
    if (back - 1 >= at || !same(p, is_f64, at, at - back) || !same(p, is_f64, last, last - back))
        return;
    const size_t most = p->values - at < LONGEST ? p->values - at : LONGEST;
    /* Distances are tried from the cheapest: another one must give a longer match. */
    if (p->gain > MARGIN && (p->length == most || !same(p, is_f64, at + p->length, at + p->length - back)))
        return;
    size_t length = 0;
    int64_t saved = 0;
    do
        saved += p->cost[at + length++];
    while (length < most && saved >= (int64_t)length && same(p, is_f64, at + length, at + length - back));
    saved -= distance_cost + length_cost(length);
    if (saved > p->gain) {
        p->gain = saved;
        p->back = back;
        p->length = length;
    }
}

static inline uint32_t hash_of(uint64_t key, unsigned bits)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
}

/* Enters the place into the tables; the last places of the value and of four of them into `before`, plus 1.
 * False when the value is certainly new. */
static inline bool enter(struct parse *p, bool is_f64, size_t at, uint32_t before[2])
{
    uint64_t key = prans_word_at(p->key, is_f64, at);
    const uint32_t hash = hash_of(key, p->hash_bits + PRANS_SEEN_MORE);
    uint8_t *const seen = &p->m->seen[hash >> 3];
    const bool known = *seen >> (hash & 7) & 1;
    *seen |= (uint8_t)(1 << (hash & 7));
    uint32_t *last = &p->m->last[0][hash >> PRANS_SEEN_MORE];
    before[0] = *last;
    before[1] = 0;
    *last = (uint32_t)at + 1;
    if (at + 4 > p->values)
        return known;
    for (unsigned i = 1; i < 4; i++)
        key = key * UINT64_C(0xD6E8FEB86659FD93) ^ prans_word_at(p->key, is_f64, at + i);
    last = &p->m->last[1][hash_of(key, p->hash_bits)];
    before[1] = *last;
    *last = (uint32_t)at + 1;
    return known;
}

/* Counts a distance, as long as no other one has its place. */
static void count_distance(struct prans_matcher *m, uint32_t back)
{
    const uint32_t place = hash_of(back, PRANS_DISTANCE_BITS);
    if (m->distance[place] != back && m->times[place]) {
        m->times[place]--;
        return;
    }
    m->distance[place] = back;
    m->times[place]++;
}

static void take(struct parse *p, size_t at, struct prans_match *match)
{
    unsigned bits;
    uint32_t raw;
    *match = (struct prans_match){.back = (uint32_t)p->back, .length = (uint16_t)(p->length - 1)};
    p->e->match_histogram[0][prans_number_symbol(match->length, &bits, &raw)]++;
    unsigned repeat = 0;
    while (repeat < PRANS_REPEATS && p->recent[repeat] != p->back)
        repeat++;
    if (repeat < PRANS_REPEATS) {
        match->back_symbol = (uint8_t)repeat;
    } else {
        unsigned i = 0;
        while (i < p->e->description.frequents && p->e->description.frequent[i] != p->back)
            i++;
        if (i < p->e->description.frequents)
            match->back_symbol = (uint8_t)(PRANS_REPEATS + i);
        else
            match->back_symbol =
                (uint8_t)(PRANS_REPEATS + PRANS_FREQUENT + prans_number_symbol(match->back - 1, &bits, &raw));
        repeat = PRANS_REPEATS - 1;
    }
    for (; repeat; repeat--)
        p->recent[repeat] = p->recent[repeat - 1];
    p->recent[0] = (uint32_t)p->back;
    p->e->match_histogram[1][match->back_symbol]++;
    memset(p->copied + at, PRANS_COPIED, p->length);
    p->copied[at] = PRANS_COPIED_FIRST;
}

/* One band, greedily from its start. Returns what that saves. */
static inline __attribute__((always_inline)) uint64_t parse_band(struct parse *p, bool is_f64,
                                                                 size_t *matches)
{
    uint64_t saved = 0;
    p->hash_bits = PRANS_HASH_LEAST;
    while (p->hash_bits < PRANS_HASH_BITS && p->values >> (p->hash_bits - 1))
        p->hash_bits++;
    for (unsigned i = 0; i < 2; i++)
        memset(p->m->last[i], 0, sizeof *p->m->last[i] << p->hash_bits);
    memset(p->m->seen, 0, (size_t)1 << (p->hash_bits + PRANS_SEEN_MORE - 3));
    for (size_t at = 0; at < p->values;) {
        uint32_t before[2];
        if (p->cost[at] < CHEAP) {
            at++;
            continue;
        }
        if (!enter(p, is_f64, at, before)) {
            at++;
            continue;
        }
        p->gain = MARGIN;
        p->least = 1;
        for (unsigned sum = p->cost[at];
             sum <= LEAST_COST && p->least < LEAST_MOST && at + p->least < p->values; p->least++)
            sum += p->cost[at + p->least];
        for (unsigned i = 0; i < PRANS_REPEATS; i++)
            try_distance(p, is_f64, at, p->recent[i], REPEAT_COST);
        for (unsigned i = 0; i < p->e->description.frequents; i++)
            try_distance(p, is_f64, at, p->e->description.frequent[i], FREQUENT_COST);
        for (unsigned i = 2; i-- > 0;)
            if (before[i])
                try_distance(p, is_f64, at, at + 1 - before[i],
                             (int64_t)(2 + 64 - __builtin_clzll(at + 1 - before[i])) * BIT);
        if (p->gain == MARGIN) {
            at++;
            continue;
        }
        saved += (uint64_t)p->gain;
        count_distance(p->m, (uint32_t)p->back);
        take(p, at, &p->e->match[(*matches)++]);
        for (size_t i = 1; i < p->length; i++)
            if (p->cost[at + i] >= CHEAP)
                enter(p, is_f64, at + i, before);
        at += p->length;
    }
    return saved;
}

struct distance {
    uint32_t times, back;
};

static int by_times(const void *a, const void *b)
{
    const struct distance *x = a, *y = b;
    return x->times != y->times ? (x->times < y->times) - (x->times > y->times)
                                : (x->back > y->back) - (x->back < y->back);
}

/* The distances that were taken most often. */
static void list_frequent(const struct prans_matcher *m, struct prans_description *description)
{
    struct distance best[PRANS_FREQUENT + 1];
    unsigned count = 0;
    for (unsigned place = 0; place < 1 << PRANS_DISTANCE_BITS; place++) {
        if (m->times[place] < LEAST_TIMES)
            continue;
        best[count++] = (struct distance){m->times[place], m->distance[place]};
        qsort(best, count, sizeof *best, by_times);
        count = count < PRANS_FREQUENT ? count : PRANS_FREQUENT;
    }
    for (unsigned i = 0; i < count; i++)
        description->frequent[i] = best[i].back;
    description->frequents = count;
}

/* Such a part of each band, from its start. */
static uint64_t parse_all(const struct prans_field *field, struct prans_encoding *e, size_t part,
                          struct prans_matcher *m)
{
    uint64_t saved = 0;
    size_t matches = 0;
    memset(e->copied, 0, field->first[field->bands]);
    memset(e->match_histogram, 0, sizeof e->match_histogram);
    memset(m->times, 0, sizeof m->times);
    for (unsigned b = 0; b < field->bands; b++) {
        struct parse p = {.e = e,
                          .m = m,
                          .key = field->real[b],
                          .special = field->special[b],
                          .copied = e->copied + field->first[b],
                          .values = (field->first[b + 1] - field->first[b]) / part,
                          .cost = e->cost + field->first[b],
                          .recent = {1, 2, 3, 4}};
        e->band_matches[b] = matches;
        saved += field->is_f64 ? parse_band(&p, true, &matches) : parse_band(&p, false, &matches);
    }
    e->band_matches[field->bands] = matches;
    return saved;
}

uint64_t fpgz_prans_find_matches(const struct prans_field *field, struct prans_encoding *e, uint64_t least,
                                 struct prans_matcher *m)
{
    /* Such a part of each band is searched first, the last one for distances, too. The search is given up
     * where that saves less than such a part of what all must. */
    enum { MANY = 1 << 18 }; /* values, for the first trial */
    static const struct {
        unsigned part, gain_part;
    } trial[] = {{16, 32}, {4, 5}};
    e->description.frequents = 0;
    for (unsigned i = field->first[field->bands] < MANY; i < sizeof trial / sizeof *trial; i++) {
        const uint64_t saved = parse_all(field, e, trial[i].part, m) / BIT;
        if (saved < least / trial[i].gain_part)
            return saved;
    }
    list_frequent(m, &e->description);
    return parse_all(field, e, 1, m) / BIT;
}

/* Groups of so many words in the second band, of a sample, and how many of them stood in the first one but
 * not before in the second. */
struct crossing {
    size_t length, groups, across;
    uint32_t *last; /* places of groups, plus 1, by their hashes */
};

/* Counts the group that begins at a place, whose first word has such a hash. */
static void count_crossing(struct crossing *c, const void *words, bool is_f64, uint64_t hash, size_t at,
                           size_t second, size_t count)
{
    if (at + c->length > count)
        return;
    for (size_t i = 1; i < c->length; i++)
        hash = (hash ^ prans_word_at(words, is_f64, at + i)) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t *const slot = &c->last[hash >> (64 - PRANS_HASH_BITS)];
    if (at >= second) {
        bool same = *slot && *slot <= second;
        for (size_t i = 0; same && i < c->length; i++)
            same = prans_word_at(words, is_f64, *slot - 1 + i) == prans_word_at(words, is_f64, at + i);
        c->across += same;
        c->groups++;
    }
    *slot = (uint32_t)at + 1;
}

/* Counts groups that the hashes of their first words choose. */
static inline __attribute__((always_inline)) void count_crossings(struct crossing *c, unsigned crossings,
                                                                  const void *words, bool is_f64,
                                                                  const uint8_t *special, size_t second,
                                                                  size_t count)
{
    enum { SAMPLED = 60 }; /* of 16 hashes the one whose upper bits, on which all others bear, are 0 */
    for (size_t at = 0; at < count; at++) {
        uint64_t hash = prans_word_at(words, is_f64, at) * UINT64_C(0x9E3779B97F4A7C15);
        if (hash >> SAMPLED || special[at])
            continue;
        hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
        for (unsigned i = 0; i < crossings; i++)
            count_crossing(&c[i], words, is_f64, hash, at, second, count);
    }
}

bool fpgz_prans_matches_across(const void *words, bool is_f64, const uint8_t *special, size_t second,
                               size_t count, struct prans_matcher *m)
{
    enum { GROUP = 16, LEAST_PART = 25 };
    struct crossing c[] = {{GROUP, 0, 0, m->last[0]}, {1, 0, 0, m->last[1]}};
    const unsigned crossings = is_f64 ? 2 : 1; /* single f32 values may do so by chance */
    memset(m->last, 0, crossings * sizeof *m->last);
    if (is_f64)
        count_crossings(c, crossings, words, true, special, second, count);
    else
        count_crossings(c, crossings, words, false, special, second, count);
    return c[0].across > c[0].groups / LEAST_PART || c[1].across > c[1].groups / LEAST_PART;
}

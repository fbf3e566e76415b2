/* SPDX-License-Identifier: MIT
 * The search for matches: greedy, by what words cost without them. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_SEARCH_H
#define FPGZ_CODEC_PRANS_MATCHED_SEARCH_H

#include "codec/prans/domain/place.h"
#include "codec/prans/matched/kernels.h"

enum {
    BIT = MATCHED_COST,
    MARGIN = 2 * BIT, /* what a match must save to be taken */
    CHEAP = MATCHED_CHEAP,
    PATIENCE = MATCHED_PATIENCE,
    RECENT_COST = 3 * BIT,
    FAR_PART = MATCHED_FAR_PART,
    FAR_COST = MATCHED_FAR_COST,
    STEPS = 32,  /* of the search, for each word: runs of few values would take many */
    AHEAD = 48,  /* words for which memory is asked before */
    HASHED = 256 /* words that are hashed together */
};

/* Of the last single word: it ends one of the longest chains, and is no source. */
#define DEEP (UINT32_C(1) << 31)

/* A match that is considered. */
struct found {
    int64_t saved;
    size_t distance, length;
    bool negated;
};

INLINE WORD ordered(enum prans_number number, WORD word)
{
    return number == PRANS_REAL ? place_of(word) : word;
}

INLINE WORD negated(enum prans_number number, WORD ordered)
{
    return (WORD)(number == PRANS_REAL ? ~ordered : 0 - ordered);
}

INLINE bool is_negative(enum prans_number number, WORD ordered)
{
    return number == PRANS_REAL     ? !(ordered & SIGN_BIT)
           : number == PRANS_SIGNED ? (ordered & SIGN_BIT) != 0
                                    : false;
}

INLINE unsigned bit_length(WORD word)
{
    return word ? 64 - (unsigned)__builtin_clzll(word) : 0;
}

/* How large a difference is, of either sign. */
INLINE WORD size_of(WORD difference)
{
    return (WORD)(difference ^ (WORD)((SIGNED)difference >> (WORD_BITS - 1)));
}

/* About what a difference costs. */
INLINE int64_t cost_of(WORD difference)
{
    return difference ? (int64_t)(bit_length(size_of(difference)) + 2) * BIT - BIT / 2 : BIT / 4;
}

/* The same of a word that is a literal, from what it differs by from the word before. */
INLINE int64_t raw_cost(WORD difference)
{
    return cost_of(difference) + BIT;
}

INLINE uint16_t scaled(WORD difference, uint32_t scale)
{
    const uint64_t cost = (uint64_t)raw_cost(difference) * scale >> 16;
    return (uint16_t)(cost < (WORD_BITS + 2) * BIT ? cost : (WORD_BITS + 2) * BIT);
}

static void price(const struct matched_search *s, uint64_t bits)
{
    const WORD *const y = s->ordered;
    uint64_t sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += (uint64_t)raw_cost((WORD)(y[i] - (i ? y[i - 1] : 0)));
    const uint32_t scale = matched_scale(bits, (double)sum);
    for (size_t i = 0; i < s->count; i++)
        s->cost[i] = scaled((WORD)(y[i] - (i ? y[i - 1] : 0)), scale);
}

/* What a word adds to the hash of a group that begins with `first`: the same for those that are negated
 * together. */
INLINE WORD key_of(enum prans_number number, WORD first, WORD word, unsigned drop)
{
    return (WORD)((is_negative(number, first) ? negated(number, word) : word) >> drop);
}

INLINE uint64_t hashed(uint64_t hash, WORD key)
{
    hash = (hash ^ key) * MATCHED_FACTOR;
    return hash ^ hash >> 32;
}

/* The hash of `group` words. */
INLINE uint64_t hash_of(enum prans_number number, const WORD *y, unsigned group, unsigned drop)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < group; i++)
        hash = hashed(hash, key_of(number, *y, y[i], drop));
    return hash * MATCHED_HASH_END;
}

/* About what a length or the number of literals costs. */
INLINE int64_t length_cost(size_t length)
{
    return length < 3 ? 3 * BIT : (int64_t)(4 + 3 * (63 - __builtin_clzll(length)) / 2) * BIT;
}

/* About what a distance costs. */
INLINE int64_t distance_cost(size_t distance)
{
    return (int64_t)(66 - __builtin_clzll(distance)) * BIT;
}

/* What a word of a match saves; far less where the source is not close, for there may be a better one. */
INLINE int64_t gain_of(int64_t cost, WORD difference)
{
    const int64_t gain = cost - cost_of(difference);
    return gain < cost / FAR_PART ? gain - FAR_COST : gain;
}

/* Words of this size differ from their source by too much for a match to begin with: what gain_of() makes of
 * cost_of() is positive for those below. Words whose cost is above CHEAP have some. */
INLINE WORD too_far(int64_t cost)
{
    const int64_t part = cost / FAR_PART, least = part < FAR_COST + 1 ? part : FAR_COST + 1;
    return (WORD)((uint64_t)1 << ((cost - least + BIT / 2) / BIT - 2));
}
_Static_assert(CHEAP / FAR_PART >= 1 && CHEAP - CHEAP / FAR_PART + BIT / 2 >= 2 * BIT, "each word has some");

/* Extends the match as far as it pays, and keeps it if it saves more than *best. Returns its steps. */
static size_t consider(const struct matched_search *s, bool differs, size_t at, size_t distance,
                       int64_t price_of_distance, struct found *best)
{
    const WORD *const y = (const WORD *)s->ordered + at;
    const uint16_t *const cost = s->cost + at;
    const size_t most = s->count - at;
    const bool turn = is_negative(s->number, *y) != is_negative(s->number, *(y - distance));
    int64_t saved = 0, highest = 0;
    size_t longest = 0, from = 0, i = 0;
    for (; i < most; i++) {
        const WORD before = *(y - distance + from);
        const WORD difference = (WORD)(y[i] - (turn ? negated(s->number, before) : before));
        if ((!differs && difference) || s->depth[at - distance + from] == MATCHED_DEEPEST)
            break;
        saved += differs ? gain_of(cost[i], difference) : cost[i];
        if (saved > highest) {
            highest = saved;
            longest = i + 1;
        } else if (differs && (saved < highest - PATIENCE || !longest))
            break;
        from = from + 1 == distance ? 0 : from + 1;
    }
    highest -= price_of_distance + length_cost(longest);
    if (highest > best->saved)
        *best = (struct found){highest, distance, longest, turn};
    return i + 1;
}

/* Where the table has the last word or group of this key. */
INLINE uint32_t *last_of(const struct matched_search *s, unsigned table, uint32_t place)
{
    return table ? &s->group[place] : &s->single[place].last;
}

/* Places of the tables for words to come, which are hashed together: all are entered, in order, and memory is
 * asked for them before. */
struct coming {
    uint32_t place[MATCHED_TABLES][2 * HASHED];
};

/* Notes the places of words from `from` on, a multiple of HASHED. */
INLINE void foresee(const struct matched_search *s, enum prans_number number, size_t from,
                    struct coming *coming)
{
    const WORD *const y = (const WORD *)s->ordered + (from < s->count ? from : 0);
    for (unsigned t = 0; t < MATCHED_TABLES; t++) {
        const unsigned group = t ? s->aim.group : 1, drop = t ? s->aim.drop : 0, shift = 64 - s->table_bits;
        const size_t left = from + group <= s->count ? s->count - from - group + 1 : 0,
                     words = left < HASHED ? left : HASHED;
        uint32_t *const place = &coming->place[t][from % (2 * HASHED)];
        uint64_t hash[HASHED] = {0};
        for (unsigned k = 0; k < group; k++)
            for (size_t i = 0; i < words; i++)
                hash[i] = hashed(hash[i], key_of(number, y[i], y[i + k], drop));
        for (size_t i = 0; i < words; i++)
            place[i] = (uint32_t)(hash[i] * MATCHED_HASH_END >> shift);
    }
}

/* Asks for the tables of a word to come, and for the sources of one before that. */
INLINE void ask(const struct matched_search *s, size_t at, const struct coming *coming)
{
    for (unsigned t = 0; t < MATCHED_TABLES; t++) {
        const size_t far = at + AHEAD, near = at + AHEAD / 2, group = t ? s->aim.group : 1;
        if (far + group > s->count)
            continue;
        __builtin_prefetch(last_of(s, t, coming->place[t][far % (2 * HASHED)]), 1);
        const uint32_t source = *last_of(s, t, coming->place[t][near % (2 * HASHED)]) & ~DEEP;
        __builtin_prefetch((const WORD *)s->ordered + source - (source != 0));
    }
}

/* Enters the place under its keys; `before` gets the last ones, plus 1. Where the last place of a single word
 * is no source, it is that of the last literal. */
INLINE void enter(const struct matched_search *s, enum prans_number number, size_t at, struct coming *coming,
                  uint32_t before[MATCHED_TABLES])
{
    if (at % HASHED == 0)
        foresee(s, number, at + HASHED, coming);
    for (unsigned t = 0; t < MATCHED_TABLES; t++) {
        before[t] = 0;
        if ((t ? s->aim.group : 1) > s->count - at)
            continue;
        const uint32_t place = coming->place[t][at % (2 * HASHED)];
        uint32_t *const last = last_of(s, t, place);
        before[t] = !t && *last & DEEP ? s->single[place].literal : *last;
        *last = (uint32_t)at + 1;
    }
    ask(s, at, coming);
}

/* Notes how long the chain of the word is that was entered last. */
INLINE void note_depth(const struct matched_search *s, size_t at, unsigned depth, const struct coming *coming)
{
    struct matched_single *const single = &s->single[coming->place[0][at % (2 * HASHED)]];
    if (!depth)
        single->literal = (uint32_t)at + 1;
    else if (depth == MATCHED_DEEPEST)
        single->last |= DEEP;
}

/* Whether a match that begins at the word may save anything: mostly its first word tells that it does not. */
INLINE bool may_save(const struct matched_search *s, enum prans_number number, bool differs, size_t at,
                     size_t distance, WORD far)
{
    const WORD y = ((const WORD *)s->ordered)[at], before = ((const WORD *)s->ordered)[at - distance];
    const bool turn = is_negative(number, y) != is_negative(number, before);
    const WORD difference = (WORD)(y - (turn ? negated(number, before) : before));
    return differs ? size_of(difference) < far : !difference;
}

/* The best match of the word, from the last distances and the places under its keys. Returns the steps. */
INLINE size_t find_at(const struct matched_search *s, enum prans_number number, bool differs, size_t at,
                      const struct matched_recent *recent, const uint32_t before[MATCHED_TABLES],
                      struct found *best)
{
    enum { SOURCES = MATCHED_RECENT + MATCHED_TABLES };
    const WORD far = too_far(s->cost[at]);
    size_t distance[SOURCES], steps = 1;
    unsigned likely = 0;
    for (unsigned i = 0; i < SOURCES; i++) {
        distance[i] = i < MATCHED_RECENT ? recent->distance[i] : at + 1 - before[i - MATCHED_RECENT];
        const bool any = distance[i] <= at;
        likely |= (unsigned)(any & may_save(s, number, differs, at, any ? distance[i] : 0, far)) << i;
    }
    *best = (struct found){MARGIN, 0, 0, false};
    for (; likely; likely &= likely - 1) {
        const unsigned i = (unsigned)__builtin_ctz(likely);
        const int64_t cost = i < MATCHED_RECENT ? RECENT_COST : distance_cost(distance[i]);
        steps += consider(s, differs, at, distance[i], cost, best);
    }
    return steps;
}

/* Notes the match as one more token, and enters its words. */
INLINE void take(const struct matched_search *s, enum prans_number number, size_t at,
                 const struct found *match, size_t fresh, struct matched_recent *recent,
                 struct coming *coming, struct matched_tokens *tokens)
{
    const size_t source = at - match->distance;
    uint32_t before[MATCHED_TABLES];
    tokens->field[MATCHED_LITERALS][tokens->count] = (uint32_t)fresh;
    tokens->field[MATCHED_LENGTH][tokens->count] = (uint32_t)(match->length - 1);
    tokens->field[MATCHED_SOURCE][tokens->count++] =
        matched_name(recent, (uint32_t)match->distance, match->negated);
    tokens->literals -= match->length;
    for (size_t i = 0, from = source; i < match->length; i++) {
        s->depth[at + i] = s->depth[from] + 1;
        tokens->deepest = s->depth[at + i] > tokens->deepest ? s->depth[at + i] : tokens->deepest;
        if (i)
            enter(s, number, at + i, coming, before);
        note_depth(s, at + i, s->depth[at + i], coming);
        from = from + 1 == at ? source : from + 1;
    }
}

INLINE uint64_t find_as(const struct matched_search *search, enum prans_number number, bool differs,
                        struct matched_tokens *tokens)
{
    const struct matched_search told = *search; /* that stores to the tables do not change */
    const struct matched_search *const s = &told;
    struct matched_recent recent;
    struct coming coming;
    uint32_t before[MATCHED_TABLES];
    uint64_t saved = 0;
    size_t behind = 0 /* the last match */, steps = 0;
    matched_begin(&recent);
    memset(s->single, 0, sizeof *s->single << s->table_bits);
    memset(s->group, 0, sizeof *s->group << s->table_bits);
    foresee(s, number, 0, &coming);
    tokens->count = tokens->deepest = 0;
    tokens->literals = s->count;
    for (size_t at = 0; at < s->count && tokens->count < s->count / MATCHED_TOKEN_PART;) {
        struct found best = {0, 0, 0, false};
        enter(s, number, at, &coming, before);
        s->depth[at] = 0;
        if (s->cost[at] > CHEAP && steps / STEPS < s->count)
            steps += find_at(s, number, differs, at, &recent, before, &best);
        if (!best.length) {
            note_depth(s, at++, 0, &coming);
            continue;
        }
        take(s, number, at, &best, at - behind, &recent, &coming, tokens);
        saved += (uint64_t)best.saved;
        at += best.length;
        behind = at;
    }
    return saved;
}

static uint64_t find(const struct matched_search *s, struct matched_tokens *tokens)
{
    if (s->number == PRANS_REAL)
        return s->aim.differs ? find_as(s, PRANS_REAL, true, tokens) : find_as(s, PRANS_REAL, false, tokens);
    return s->aim.differs ? find_as(s, s->number, true, tokens) : find_as(s, s->number, false, tokens);
}

#endif

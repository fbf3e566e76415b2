/* SPDX-License-Identifier: MIT
 * The search for matches: greedy, by what words cost without them. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_SEARCH_H
#define FPGZ_CODEC_PRANS_MATCHED_SEARCH_H

#include "codec/prans/domain/place.h"
#include "codec/prans/matched/kernels.h"

enum {
    BIT = MATCHED_COST,
    MARGIN = 2 * BIT,    /* what a match must save to be taken */
    CHEAP = 2 * BIT,     /* matches begin at words that cost more */
    PATIENCE = 16 * BIT, /* how much words may cost more than they save, within a match */
    RECENT_COST = 3 * BIT,
    FAR_PART = 6, /* a source that saves less than one part of so many is not close */
    FAR_COST = 10 * BIT,
    STEPS = 32, /* of the search, for each word: runs of few values would take many */
    AHEAD = 16, /* words for which memory is asked before */
};

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

/* About what a difference costs. */
INLINE int64_t cost_of(WORD difference)
{
    const WORD size = (WORD)(difference ^ (WORD)((SIGNED)difference >> (WORD_BITS - 1)));
    return difference ? (int64_t)(bit_length(size) + 2) * BIT - BIT / 2 : BIT / 4;
}

/* The same of a word that is a literal, from what it differs by from the word before. */
INLINE int64_t raw_cost(WORD difference)
{
    return cost_of(difference) + BIT;
}

/* By what raw costs are multiplied so that `sum` of them are `bits`, in 2^-16. */
static uint32_t scale_of(uint64_t bits, double sum)
{
    const double scale = (double)bits * BIT * 0x10000 / sum;
    return scale < UINT32_MAX ? (uint32_t)scale : UINT32_MAX;
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
    const uint32_t scale = scale_of(bits, (double)sum);
    for (size_t i = 0; i < s->count; i++)
        s->cost[i] = scaled((WORD)(y[i] - (i ? y[i - 1] : 0)), scale);
}

/* The hash of `group` words, the same for those that are negated together. */
INLINE uint64_t hash_of(enum prans_number number, const WORD *y, unsigned group, unsigned drop)
{
    const bool turn = is_negative(number, *y);
    uint64_t hash = 0;
    for (unsigned i = 0; i < group; i++) {
        const WORD key = (WORD)((turn ? negated(number, y[i]) : y[i]) >> drop);
        hash = (hash ^ key) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash * UINT64_C(0xD6E8FEB86659FD93);
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

/* Places of the tables for words to come: all are entered, in order, and memory is asked for them before. */
struct coming {
    uint32_t place[AHEAD][MATCHED_TABLES];
};

/* Notes the places of the word, and asks for what the tables hold there. */
INLINE void foresee(const struct matched_search *s, size_t at, struct coming *coming)
{
    for (unsigned t = 0; t < MATCHED_TABLES; t++) {
        const unsigned group = t ? s->group : 1;
        if (group > s->count - at)
            continue;
        const uint64_t hash = hash_of(s->number, (const WORD *)s->ordered + at, group, t ? s->drop : 0);
        const uint32_t place = (uint32_t)(hash >> (64 - s->table_bits));
        coming->place[at % AHEAD][t] = place;
        __builtin_prefetch(&s->table[t][place], 1);
    }
}

/* Asks for the sources of the word. */
INLINE void foresee_sources(const struct matched_search *s, size_t at, const struct coming *coming)
{
    for (unsigned t = 0; t < MATCHED_TABLES; t++)
        if ((t ? s->group : 1) <= s->count - at) {
            const uint32_t source = s->table[t][coming->place[at % AHEAD][t]];
            __builtin_prefetch((const WORD *)s->ordered + source - (source != 0));
        }
}

/* Enters the place under its keys; `before` gets the last ones, plus 1. */
INLINE void enter(const struct matched_search *s, size_t at, struct coming *coming,
                  uint32_t before[MATCHED_TABLES])
{
    for (unsigned t = 0; t < MATCHED_TABLES; t++) {
        before[t] = 0;
        if ((t ? s->group : 1) > s->count - at)
            continue;
        uint32_t *const last = &s->table[t][coming->place[at % AHEAD][t]];
        before[t] = *last;
        *last = (uint32_t)at + 1;
    }
    if (s->count - at > AHEAD)
        foresee(s, at + AHEAD, coming);
    if (s->count - at > AHEAD / 2)
        foresee_sources(s, at + AHEAD / 2, coming);
}

/* Whether a match that begins at the word may save anything: mostly its first word tells that it does not. */
INLINE bool may_save(const struct matched_search *s, bool differs, size_t at, size_t distance)
{
    const WORD *const y = (const WORD *)s->ordered + at;
    const WORD before = *(y - distance);
    const bool turn = is_negative(s->number, *y) != is_negative(s->number, before);
    const WORD difference = (WORD)(*y - (turn ? negated(s->number, before) : before));
    return differs ? gain_of(s->cost[at], difference) > 0 : !difference;
}

/* The best match of the word, from the last distances and the places under its keys. Returns the steps. */
INLINE size_t find_at(const struct matched_search *s, bool differs, size_t at,
                      const struct matched_recent *recent, const uint32_t before[MATCHED_TABLES],
                      struct found *best)
{
    size_t steps = 0;
    *best = (struct found){MARGIN, 0, 0, false};
    for (unsigned i = 0; i < MATCHED_RECENT + MATCHED_TABLES; i++) {
        const bool is_recent = i < MATCHED_RECENT;
        const size_t distance = is_recent ? recent->distance[i] : at + 1 - before[i - MATCHED_RECENT];
        if (distance > at)
            continue;
        steps +=
            may_save(s, differs, at, distance)
                ? consider(s, differs, at, distance, is_recent ? RECENT_COST : distance_cost(distance), best)
                : 1;
    }
    return steps;
}

/* Notes the match as one more token, and enters its words. */
static void take(const struct matched_search *s, size_t at, const struct found *match, size_t fresh,
                 struct matched_recent *recent, struct coming *coming, struct matched_tokens *tokens)
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
            enter(s, at + i, coming, before);
        from = from + 1 == at ? source : from + 1;
    }
}

INLINE uint64_t find_as(const struct matched_search *s, bool differs, struct matched_tokens *tokens)
{
    struct matched_recent recent;
    struct coming coming;
    uint32_t before[MATCHED_TABLES];
    uint64_t saved = 0;
    size_t behind = 0 /* the last match */, steps = 0;
    matched_begin(&recent);
    for (unsigned t = 0; t < MATCHED_TABLES; t++)
        memset(s->table[t], 0, sizeof *s->table[t] << s->table_bits);
    for (size_t at = 0; at < AHEAD && at < s->count; at++)
        foresee(s, at, &coming);
    tokens->count = tokens->deepest = 0;
    tokens->literals = s->count;
    for (size_t at = 0; at < s->count && tokens->count < s->count / MATCHED_TOKEN_PART;) {
        struct found best = {0, 0, 0, false};
        enter(s, at, &coming, before);
        s->depth[at] = 0;
        if (s->cost[at] > CHEAP && steps / STEPS < s->count)
            steps += find_at(s, differs, at, &recent, before, &best);
        if (!best.length) {
            at++;
            continue;
        }
        take(s, at, &best, at - behind, &recent, &coming, tokens);
        saved += (uint64_t)best.saved;
        at += best.length;
        behind = at;
    }
    return saved;
}

static uint64_t find(const struct matched_search *s, struct matched_tokens *tokens)
{
    return s->differs ? find_as(s, true, tokens) : find_as(s, false, tokens);
}

#endif

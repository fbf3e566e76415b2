/* SPDX-License-Identifier: MIT
 * Whether a stream is what would be written. Its symbols are known, so that each is only confirmed: the input
 * is parsed as ever, and at the first difference the answer is no. Symbols that are the same, in blocks of
 * the same ends and codes, are the same bits. */
#ifndef FPGZ_CORE_DEFLATE_PROOF_H
#define FPGZ_CORE_DEFLATE_PROOF_H

#include "core/deflate/parse.h"
#include "core/deflate/search.h"

/* Begins with the first match. */
void fpgz_deflate_proof_begin(struct fpgz_deflate_coder *coder, const uint8_t *data,
                              const struct fpgz_deflate_story *story);

/* Whether the next block that the stream has is this one, which ends before `at`. */
bool fpgz_deflate_proof_block(struct fpgz_deflate_coder *coder, const uint8_t *at, bool last,
                              const struct fpgz_deflate_written *written);

/* Goes on to the next match; the one before ended before `from`. */
INLINE void fpgz_deflate_proof_next(struct fpgz_deflate_coder *coder, const uint8_t *from)
{
    const struct fpgz_deflate_story *const story = coder->story;
    struct fpgz_deflate_told_match *const told = &coder->told;
    told->at = NULL;
    while (told->entry < story->match + story->matches) {
        const uint32_t entry = *told->entry++, literals = entry >> STORY_LITERALS_SHIFT;
        from += literals;
        if (literals == STORY_LITERALS_MOST)
            continue;
        told->at = from;
        told->length = DEFLATE_MIN_MATCH + (entry >> STORY_LENGTH_SHIFT & STORY_LENGTH);
        told->distance = 1 + (entry & STORY_DISTANCE);
        return;
    }
}

/* Enters positions from `at` on, up to `stop`, which the stream has literals at and no match is found at.
 * Returns the next position. As many steps are counted as by searches. */
INLINE const uint8_t *fpgz_deflate_proof_literals(struct fpgz_deflate_coder *coder, const uint8_t *at,
                                                  const uint8_t *stop)
{
    struct fpgz_deflate_window *const window = &coder->window;
    const uint8_t *const told = coder->told.at, *const base = window->base;
    if (window->end - at < (ptrdiff_t)sizeof(uint64_t))
        return at;
    const uint8_t *const whole = window->end - sizeof(uint64_t); /* the last place of a word */
    stop = whole < stop ? whole : stop;
    stop = window->slide < stop ? window->slide : stop;
    stop = told && told < stop ? told : stop;
    uint64_t steps = 0;
    unsigned bucket = fpgz_deflate_bucket_before(window, at);
    for (; at < stop; at++) {
        const uint64_t word = fpgz_load64(at);
        const unsigned index = (unsigned)(at - base), farthest = fpgz_deflate_farthest(index);
        bucket = fpgz_deflate_roll(window, bucket, at[2]);
        unsigned candidate = window->head[fpgz_deflate_hash(word, 3, HASH_BITS_3)], looked = 0;
        for (; candidate >= farthest; looked++) {
            if (((fpgz_load32(base + candidate) ^ (uint32_t)word) & 0xFFFFFF) == 0)
                goto found;
            candidate = (uint16_t)window->link[candidate % WINDOW];
        }
        fpgz_deflate_enter(window, index, word, bucket, CHAIN_3);
        steps += looked;
    }
found:
    window->steps += steps;
    return at;
}

/* Whether a candidate of the position matches. If none does, *steps counts as many more as a search takes. */
INLINE bool fpgz_deflate_is_matched(const struct fpgz_deflate_window *window, const uint8_t *at,
                                    uint64_t *steps)
{
    const unsigned index = (unsigned)(at - window->base), farthest = fpgz_deflate_farthest(index);
    const uint32_t word = fpgz_load32(at);
    unsigned candidate = (uint16_t)window->link[index % WINDOW], looked = 0;
    for (; candidate >= farthest; looked++) {
        if (((fpgz_load32(window->base + candidate) ^ word) & 0xFFFFFF) == 0)
            return true;
        candidate = (uint16_t)window->link[candidate % WINDOW];
    }
    *steps += looked;
    return false;
}

/* Passes positions from `at` on, up to `stop`, which the stream has literals at and no match is found at, as
 * far as they were entered ahead. Returns the next position. As many steps are counted as by searches. */
INLINE const uint8_t *fpgz_deflate_proof_unmatched(struct fpgz_deflate_coder *coder, const uint8_t *at,
                                                   const uint8_t *stop)
{
    enum { GROUP = 16 }; /* positions, most of which have no candidates */
    struct fpgz_deflate_window *const window = &coder->window;
    const uint8_t *const told = coder->told.at;
    stop = window->entered < stop ? window->entered : stop;
    stop = told && told < stop ? told : stop;
    const ptrdiff_t whole = window->end - at - ((ptrdiff_t)sizeof(uint32_t) - 1); /* positions of words */
    if (stop - at > whole)
        stop = at + (whole > 0 ? whole : 0);
    while (stop - at >= GROUP) {
        const unsigned index = (unsigned)(at - window->base);
        unsigned some = 0;
        for (unsigned i = 0; i < GROUP; i++)
            some |=
                (unsigned)((uint16_t)window->link[(index + i) % WINDOW] >= fpgz_deflate_farthest(index + i))
                << i;
        for (; some; some &= some - 1) {
            const uint8_t *const held = at + __builtin_ctz(some);
            if (fpgz_deflate_is_matched(window, held, &window->steps))
                return held;
        }
        at += GROUP;
    }
    while (at < stop && !fpgz_deflate_is_matched(window, at, &window->steps))
        at++;
    return at;
}

/* Whether the stream has the match, too. */
INLINE bool fpgz_deflate_proof_match(struct fpgz_deflate_coder *coder, const uint8_t *at,
                                     struct fpgz_deflate_found found)
{
    const struct fpgz_deflate_told_match *const told = &coder->told;
    if (at < coder->stored)
        return true;
    if (at != told->at || found.length != told->length || found.distance != told->distance)
        return false;
    fpgz_deflate_proof_next(coder, at + found.length);
    return true;
}

/* What fpgz_deflate_find() finds in CHAIN_3, if it is the match that the stream has; else a distance of 0. As
 * many steps are counted. */
INLINE struct fpgz_deflate_found fpgz_deflate_confirm(struct fpgz_deflate_window *window,
                                                      const struct fpgz_deflate_search *search,
                                                      unsigned length,
                                                      const struct fpgz_deflate_told_match *told)
{
    const struct fpgz_deflate_found match = {told->length, told->distance}, none = {0, 0};
    if (match.length <= length || search->index < fpgz_deflate_farthest(search->index) + match.distance)
        return none;
    const unsigned candidate = search->index - match.distance;
    if (match.length < search->most && search->at[match.length] == window->base[candidate + match.length])
        return none; /* it is longer */
    /* No nearer one may be as long, or end the search. */
    const unsigned least = (unsigned)fpgz_min(match.length, search->nice);
    const unsigned end = least > 4 ? least - 4 : 0;
    const uint32_t mask = least > 3 ? 0xFFFFFFFF : 0xFFFFFF, word = (uint32_t)search->word,
                   last = least > 4 ? fpgz_load32(search->at + end) : word;
    unsigned at = (uint16_t)search->link, steps = 1;
    bool walked = length >= DEFLATE_MIN_MATCH; /* else the first that matches is found before a walk */
    for (; at > candidate; steps++) {
        const uint8_t *const nearer = window->base + at;
        const uint32_t differ = fpgz_load32(nearer) ^ word;
        if (((fpgz_load32(nearer + end) ^ last) & mask) == 0 && (differ & mask) == 0 &&
            fpgz_compare(nearer, search->at, DEFLATE_MIN_MATCH, least) >= least)
            return none;
        walked |= (differ & 0xFFFFFF) == 0;
        at = (uint16_t)window->link[at % WINDOW];
    }
    if (at != candidate || !fpgz_deflate_looks(search, at, window->link[at % WINDOW]))
        return none;
    const bool ends = !fpgz_deflate_goes_on(search, &match);
    window->steps += steps - (ends && walked); /* a walk does not count the one that ends it */
    struct fpgz_deflate_found found = match;
    if (!ends)
        fpgz_deflate_walk(window, search, (uint16_t)window->link[at % WINDOW], CHAIN_3, search->nice, &found);
    return found.length == match.length ? match : none;
}

/* Whether searches would find the match that the stream has at `at`, and no longer one at the next position;
 * only of short ones that the first candidate has, where CHAIN_4 is in use. If so, as many steps are counted
 * as by the searches. Matches of three bytes are taken up to `too_far`. */
INLINE bool fpgz_deflate_proof_short(struct fpgz_deflate_coder *coder, const uint8_t *at, unsigned too_far)
{
    enum { SHORT = 6, ROOM = 16 /* bytes behind `at`, for all that is read */ };
    struct fpgz_deflate_window *const window = &coder->window;
    const struct fpgz_deflate_level *const level = &coder->level;
    const uint16_t *const before = window->longer[0].before;
    const unsigned length = coder->told.length, distance = coder->told.distance,
                   index = (unsigned)(at - window->base), candidate = index - distance;
    if (at != coder->told.at || length > SHORT || at < coder->stored || window->entered - at < 2 ||
        window->end - at <= ROOM || (length == DEFLATE_MIN_MATCH && distance > too_far))
        return false;
    const uint64_t word = fpgz_load64(at), differ = word ^ fpgz_load64(at - distance);
    struct fpgz_deflate_search search = {.at = at,
                                         .word = word,
                                         .index = index,
                                         .link = window->link[index % WINDOW],
                                         .most = ROOM,
                                         .candidates = level->candidates};
    if ((uint16_t)search.link != candidate || candidate < fpgz_deflate_farthest(index) || !differ ||
        (unsigned)__builtin_ctzll(differ) / 8 != length ||
        !fpgz_deflate_looks(&search, candidate, window->link[candidate % WINDOW]))
        return false;
    const uint64_t steps = window->steps++;
    struct fpgz_deflate_found longer = {length, 0};
    fpgz_deflate_walk(window, &search, before[index % WINDOW], CHAIN_4, 0, &longer);
    if (longer.distance == 0 && length < level->lazy) {
        search.at = at + 1;
        search.word = word >> 8;
        search.index = index + 1;
        search.link = window->link[(index + 1) % WINDOW];
        search.candidates = length >= level->good ? level->candidates / 4u : level->candidates;
        fpgz_deflate_walk(window, &search, before[(index + 1) % WINDOW], CHAIN_4, 0, &longer);
    }
    if (longer.distance > 0)
        window->steps = steps;
    return longer.distance == 0;
}

#endif

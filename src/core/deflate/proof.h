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
                                                  const uint8_t *stop, enum fpgz_deflate_chain depth)
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
        const unsigned index = (unsigned)(at - base),
                       farthest = index > WINDOW_NEAR ? index - WINDOW_NEAR : 1;
        unsigned candidate = window->head[fpgz_deflate_hash(word, 3, HASH_BITS_3)], looked = 0;
        for (; candidate >= farthest; looked++) {
            if (((fpgz_load32(base + candidate) ^ (uint32_t)word) & 0xFFFFFF) == 0)
                goto found;
            candidate = (uint16_t)window->link[candidate % WINDOW];
        }
        bucket = fpgz_deflate_roll(window, bucket, at[2]);
        fpgz_deflate_enter(window, index, word, bucket, depth);
        steps += looked;
    }
found:
    window->steps += steps;
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
    if (match.length <= length || search->index < fpgz_deflate_farthest(search) + match.distance)
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

#endif

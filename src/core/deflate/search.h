/* SPDX-License-Identifier: MIT
 * The longest match as zlib finds it: the nearest of the longest ones among the candidates that it looks at.
 */
#ifndef FPGZ_CORE_DEFLATE_SEARCH_H
#define FPGZ_CORE_DEFLATE_SEARCH_H

#include "core/compare.h"
#include "core/deflate/window.h"

struct fpgz_deflate_search {
    const uint8_t *at;
    uint64_t word;       /* of the bytes there */
    unsigned index;      /* of `at` in the window */
    uint32_t link;       /* that it got */
    unsigned most;       /* how long a match may be */
    unsigned candidates; /* that zlib looks at, the nearest first */
    unsigned nice;       /* a match so long ends the search */
};

struct fpgz_deflate_found {
    unsigned length, distance;
};

/* Steps of zlib's from the position to a candidate of its chain. */
INLINE unsigned fpgz_deflate_steps(const struct fpgz_deflate_search *search, uint32_t link)
{
    return (uint16_t)((search->link >> 16) - (link >> 16));
}

/* Whether zlib looks at a candidate of its chain. One that is as far back as matches go must be the first. */
INLINE bool fpgz_deflate_looks(const struct fpgz_deflate_search *search, unsigned candidate, uint32_t link)
{
    const unsigned steps = fpgz_deflate_steps(search, link);
    return steps <= search->candidates && (steps == 1 || search->index - candidate < WINDOW_NEAR);
}

/* The nearest match, if any. */
INLINE bool fpgz_deflate_nearest(struct fpgz_deflate_window *window, const struct fpgz_deflate_search *search,
                                 struct fpgz_deflate_found *found)
{
    const unsigned farthest = fpgz_deflate_farthest(search->index);
    for (unsigned at = (uint16_t)search->link; at >= farthest; at = (uint16_t)window->link[at % WINDOW]) {
        const uint8_t *const candidate = window->base + at;
        window->steps++;
        if (((fpgz_load32(candidate) ^ (uint32_t)search->word) & 0xFFFFFF) == 0) {
            found->distance = search->index - at;
            found->length = fpgz_compare(candidate, search->at, DEFLATE_MIN_MATCH, search->most);
            return fpgz_deflate_looks(search, at, window->link[at % WINDOW]);
        }
    }
    return false;
}

/* Looks along a chain from `at` on for matches longer than found->length, which is at least 3 and below
 * search->most, until one is as long as `enough`. */
INLINE void fpgz_deflate_walk(struct fpgz_deflate_window *window, const struct fpgz_deflate_search *search,
                              unsigned at, enum fpgz_deflate_chain chain, unsigned enough,
                              struct fpgz_deflate_found *found)
{
    const unsigned farthest = fpgz_deflate_farthest(search->index);
    const uint32_t shared = chain == CHAIN_3 ? 0xFFFFFF : 0xFFFFFFFF; /* by all that belong to the chain */
    uint32_t last = fpgz_load32(search->at + found->length - 3);
    uint64_t steps = 0;
    for (; at >= farthest; steps++) {
        const uint32_t link = window->link[at % WINDOW];
        const uint8_t *const candidate = window->base + at;
        if (fpgz_load32(candidate + found->length - 3) == last) {
            if (((fpgz_load32(candidate) ^ (uint32_t)search->word) & shared) == 0) {
                if (!fpgz_deflate_looks(search, at, link))
                    break;
                const unsigned length = fpgz_compare(candidate, search->at, 3, search->most);
                if (length > found->length) {
                    *found = (struct fpgz_deflate_found){length, search->index - at};
                    if (length >= enough || length == search->most)
                        break;
                    last = fpgz_load32(search->at + length - 3);
                }
            }
        } else if (__builtin_expect(fpgz_deflate_steps(search, link) > search->candidates, 0) &&
                   ((fpgz_load32(candidate) ^ (uint32_t)search->word) & shared) == 0) {
            break;
        }
        at = chain == CHAIN_3 ? (uint16_t)link : window->longer[chain - CHAIN_4].before[at % WINDOW];
    }
    window->steps += steps;
}

INLINE bool fpgz_deflate_goes_on(const struct fpgz_deflate_search *search,
                                 const struct fpgz_deflate_found *found)
{
    return found->length < search->nice && found->length < search->most;
}

/* The longest match that is longer than `length`; a distance of 0 without one. */
INLINE struct fpgz_deflate_found fpgz_deflate_find(struct fpgz_deflate_window *window,
                                                   const struct fpgz_deflate_search *search, unsigned length,
                                                   enum fpgz_deflate_chain depth)
{
    struct fpgz_deflate_found found = {length, 0};
    uint32_t link = search->link;
    if (length < DEFLATE_MIN_MATCH) {
        if (!fpgz_deflate_nearest(window, search, &found))
            return (struct fpgz_deflate_found){0, 0};
        link = window->link[(search->index - found.distance) % WINDOW];
    }
    if (!fpgz_deflate_goes_on(search, &found))
        return found;
    if (depth == CHAIN_3) {
        fpgz_deflate_walk(window, search, (uint16_t)link, CHAIN_3, search->nice, &found);
        return found;
    }
    if (depth == CHAIN_4 || found.length < 7)
        fpgz_deflate_walk(window, search, window->longer[0].before[search->index % WINDOW], CHAIN_4,
                          depth == CHAIN_4 ? search->nice : 7, &found);
    if (depth == CHAIN_8 && found.length >= 7 && fpgz_deflate_goes_on(search, &found))
        fpgz_deflate_walk(window, search, window->longer[1].before[search->index % WINDOW], CHAIN_8,
                          search->nice, &found);
    return found;
}

#endif

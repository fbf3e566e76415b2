/* SPDX-License-Identifier: MIT
 * The window of deflate: when it slides as zlib's does, and what is forgotten then. */
#include "core/deflate/window.h"

enum {
    AHEAD = DEFLATE_MAX_MATCH + DEFLATE_MIN_MATCH + 1, /* bytes that zlib wants to see behind a position */
};

/* zlib moves the second half of its window to the first when it sees less than AHEAD bytes, and is far
 * enough. */
static void plan_slide(struct fpgz_deflate_window *window)
{
    const size_t held = fpgz_min((size_t)(window->end - window->base), 2 * WINDOW);
    const size_t least = WINDOW + WINDOW_NEAR;
    window->slide = window->base + (held > least + AHEAD - 1 ? held - (AHEAD - 1) : least);
}

void fpgz_deflate_window_begin(struct fpgz_deflate_window *window, const uint8_t *data, size_t bytes,
                               unsigned memory_level)
{
    const unsigned bits = memory_level + 7;
    window->base = data;
    window->end = data + bytes;
    window->shift = (bits + DEFLATE_MIN_MATCH - 1) / DEFLATE_MIN_MATCH;
    window->mask = (1u << bits) - 1;
    window->depth = CHAIN_3;
    window->steps = 0;
    memset(window->rank, 0, sizeof window->rank[0] << bits);
    memset(window->head, 0, sizeof window->head);
    plan_slide(window);
}

/* Lowers indexes by WINDOW, to no less than 0. */
static void lower(uint16_t *index, size_t count)
{
    for (size_t i = 0; i < count; i++)
        index[i] = index[i] >= WINDOW ? index[i] - WINDOW : 0;
}

/* The same for those in links, whose upper halves are ranks. */
static void lower_links(uint32_t *link)
{
    for (size_t i = 0; i < WINDOW; i++) {
        const uint32_t high = link[i] & WINDOW;
        link[i] &= 0xFFFF0000 | (high - (high >> 15));
    }
}

void fpgz_deflate_window_slide(struct fpgz_deflate_window *window)
{
    lower_links(window->link);
    lower(window->head, 1 << HASH_BITS_3);
    for (enum fpgz_deflate_chain chain = CHAIN_4; chain <= window->depth; chain++) {
        lower(window->longer[chain - CHAIN_4].before, WINDOW);
        lower(window->longer[chain - CHAIN_4].head, 1 << HASH_BITS_LONGER);
    }
    window->base += WINDOW;
    plan_slide(window);
}

void fpgz_deflate_window_deepen(struct fpgz_deflate_window *window, const uint8_t *at)
{
    const unsigned end = (unsigned)(at - window->base);
    const enum fpgz_deflate_chain chain = ++window->depth;
    memset(window->longer[chain - CHAIN_4].head, 0, sizeof window->longer[0].head);
    for (unsigned index = end > WINDOW ? end - WINDOW : 0; index < end; index++)
        fpgz_deflate_insert_longer(window, index, fpgz_deflate_word(window, window->base + index), chain);
}

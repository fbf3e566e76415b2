/* SPDX-License-Identifier: MIT
 * The window of deflate: when it slides as zlib's does, and what is forgotten then. */
#include "core/deflate/window.h"

#include "core/compare.h"

enum {
    WANTED = DEFLATE_MAX_MATCH + DEFLATE_MIN_MATCH + 1, /* bytes that zlib wants to see behind a position */
};

/* zlib moves the second half of its window to the first when it sees less than WANTED bytes, and is far
 * enough. */
static void plan_slide(struct fpgz_deflate_window *window)
{
    const size_t held = fpgz_min((size_t)(window->end - window->base), 2 * WINDOW);
    const size_t least = WINDOW + WINDOW_NEAR;
    window->slide = window->base + (held > least + WANTED - 1 ? held - (WANTED - 1) : least);
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
    window->entered = data;
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

void fpgz_deflate_window_deepen(struct fpgz_deflate_window *window)
{
    const unsigned end = (unsigned)(window->entered - window->base);
    const enum fpgz_deflate_chain chain = ++window->depth;
    memset(window->longer[chain - CHAIN_4].head, 0, sizeof window->longer[0].head);
    for (unsigned index = end > WINDOW ? end - WINDOW : 0; index < end; index++)
        fpgz_deflate_insert_longer(window, index, fpgz_deflate_word(window, window->base + index), chain);
}

/* Enters `count` positions whose 8 bytes, and those of the position before, are all the same byte. That one
 * is a candidate, so that each of them is behind the one before in all chains. */
static void enter_run(struct fpgz_deflate_window *window, const uint8_t *at, unsigned count, unsigned bucket)
{
    const uint64_t word = fpgz_load64(at);
    const unsigned index = (unsigned)(at - window->base), last = index + count - 1;
    uint32_t link = (uint32_t)window->rank[bucket] << 16 | (index - 1);
    for (unsigned i = 0; i < count; i++, link += 1)
        window->link[(index + i) % WINDOW] = link += 1 << 16;
    window->rank[bucket] = (uint16_t)(window->rank[bucket] + count);
    window->head[fpgz_deflate_hash(word, 3, HASH_BITS_3)] = (uint16_t)last;
    for (enum fpgz_deflate_chain chain = CHAIN_4; chain <= window->depth; chain++) {
        struct fpgz_deflate_longer *const longer = &window->longer[chain - CHAIN_4];
        for (unsigned i = 0; i < count; i++)
            longer->before[(index + i) % WINDOW] = (uint16_t)(index + i - 1);
        longer->head[fpgz_deflate_hash(word, chain == CHAIN_4 ? 4 : 8, HASH_BITS_LONGER)] = (uint16_t)last;
    }
}

/* Enters positions from `at` on before `stop`. */
INLINE void enter_ahead(struct fpgz_deflate_window *window, const uint8_t *at, const uint8_t *stop,
                        const enum fpgz_deflate_chain depth)
{
    const unsigned shift = window->shift, mask = window->mask;
    const uint8_t *const base = window->base;
    unsigned bucket = fpgz_deflate_bucket_before(window, at);
    const uint8_t *const whole = window->end - at < 8         ? at
                                 : window->end - stop < 8 - 1 ? window->end - (8 - 1)
                                                              : stop;
    while (at < whole) {
        const uint64_t word = fpgz_load64(at);
        const unsigned index = (unsigned)(at - base);
        bucket = (bucket << shift ^ (uint8_t)(word >> 16)) & mask;
        if (__builtin_expect(word == (word << 8 | word >> 56), 0) && index > 0 && at[-1] == (uint8_t)word) {
            const unsigned count = fpgz_compare(at - 1, at, 8, (unsigned)(whole - at) + 7) - 7;
            enter_run(window, at, count, bucket);
            at += count;
            continue;
        }
        fpgz_deflate_enter(window, index, word, bucket, depth);
        at++;
    }
    for (; at < stop; at++) {
        bucket = fpgz_deflate_roll(window, bucket, at[2]);
        fpgz_deflate_enter(window, (unsigned)(at - base), fpgz_deflate_word(window, at), bucket, depth);
    }
}

void fpgz_deflate_enter_ahead(struct fpgz_deflate_window *window, const uint8_t *at)
{
    const uint8_t *const first = window->entered, *stop = window->end - (DEFLATE_MIN_MATCH - 1);
    stop = window->slide < stop ? window->slide : stop;
    stop = stop - at > AHEAD ? at + AHEAD : stop;
    window->entered = stop;
    if (window->depth == CHAIN_3)
        enter_ahead(window, first, stop, CHAIN_3);
    else if (window->depth == CHAIN_4)
        enter_ahead(window, first, stop, CHAIN_4);
    else
        enter_ahead(window, first, stop, CHAIN_8);
}

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

/* Lowers each index of an array by WINDOW, to no less than 0. `kept` has ones for what of 8 bytes is no
 * index. */
static void lower(void *array, size_t bytes, uint64_t kept)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint8_t *const at = (uint8_t *)array + i;
        const uint64_t word = fpgz_load64(at), high = word & 0x8000800080008000;
        fpgz_store64(at, word & ((high - (high >> 15)) | kept));
    }
}

void fpgz_deflate_window_slide(struct fpgz_deflate_window *window)
{
    lower(window->link, sizeof window->link, 0xFFFF0000FFFF0000);
    lower(window->head, sizeof window->head, 0);
    for (enum fpgz_deflate_chain chain = CHAIN_4; chain <= window->depth; chain++)
        lower(&window->longer[chain - CHAIN_4], sizeof window->longer[0], 0);
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

/* SPDX-License-Identifier: MIT
 * What of the input can be a match, and where to look for it.
 *
 * zlib keeps positions in chains by a hash of three bytes, walks at most so many of a chain, and forgets what
 * is too far back. Most of what its chains hold does not match, so that they are not walked here. Instead,
 * each position has its rank in the chain that zlib would have it in, and there are chains of finer hashes.
 * The difference of two ranks is how many steps zlib would have taken from one to the other. */
#ifndef FPGZ_CORE_DEFLATE_WINDOW_H
#define FPGZ_CORE_DEFLATE_WINDOW_H

#include "core/bytes.h"
#include "core/deflate/symbols.h"
#include "core/inline.h"

enum {
    WINDOW = 1 << 15,
    WINDOW_NEAR = WINDOW - DEFLATE_MAX_MATCH - DEFLATE_MIN_MATCH - 1, /* how far back matches go */
    /* Bits of the hashes: misses cost more than a larger table, up to what the second-level cache holds. */
    HASH_BITS_3 = 17,
    HASH_BITS_LONGER = 16,
};

/* Chains of positions whose first 3, 4 or 8 bytes have the same hash. Those of 4 and 8 make long searches
 * shorter. */
enum fpgz_deflate_chain { CHAIN_3, CHAIN_4, CHAIN_8 };

struct fpgz_deflate_window {
    const uint8_t *base;           /* the byte of index 0, which no chain holds */
    const uint8_t *end;            /* of the input */
    const uint8_t *slide;          /* where the next half of the window is given up */
    unsigned shift, mask;          /* of zlib's hash */
    enum fpgz_deflate_chain depth; /* the last chain in use; CHAIN_3 always is */
    uint64_t steps;                /* that searches have taken */
    uint16_t rank[1 << 16];        /* of the last position in each of zlib's chains, modulo 2^16 */
    /* Of the last positions, at their indexes modulo WINDOW: the index before in CHAIN_3, where 0 ends a
     * chain, and above it the rank. */
    uint32_t link[WINDOW];
    uint16_t head[1 << HASH_BITS_3]; /* the last indexes of CHAIN_3 */
    struct fpgz_deflate_longer {
        uint16_t before[WINDOW], head[1 << HASH_BITS_LONGER];
    } longer[2]; /* CHAIN_4 and CHAIN_8 */
};

/* `memory_level` is zlib's. */
void fpgz_deflate_window_begin(struct fpgz_deflate_window *window, const uint8_t *data, size_t bytes,
                               unsigned memory_level);

/* Gives up what zlib gives up at window->slide. */
void fpgz_deflate_window_slide(struct fpgz_deflate_window *window);

/* Takes the next chain into use, `at` being the next position that will be inserted. */
void fpgz_deflate_window_deepen(struct fpgz_deflate_window *window, const uint8_t *at);

/* The 8 bytes from `at` on; behind the input are zeros. */
INLINE uint64_t fpgz_deflate_word(const struct fpgz_deflate_window *window, const uint8_t *at)
{
    const size_t left = (size_t)(window->end - at);
    if (__builtin_expect(left >= 8, 1))
        return fpgz_load64(at);
    uint64_t word = 0;
    memcpy(&word, at, left);
    return word;
}

INLINE unsigned fpgz_deflate_hash(uint64_t word, unsigned bytes, unsigned bits)
{
    return (unsigned)((word << (64 - 8 * bytes)) * 0x9E3779B97F4A7C15u >> (64 - bits));
}

INLINE void fpgz_deflate_insert_longer(struct fpgz_deflate_window *window, unsigned index, uint64_t word,
                                       enum fpgz_deflate_chain chain)
{
    struct fpgz_deflate_longer *const longer = &window->longer[chain - CHAIN_4];
    uint16_t *const head = &longer->head[fpgz_deflate_hash(word, chain == CHAIN_4 ? 4 : 8, HASH_BITS_LONGER)];
    longer->before[index % WINDOW] = *head;
    *head = (uint16_t)index;
}

/* Makes the position of `word`, with at least three bytes left, a candidate. Returns its link. */
INLINE uint32_t fpgz_deflate_insert(struct fpgz_deflate_window *window, const uint8_t *at, uint64_t word,
                                    enum fpgz_deflate_chain depth)
{
    const unsigned shift = window->shift, index = (unsigned)(at - window->base), first = (unsigned)word;
    const unsigned bucket =
        ((first & 0xFF) << (2 * shift) ^ (first >> 8 & 0xFF) << shift ^ (first >> 16 & 0xFF)) & window->mask;
    uint16_t *const head = &window->head[fpgz_deflate_hash(word, 3, HASH_BITS_3)];
    const uint32_t link = (uint32_t)++window->rank[bucket] << 16 | *head;
    *head = (uint16_t)index;
    window->link[index % WINDOW] = link;
    for (enum fpgz_deflate_chain chain = CHAIN_4; chain <= depth; chain++)
        fpgz_deflate_insert_longer(window, index, word, chain);
    return link;
}

#endif

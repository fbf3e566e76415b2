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
    /* Positions that are entered at once, before they are searched. The last ones of more than this would
     * take the places of links to the farthest matches. */
    AHEAD = 256,
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
    const uint8_t *entered;        /* up to here positions are entered, where that is done ahead */
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

/* Takes the next chain into use, where positions are entered ahead. */
void fpgz_deflate_window_deepen(struct fpgz_deflate_window *window);

/* Makes candidates of the positions from window->entered on, which is at most a match before `at`, up to some
 * behind `at`, where three bytes are left. Levels from 4 on enter them all, whatever is found; at once, they
 * do not wait for what is. */
void fpgz_deflate_enter_ahead(struct fpgz_deflate_window *window, const uint8_t *at);

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

/* zlib's hash of three bytes: of the next one, from the hash before and the last of its bytes. */
INLINE unsigned fpgz_deflate_roll(const struct fpgz_deflate_window *window, unsigned bucket, uint8_t last)
{
    return (bucket << window->shift ^ last) & window->mask;
}

/* The hash before that of `at`, as far as it counts for the next. */
INLINE unsigned fpgz_deflate_bucket_before(const struct fpgz_deflate_window *window, const uint8_t *at)
{
    return (unsigned)at[0] << window->shift ^ at[1];
}

/* The least index that matches of a position may be at. */
INLINE unsigned fpgz_deflate_farthest(unsigned index)
{
    return index > WINDOW_NEAR ? index - WINDOW_NEAR : 1;
}

/* Makes the position of an index a candidate. Returns its link. */
INLINE uint32_t fpgz_deflate_enter(struct fpgz_deflate_window *window, unsigned index, uint64_t word,
                                   unsigned bucket, enum fpgz_deflate_chain depth)
{
    uint16_t *const head = &window->head[fpgz_deflate_hash(word, 3, HASH_BITS_3)];
    const uint32_t link = (uint32_t)++window->rank[bucket] << 16 | *head;
    *head = (uint16_t)index;
    window->link[index % WINDOW] = link;
    for (enum fpgz_deflate_chain chain = CHAIN_4; chain <= depth; chain++)
        fpgz_deflate_insert_longer(window, index, word, chain);
    return link;
}

/* The same for `at`, where `word` is, with at least three bytes left, where CHAIN_3 is all. */
INLINE uint32_t fpgz_deflate_insert(struct fpgz_deflate_window *window, const uint8_t *at, uint64_t word)
{
    const unsigned bucket =
        fpgz_deflate_roll(window, fpgz_deflate_bucket_before(window, at), (uint8_t)(word >> 16));
    return fpgz_deflate_enter(window, (unsigned)(at - window->base), word, bucket, CHAIN_3);
}

/* The same for all positions from `at` on before `end`. */
INLINE void fpgz_deflate_insert_all(struct fpgz_deflate_window *window, const uint8_t *at, const uint8_t *end)
{
    unsigned bucket = fpgz_deflate_bucket_before(window, at);
    for (; at < end; at++) {
        bucket = fpgz_deflate_roll(window, bucket, at[2]);
        fpgz_deflate_enter(window, (unsigned)(at - window->base), fpgz_deflate_word(window, at), bucket,
                           CHAIN_3);
    }
}

#endif

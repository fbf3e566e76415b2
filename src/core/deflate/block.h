/* SPDX-License-Identifier: MIT
 * A block of deflate: the symbols that were found for a part of the input, and how they are written. */
#ifndef FPGZ_CORE_DEFLATE_BLOCK_H
#define FPGZ_CORE_DEFLATE_BLOCK_H

#include "core/deflate/description.h"
#include "core/status.h"

enum { DEFLATE_BLOCK_MOST = (1 << 15) - 1 }; /* symbols, at memory level 9 */

struct fpgz_deflate_block {
    const uint8_t *first; /* byte of the block */
    const uint8_t *run;   /* first literal behind the last match */
    const uint8_t *full;  /* where the block is full if only literals come */
    unsigned most;        /* symbols of a block */
    unsigned matches;
    uint32_t literals[DEFLATE_LITERALS]; /* counts of symbols */
    uint32_t distances[DEFLATE_DISTANCES];
    struct fpgz_deflate_match {
        uint16_t literals; /* that stand before it */
        uint16_t distance; /* less 1 */
        uint8_t length;    /* less DEFLATE_MIN_MATCH */
    } match[DEFLATE_BLOCK_MOST];
};

void fpgz_deflate_block_begin(struct fpgz_deflate_block *block, const uint8_t *first);

INLINE void fpgz_deflate_take_literal(struct fpgz_deflate_block *block, uint8_t byte)
{
    block->literals[byte]++;
}

/* A match of the bytes from `at` on. */
INLINE void fpgz_deflate_take_match(struct fpgz_deflate_block *block, const uint8_t *at, unsigned length,
                                    unsigned distance)
{
    block->match[block->matches++] = (struct fpgz_deflate_match){
        (uint16_t)(at - block->run), (uint16_t)(distance - 1), (uint8_t)(length - DEFLATE_MIN_MATCH)};
    block->literals[fpgz_deflate_length(length - DEFLATE_MIN_MATCH).symbol]++;
    block->distances[fpgz_deflate_distance(distance - 1).symbol]++;
    block->run = at + length;
    block->full += length - 1;
}

/* How a block is written. */
struct fpgz_deflate_written {
    enum fpgz_deflate_kind kind;
    uint64_t bits; /* of all but the kind; unless stored */
    struct fpgz_deflate_codes {
        struct fpgz_deflate_code literals, distances;
    } codes;
    struct fpgz_deflate_description description; /* of codes that are dynamic */
};

/* Finds the way that takes least for the block, which ends before `end`; `storable`: it may be stored. */
void fpgz_deflate_block_settle(struct fpgz_deflate_block *block, const uint8_t *end, bool storable,
                               struct fpgz_deflate_written *written);

/* Writes what is before the symbols, or before the `bytes` bytes of a stored block. */
void fpgz_deflate_write_front(const struct fpgz_deflate_written *written, size_t bytes, bool last,
                              struct fpgz_bits *out);

/* Writes all of the block, for which the bits of its codes are assigned. FPGZ_LIMIT where it does not fit. */
enum fpgz_status fpgz_deflate_block_write(const struct fpgz_deflate_block *block, const uint8_t *end,
                                          bool last, struct fpgz_deflate_written *written,
                                          struct fpgz_bits *out);

#endif

/* SPDX-License-Identifier: MIT
 * Cuts an array into chunks: slabs along its slowest axis, aligned to blocks (fpgz_block_side(), codec.h) but
 * for the last one. */
#ifndef FPGZ_ENGINE_CUT_H
#define FPGZ_ENGINE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/grid.h"

/* How one array is cut. A row is one step along the slowest axis of `shape`. */
struct fpgz_cut {
    struct fpgz_grid
        shape; /* the array with its slowest axes merged to at most 3 dimensions; extent[0] may be unknown */
    uint64_t row_bytes;
    uint64_t align; /* rows */
    uint64_t rows;  /* of a chunk, a multiple of align */
};

/* Plans chunks of about `target` bytes and slabs of at most `slab` (or `target`, if larger; or all of the
 * array, where that fits a target above 4 MiB); `extent[0]` may be FPGZ_UNKNOWN. False when even 4096 values
 * exceed the limit of a chunk, or sizes do not fit in 63 bits. */
bool fpgz_cut_plan(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t target,
                   uint64_t slab, struct fpgz_cut *cut);

/* Plans chunks of whole pieces, of extents `extent`, of which `count` follow each other: as many as fit in
 * `target` bytes, at least one. Each piece is a stack of rows along its slowest axis. False where one piece
 * exceeds `target`, or sizes do not fit. */
bool fpgz_cut_pieces(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t count,
                     uint64_t target, struct fpgz_cut *cut);

/* The same for pieces of several axes that are planes of one array, which the chunks then have the shape of.
 */
bool fpgz_cut_planes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t count,
                     uint64_t target, struct fpgz_cut *cut);

/* Rows of the next chunk when `left` rows remain. All chunks have cut->rows rows. The remainder is cut
 * once more where its unaligned part is worth a chunk of its own. Depends only on the number of rows left. */
uint64_t fpgz_cut_next(const struct fpgz_cut *cut, uint64_t left);

/* The grid of a chunk of `rows` rows. */
struct fpgz_grid fpgz_cut_grid(const struct fpgz_cut *cut, uint64_t rows);

#endif

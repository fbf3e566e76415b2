/* SPDX-License-Identifier: MIT
 * ndzip inside: hypercubes of 4096 values and the kernels that code one of them.
 * Stream and transform: Knorr, Thoman, Fahringer, "ndzip: A High-Throughput Parallel Lossless Compressor for
 * Scientific Data" (DCC 2021), in the layout of the celerity program; fpgz.5 has it to the bit. */
#ifndef FPGZ_CODEC_NDZIP_NDZIP_H
#define FPGZ_CODEC_NDZIP_NDZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"
#include "core/grid.h"

enum {
    NDZIP_CUBE = 4096, /* values of a hypercube: 4096, 64 x 64 or 16 x 16 x 16 */
    NDZIP_SLACK = 64,  /* bytes that a kernel may store behind a block's words, or load behind them */
};

/* The parts of a grid and of its stream. Extents of missing axes are 1 and stand first, so that every grid is
 * 3-D. */
struct ndzip_layout {
    unsigned dims, is_f64;
    size_t word;    /* bytes of a value, and of a word of the stream */
    size_t side[3]; /* of the hypercube */
    size_t extent[3];
    size_t cubes[3];   /* complete hypercubes along each axis: all zero when there is none */
    size_t covered[3]; /* cubes x side: the values along each axis that hypercubes cover */
    size_t cube_count;
    size_t table_bytes;  /* of the offset table with its padding */
    size_t border_bytes; /* of the values that no hypercube covers */
};

struct ndzip_layout fpgz_ndzip_layout(const struct fpgz_grid *grid);

/* Where a hypercube lies in its grid: distances in values. A 1-D cube uses none, a 2-D cube `row`. */
struct ndzip_strides {
    size_t row, plane;
};

/* Codes the hypercube whose first value is at `cube` into `stream`: heads, then columns. Returns its
 * length in words of the dtype, 128 to 4224 (f32) or 64 to 4160 (f64). Up to NDZIP_SLACK bytes behind it may
 * be overwritten. `next` is the next hypercube's first value. It is only prefetched, never read. */
typedef size_t ndzip_encode_cube(const void *cube, struct ndzip_strides strides, const void *next,
                                 uint8_t *stream);

/* The reverse, from `words` words at `stream` (with NDZIP_SLACK readable bytes behind them). False, and
 * nothing written, when the heads do not ask for exactly `words` words. */
typedef bool ndzip_decode_cube(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                               void *next);

/* Of words of one width, by dimensions - 1. */
struct ndzip_kernels {
    ndzip_encode_cube *encode[3];
    ndzip_decode_cube *decode[3];
};

extern fpgz_word_kernels fpgz_ndzip_kernels;

#endif

/* SPDX-License-Identifier: MIT
 * prans' middle setting on a GPU: what the host reads of a stream, and what kernels get. */
#ifndef FPGZ_CUDA_PRANS_CUH
#define FPGZ_CUDA_PRANS_CUH

#include "prans_leaf.cuh"

extern "C" {
#include "codec/prans/middle/kernels.h"
#include "codec/prans/outline.h"
#include "core/bytes.h"
}

enum {
    PRANS_ORDERS = 4, /* along rows, that a launch sums up; more take another one */
};

/* What the host reads of a stream. It stands before the arrays that it names, by bytes from its begin. */
struct prans_front {
    uint32_t bytes;                      /* of it all */
    uint32_t values, points, components; /* values in the stream's order are planes of components */
    uint32_t row, axes, extent[MIDDLE_AXES], selected, order;
    uint32_t blocks, counted; /* values that have raw bits */
    uint32_t segments, segment_bits, tables;
    uint32_t ids;     /* bytes before the tables' numbers in the stream, or 0 */
    uint32_t special; /* the symbol of the first special value; above all symbols if there are none */
    uint32_t folded;
    uint32_t domain, number, shift, slab, last; /* last: the largest rank */
    uint32_t exceptions;
    double scale, inverse;   /* inverse: 1 / scale, rounded */
    double per_span;         /* of decimals: 1 / span, rounded */
    int64_t first, span;     /* the least number of their digits, and how many a power of ten has */
    int32_t decade, nearest; /* nearest: rounded once */
    uint64_t origin, step, special_word[PRANS_SPECIALS];
    uint32_t low, width, frequency, segment, lattice, dictionary, exception, exact;
};

/* An axis: `width` columns beside each other, whose values are `width` apart, `extent` values each. */
struct prans_axis {
    uint32_t width, extent, parts;
};

/* How prans_tiles() cuts a chunk into tiles of whole rows, `strips` of them below each other along an axis of
 * `extent` rows, which are `width` values apart. Stacks of them, `step` values apart, are summed up along
 * another axis; `beside`: stacks of a strip. No strips: not at all. */
struct prans_tiling {
    uint32_t axes; /* that are summed along */
    uint32_t extent, width, stack, step;
    uint32_t vectors, groups; /* threads' parts of a tile: so many beside and below each other */
    uint32_t strips, beside;
};

/* A chunk, as kernels get it. */
struct prans_work {
    struct prans_front f;
    const uint8_t *brought; /* the front in the host's memory */
    uint8_t *front;         /* and on the device, once prans_tables() has run */
    const uint8_t *stream;
    uint64_t length;
    uint8_t *image;  /* the tables: PRANS_SCALE bytes each, then as many times 256 pairs of numbers */
    uint64_t *bit;   /* where each block's raw bits begin in the stream */
    uint8_t *symbol; /* of each value, of whole blocks */
    uint64_t *carry; /* PRANS_ORDERS a piece of a row that is longer than a piece */
    struct prans_tiling tiling;
    uint32_t *turn;   /* the next tile of the launch, and behind it what is known of each tile */
    void *above;      /* sums of each tile, and of all above it */
    void *y, *values; /* integers in the stream's order, and the grid; they may be the same */
    struct fpgz_cuda_result *result;

    /* Of the present launch. */
    uint32_t order; /* sums along rows */
    uint32_t left;  /* axes that are to be summed along */
    uint32_t leave; /* makes values, else integers in `y` */
    struct prans_axis axis;
};

/* Tiles that have others below them. */
static __host__ __device__ __forceinline__ uint32_t prans_marks(const prans_tiling &tiling)
{
    return tiling.strips > 1 ? (tiling.strips - 1) * tiling.beside * tiling.stack : 0;
}

/* The chunks of a launch, each of which has some of its blocks. */
struct prans_batch {
    uint32_t count, end[PRANS_LEAVES]; /* of each chunk's blocks */
    prans_work work[PRANS_LEAVES];
};
static_assert(sizeof(prans_batch) <= 4096, "all kernels can have so many bytes of arguments");

/* The chunk of this block, and which of its blocks this is. */
static __device__ __forceinline__ const prans_work &prans_of(const prans_batch &batch, uint32_t *block)
{
    uint32_t i = 0, begin = 0;
    for (; blockIdx.x >= batch.end[i]; i++)
        begin = batch.end[i];
    *block = blockIdx.x - begin;
    return batch.work[i];
}

#endif

/* SPDX-License-Identifier: MIT
 * prans' middle setting inside: the layout of a chunk, and the kernels. fpgz.5 has the stream to the bit.
 * Nothing in a stream depends on what was decoded before but for the rows' sums: a segment of values has 32
 * interleaved rANS lanes, a block of it one of 16 tables, and the raw bits' places are sums of their lengths.
 */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_H
#define FPGZ_CODEC_PRANS_MIDDLE_H

#include "codec/prans/domain/domain.h"
#include "core/grid.h"

enum {
    MIDDLE_LANES = 32,
    MIDDLE_BLOCK = 128, /* values that share a table */
    MIDDLE_TABLES = 16,
    MIDDLE_SEGMENT = 1 << 16, /* values that share lanes */
    MIDDLE_SEGMENT_BLOCKS = MIDDLE_SEGMENT / MIDDLE_BLOCK,
    MIDDLE_COMPONENTS = 8,                           /* values of one point that are taken apart, at most */
    MIDDLE_AXES = 3,                                 /* that rows lie along */
    MIDDLE_ROW_TERMS = 7,                            /* rows that predict one */
    MIDDLE_START = 1 << 16,                          /* the state that lanes begin encoding with */
    MIDDLE_SPECIAL = PRANS_SYMBOLS - PRANS_SPECIALS, /* the symbol of the first special value */
    MIDDLE_STATE_BYTES = 4 * MIDDLE_LANES,
    /* Bytes behind a segment that decoding a block may read before it finds out. */
    MIDDLE_SLACK = 2 * MIDDLE_BLOCK + 8 * MIDDLE_BLOCK + 128,
};

/* Values are coded by planes of equal components: those of the fastest axes, if they are few, become the
 * slowest. Rows of this order are predicted by rows before them. */
struct middle_layout {
    size_t values, points; /* points = values / components */
    unsigned components;
    unsigned axes;              /* that rows lie along, at most MIDDLE_AXES */
    size_t extent[MIDDLE_AXES]; /* slowest first, in rows */
    size_t row;                 /* values of a row */
    size_t rows, blocks, segments;
};

/* How values are predicted: by the Lorenzo stencil of some of the axes, with differences of `order` along
 * rows. */
struct middle_mode {
    unsigned axes;  /* as bits, the slowest one lowest */
    unsigned order; /* 0 to 2 */
};

/* The rows that predict a row: as many are added as ... */
struct middle_rows {
    unsigned added, taken;
    size_t add[4], take[3]; /* how many values they lie before it */
};

/* Sums that go on from one part of a row to the next. */
struct middle_carry {
    uint64_t first, second;
};

/* A segment while it is decoded. */
struct middle_source {
    uint32_t (*tables)[PRANS_SCALE];
    const uint8_t *ids; /* of the blocks' tables, a byte each */
    const uint8_t *states, *words, *words_end, *raw, *raw_end;
    size_t blocks;
};

/* A symbol's frequency, and those of the symbols below it << 16. */
typedef uint32_t middle_code;

struct middle_kernels {
    /* The residuals of `count` values at y, part of a row from its value `at` on. flag: NULL or where the
     * special values are. */
    void (*difference)(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const void *y,
                       const uint8_t *flag, void *residual);
    /* The reverse, in place. */
    void (*sum)(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const uint8_t *flag,
                struct middle_carry *carry, void *y);
    /* What the residuals cost, about, in 2^-16 bits. */
    uint64_t (*cost)(const void *residual, size_t count);
    /* Gives special values of a whole row the integers that sum() finds there. */
    void (*fill)(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag, void *y);
    /* Values of integers, the first of which is number `first` of the grid; exceptions apart. flag as above.
     */
    void (*leave)(const struct prans_domain *domain, size_t first, const void *y, const uint8_t *flag,
                  size_t count, void *values);
    /* Symbols of residuals. */
    void (*symbols)(const void *residual, const uint8_t *flag, size_t count, uint8_t *symbol);
    /* Raw bits of residuals with these symbols. Returns their end. */
    uint8_t *(*raw)(const void *residual, const uint8_t *symbol, size_t count, uint8_t *out);
    /* Words of the symbols in whole blocks, written backwards from `end`. Returns their begin, where the
     * lanes' states stand. */
    uint8_t *(*words)(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end);
    /* Whole blocks: residuals and, if not NULL, flags. False when the segment is not what it says. */
    bool (*decode)(const struct middle_source *source, void *residual, uint8_t *flag);
};

/* The layout of a grid of at most 4 dimensions. */
struct middle_layout fpgz_prans_middle_layout(const struct fpgz_grid *grid);

/* The rows that predict row number `row` by the Lorenzo stencil of `axes`. Those outside are zeros. */
struct middle_rows fpgz_prans_middle_rows(const struct middle_layout *layout, unsigned axes, size_t row);

/* Values (of `size` bytes) to planes of components, and `count` of them back, from number `first` on. */
void fpgz_prans_middle_split(const struct middle_layout *layout, size_t size, const void *values,
                             void *planes);
void fpgz_prans_middle_join(const struct middle_layout *layout, size_t size, const void *planes, size_t first,
                            size_t count, void *values);

/* By [dtype is f64]. */
extern const struct middle_kernels fpgz_prans_middle_c[2];
extern const struct middle_kernels fpgz_prans_middle_avx2[2];
extern const struct middle_kernels fpgz_prans_middle_avx512[2];

#endif

/* SPDX-License-Identifier: MIT
 * prans' middle setting inside: its kernels, of which each CPU level has its own. fpgz.5 has the stream to
 * the bit. Nothing in a stream depends on what was decoded before but for the rows' sums: a segment of values
 * has 32 interleaved rANS lanes, a block of it one of 16 tables, and the raw bits' places are sums of their
 * lengths.
 */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_KERNELS_H
#define FPGZ_CODEC_PRANS_MIDDLE_KERNELS_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/entropy/rans.h"
#include "codec/prans/middle/layout.h"

enum {
    MIDDLE_LANES = 32,
    MIDDLE_TABLES = 16,
    MIDDLE_TOGETHER = 4,                             /* segments that unpack() takes at most */
    MIDDLE_SPECIAL = PRANS_SYMBOLS - PRANS_SPECIALS, /* the symbol of the first special value */
    MIDDLE_STATE_BYTES = 4 * MIDDLE_LANES,
    /* Bytes behind a segment that decoding a block may read before it finds out. */
    MIDDLE_SLACK = 2 * MIDDLE_BLOCK + 8 * MIDDLE_BLOCK + 128,
};

/* How values are predicted: by the Lorenzo stencil of some of the axes, with differences of `order` along
 * rows. */
struct middle_mode {
    unsigned axes;  /* as bits, the slowest one lowest */
    unsigned order; /* 0 to 2, of bins 0 to 7 */
    bool joined;    /* of bins: all rows are one */
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

/* Of words of one width. */
struct prans_middle_kernels {
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
    /* Values of integers, in place, the first of which is number `first` of the grid; exceptions apart. flag
     * as above. */
    void (*leave)(const struct prans_domain *domain, size_t first, const uint8_t *flag, size_t count,
                  void *y);
    /* Symbols of residuals. */
    void (*symbols)(const void *residual, const uint8_t *flag, size_t count, uint8_t *symbol);
    /* Raw bits of residuals with these symbols. Returns their end. */
    uint8_t *(*raw)(const void *residual, const uint8_t *symbol, size_t count, uint8_t *out);
    /* Of every `step`-th block, behind each other: the sum of its symbols' keys. */
    void (*sizes)(const uint8_t *symbol, const uint8_t key[PRANS_SYMBOLS], size_t blocks, size_t step,
                  uint16_t *size);
    /* Of every `step`-th block: adds its symbols up in the histogram of its table. */
    void (*count)(const uint8_t *symbol, const uint8_t *ids, size_t blocks, size_t step,
                  uint32_t (*histogram)[PRANS_SYMBOLS]);
    /* The first of `tables` tables that codes it shortest; costs add up to less than 2^16. */
    void (*assign)(const uint8_t *symbol, size_t blocks, size_t step, uint16_t (*cost)[MIDDLE_TABLES],
                   unsigned tables, uint8_t *ids);
    /* Words of the symbols in whole blocks, written backwards from `end`. Returns their begin, where the
     * lanes' states stand. Two bytes a symbol are free for the words, and as many as the states take. */
    uint8_t *(*words)(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end);
    /* Whole blocks: residuals and, if not NULL, flags. False when the segment is not what it says. */
    bool (*decode)(const struct middle_source *source, void *residual, uint8_t *flag);
    /* The same, but symbols alone, of up to MIDDLE_TOGETHER segments, one behind the other. They have as many
     * blocks, but for the last one, which may have fewer. */
    bool (*unpack)(const struct middle_source *source, unsigned segments, uint8_t *symbol);
};

extern fpgz_word_kernels fpgz_prans_middle_kernels;

#endif

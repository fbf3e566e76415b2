/* SPDX-License-Identifier: MIT
 * Kernels of the format of bins, which are compiled for words of each width. Predictions are Lorenzo stencils
 * of rows before and differences of orders 0 to 7 along rows. A special value has the word of the value
 * before it if the order is 1, else that with the residual 0. */
#ifndef FPGZ_CODEC_PRANS_BINS_KERNELS_H
#define FPGZ_CODEC_PRANS_BINS_KERNELS_H

#include "codec/prans/bins/classes.h"
#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/middle/layout.h"
#include "core/cpu.h"

enum { BINS_ORDERS = 8, BINS_HEAVY = 40 /* single words with symbols of their own, at most */ };

/* What the errors before, the nearest one first, add to a difference of an order: binomial coefficients. */
static inline const int8_t *bins_weights(unsigned order)
{
    static const int8_t weights[BINS_ORDERS][BINS_ORDERS - 1] = {{0},
                                                                 {-1},
                                                                 {-2, 1},
                                                                 {-3, 3, -1},
                                                                 {-4, 6, -4, 1},
                                                                 {-5, 10, -10, 5, -1},
                                                                 {-6, 15, -20, 15, -6, 1},
                                                                 {-7, 21, -35, 35, -21, 7, -1}};
    return weights[order];
}

/* Running sums of a row, of each order. */
struct bins_carry {
    uint64_t sum[BINS_ORDERS - 1];
};

/* What symbols stand for: words from `low` on, told apart by `width` raw bits. Special values have 0. */
struct bins_symbols {
    uint64_t low[PRANS_SYMBOLS];
    uint8_t width[PRANS_SYMBOLS];
    unsigned count; /* reading: symbols that there may be */
};

/* The first symbols of heavy words and of special values, while words get theirs, and the classes of others:
 * from `first` to before `end`. */
struct bins_numbers {
    unsigned heavy, special;
    uint32_t first, end;
    bool marked; /* symbols are marks of heavy words as yet */
};

/* The raw bits of a segment while they are read. */
struct bins_raw {
    const uint8_t *at, *end; /* BINS_RAW_SLACK bytes behind the end can be read */
    uint64_t bit;
};

enum { BINS_RAW_SLACK = 8 * MIDDLE_BLOCK + 16 };

/* Of words of one width. flag: NULL, or where the special values are. */
struct prans_bins_kernels {
    /* The residuals of `count` words at y, part of a row from its value `at` on. */
    void (*difference)(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const void *y,
                       const uint8_t *flag, void *residual);
    /* The reverse, in place. */
    void (*sum)(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const uint8_t *flag,
                struct bins_carry *carry, void *y);
    /* Gives special values of a whole row what predicts them. */
    void (*fill)(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag, void *y);
    /* Puts special values where their flags are. */
    void (*specials)(const uint64_t *special, unsigned specials, const uint8_t *flag, size_t count,
                     void *value);
    /* The smallest and the largest word, each with the bits of `bias` inverted; false if all are special. */
    bool (*range)(const void *y, const uint8_t *flag, size_t count, uint64_t bias, uint64_t *least,
                  uint64_t *most);
    /* The class of a word. */
    uint32_t (*class_of)(const struct bins_grid *grid, uint64_t word);
    /* The classes of words. */
    void (*classes)(const struct bins_grid *grid, const void *word, size_t count, uint16_t *number);
    /* Symbols by a map of classes, of heavy words by their marks. */
    void (*symbols)(const struct bins_grid *grid, const uint8_t *map, const void *word, const uint8_t *flag,
                    const struct bins_numbers *numbers, size_t count, uint8_t *symbol);
    /* Marks the words of a list, of at least one, by their number in it + 1, others by 0. times[] is how many
     * there were of each. */
    void (*heavy)(const uint64_t *heavy, unsigned heavies, const void *word, const uint8_t *flag,
                  size_t count, uint8_t *mark, uint32_t *times);
    /* Raw bits of words with these symbols. Returns their end; eight bytes behind it may be written. */
    uint8_t *(*raw)(const struct bins_symbols *symbols, const void *word, const uint8_t *symbol, size_t count,
                    uint8_t *out);
    /* Words of symbols and raw bits; false when there are too few of these. */
    bool (*words)(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                  struct bins_raw *raw, void *word);
};

extern fpgz_word_kernels fpgz_prans_bins_kernels;

#endif

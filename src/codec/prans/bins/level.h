/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins as all CPU levels have them. Each level has its scan() (middle/sums*.h)
 * and its write_raw() and words_of() besides. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_LEVEL_H
#define FPGZ_CODEC_PRANS_BINS_LEVEL_H

#include "codec/prans/bins/raw.h"
#include "codec/prans/bins/rows.h"
#include "codec/prans/bins/words.h"

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out);
static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words);

#define PRANS_BINS_KERNELS                                                                                   \
    {                                                                                                        \
        .difference = difference, .sum = sum, .fill = fill, .specials = put_specials, .range = range,        \
        .class_of = class_of_word, .classes = classes_of_words, .symbols = symbols_of, .heavy = find_heavy,  \
        .raw = write_raw, .words = words_of                                                                  \
    }

#endif

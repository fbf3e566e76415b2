/* SPDX-License-Identifier: MIT
 * What an encoder with bins may have done elsewhere, by a GPU: all that follows from residuals and bins.
 * C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_BINS_AIDE_H
#define FPGZ_CODEC_PRANS_BINS_AIDE_H

#include "codec/prans/bins/kernels.h"

/* The residuals of a chunk and what their symbols are. Segments have 32 lanes. */
struct bins_task {
    size_t values, blocks, segments;
    size_t size; /* bytes of a word */
    unsigned segment_bits;
    const void *residual;
    const uint8_t *flag; /* NULL, or a byte a value: which special value it is, or 0 */
    struct bins_grid grid;
    const uint8_t *map; /* symbols of `classes` classes */
    size_t classes;
    unsigned bins, heavies; /* symbols are those of bins, heavy words, special values */
    const uint64_t *heavy;
    const uint8_t *key; /* of PRANS_SYMBOLS symbols, as tables are chosen by (middle/tables.h) */
    const struct bins_symbols *symbols;
};

/* What stands in a stream before its segments, and how long these are. */
struct bins_outcome {
    unsigned tables;
    const uint16_t (*frequency)[PRANS_SYMBOLS];
    const uint8_t *ids;      /* of the blocks' tables, four bits each */
    const uint32_t *lengths; /* two for each segment: bytes of words, and of raw bits */
    size_t bytes;            /* of all segments */
};

struct fpgz_aide {
    /* Codes the segments. False where it cannot: the caller does it then. Each that is true is followed by
     * take(), until which the outcome stays valid. */
    bool (*code)(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome);
    /* Puts the segments to `out`; false where it fails. */
    bool (*take)(struct fpgz_aide *aide, uint8_t *out);
};

#endif

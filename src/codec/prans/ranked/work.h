/* SPDX-License-Identifier: MIT
 * The scratch of the format of ranks. */
#ifndef FPGZ_CODEC_PRANS_RANKED_WORK_H
#define FPGZ_CODEC_PRANS_RANKED_WORK_H

#include "codec/prans/inner.h"

enum {
    RANKED_FRONT = 16, /* bytes: the head, how many words the dictionary has, bytes of the numbers' stream */
    RANKED_PART = 2,   /* of so many values one may be a distinct one */
    RANKED_FEW_PART = 8,   /* fewer distinct values are for the rank domain */
    RANKED_MOST = 1 << 20, /* values that the encoder looks at, for memory */
    RANKED_LEAST_SIZE = 4, /* bytes of words that the encoder looks at */
};

struct ranked_work {
    size_t count, size;
    struct fpgz_grid ranks; /* of u32 */
    uint8_t *dictionary;    /* words */
    uint32_t *rank;
    void *inner;
    size_t bytes;
    /* Of the encoder. */
    unsigned slot_bits;
    uint32_t *slots; /* in the scratch of inner streams */
    uint64_t *keys;  /* there, too: of words, in the order of values; with room to sort them */
    uint8_t *stream;
    size_t stream_bytes;
};

/* Whether the encoder looks at such grids. */
static inline bool ranked_is_tried(const struct fpgz_grid *grid)
{
    return fpgz_dtype_size(grid->dtype) >= RANKED_LEAST_SIZE && fpgz_grid_values(grid) <= RANKED_MOST;
}

/* Lays the work out; scratch may be NULL. */
struct ranked_work fpgz_prans_ranked_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch);

#endif

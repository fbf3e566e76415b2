/* SPDX-License-Identifier: MIT
 * The scratch of the format of sums, and what its encoder and decoder share. */
#ifndef FPGZ_CODEC_PRANS_SUMMED_WORK_H
#define FPGZ_CODEC_PRANS_SUMMED_WORK_H

#include "codec/prans/inner.h"
#include "codec/prans/matched/work.h"
#include "codec/prans/middle/layout.h"

enum {
    SUMMED_ORDERS = 2,
    SUMMED_LEAST_SIZE = 4, /* bytes of a word */
    SUMMED_MOST = 1 << 21, /* values that the encoder looks at, for memory */
};

/* The order in which words are summed. */
enum summed_along {
    SUMMED_ROW,     /* that of the values */
    SUMMED_COLUMNS, /* the middle format's, the components of a point apart */
    SUMMED_LINES,   /* that of the values, to each one as far back as the fastest axis is long */
    SUMMED_GRID,    /* as lines, which are the rows of a grid of differences */
    SUMMED_PLANES,  /* as columns, which are the rows of a grid of differences */
    SUMMED_ALONG,
};

struct summed_work {
    const struct prans_matched_kernels *kernels; /* which put words in the order of the values, and back */
    enum prans_number number;
    struct middle_layout layout; /* of values; a row has its columns behind each other */
    struct fpgz_grid differences[SUMMED_ALONG];
    struct fpgz_params own; /* by which the high setting codes these: integers like the values */
    size_t line;            /* values of the fastest axis */
    uint8_t *words;         /* as many as values */
    uint8_t *kept;          /* of the encoder: a stream no longer than the values */
    void *inner;
    size_t bytes;
};

/* Whether there are streams of such grids, and whether the encoder looks for them. */
static inline bool summed_is_known(const struct fpgz_grid *grid)
{
    return fpgz_dtype_size(grid->dtype) >= SUMMED_LEAST_SIZE;
}

static inline bool summed_is_tried(const struct fpgz_grid *grid)
{
    return summed_is_known(grid) && fpgz_grid_values(grid) <= SUMMED_MOST;
}

/* Whether the components of a point are apart. */
static inline bool summed_is_split(enum summed_along along)
{
    return along == SUMMED_COLUMNS || along == SUMMED_PLANES;
}

/* Whether a grid's words can be summed so. */
static inline bool summed_can_be(const struct summed_work *w, enum summed_along along)
{
    return along == SUMMED_ROW ||
           (summed_is_split(along) ? w->layout.components > 1 : w->line < w->layout.values);
}

/* Lays the work out; scratch may be NULL. */
struct summed_work fpgz_prans_summed_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch);

/* Replaces each of the words by what it differs by from the one before; back: by the sum of all up to it. */
void fpgz_prans_summed_step(const struct summed_work *w, enum summed_along along, bool back, uint8_t *words);

#endif

/* SPDX-License-Identifier: MIT
 * The scratch of the format of grids apart. */
#ifndef FPGZ_CODEC_PRANS_APART_WORK_H
#define FPGZ_CODEC_PRANS_APART_WORK_H

#include "codec/prans/apart/split.h"

enum {
    APART_SIDE = 4 * APART_MOST, /* bytes, at most, that tell the lengths of streams */
    APART_SAMPLES = 32,          /* pairs of neighbours of a part, by which others are compared with it */
};

/* What is coded as a whole takes all the scratch from its start: nothing here is needed then. */
struct apart_work {
    uint8_t *values;      /* as many as the grid has */
    uint8_t *stream;      /* of the encoder in the high setting, which often tries parts in vain; else NULL */
    uint8_t *differences; /* of a part's values, behind what coding them takes; NULL until parts are known */
    uint64_t *samples;    /* of the encoder: of each part (akin.h) */
    void *inner;
    size_t bytes;
};

/* Lays the work out; scratch may be NULL. */
struct apart_work fpgz_prans_apart_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                        const struct fpgz_params *params, bool encoding, uint8_t *scratch);

/* The work with room for differences of such parts. */
struct apart_work fpgz_prans_apart_differing(const struct apart_work *w, const struct fpgz_codec *inner,
                                             const struct fpgz_grid *part, const struct fpgz_params *params,
                                             bool encoding);

#endif

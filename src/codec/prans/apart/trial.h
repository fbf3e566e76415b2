/* SPDX-License-Identifier: MIT
 * A trial of ways to part a grid, by estimates of the middle setting. */
#ifndef FPGZ_CODEC_PRANS_APART_TRIAL_H
#define FPGZ_CODEC_PRANS_APART_TRIAL_H

#include "codec/prans/apart/work.h"

enum { APART_LEAST_VALUES = 256 /* of a part */ };

struct apart_trial {
    struct fpgz_coding box; /* each */
    unsigned boxes;
    bool begun;
    size_t first, whole, apart; /* bytes, about: of the first box, of all; by the best way, 0 without one */
    struct apart_split best;
};

/* Tries what axes values differ by. What is at `stream` is lost. */
void fpgz_prans_apart_try(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                          const struct apart_work *w, const void *values, uint8_t *stream,
                          struct apart_trial *t);

/* The share of the grid's values that boxes have. */
double fpgz_prans_apart_seen(const struct apart_trial *t, const struct fpgz_grid *grid);

#endif

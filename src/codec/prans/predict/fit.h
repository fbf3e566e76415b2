/* SPDX-License-Identifier: MIT
 * Stencils fitted to a chunk: weighted least squares on samples of its tiles, in groups of tiles that are
 * alike. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_FIT_H
#define FPGZ_CODEC_PRANS_PREDICT_FIT_H

#include "codec/prans/predict/stencil.h"

enum {
    PRANS_ROW = PRANS_TAPS + 8, /* of a system of equations, with room for whole vectors */
    PRANS_FIT_GROUPS = 4,
    PRANS_FIT_SAMPLES = 1 << 15, /* of a chunk, as long as a tile has PRANS_FIT_LEAST of them */
    PRANS_FIT_LEAST = 16,
    PRANS_FIT_MOST = 256,
};

/* The samples of a chunk, those of a tile in a row. */
struct prans_samples {
    size_t count, tiles;
    uint32_t *first; /* sample of a tile, tiles + 1 of them */
    size_t *at;      /* index of the value, as prans_field counts them */
    uint8_t *phase;
    double *target;  /* the value */
    double *quantum; /* the step of its integers there */
    double *error;   /* of the best prediction so far */
    double *start;   /* `error` as it was before the first fit */
    double *weight;
    double (*row)[PRANS_ROW]; /* the values at a shape's offsets, the target, zeros */
};

/* A kernel: adds the samples from `first` to `end` - 1 that have this phase to normal equations. */
typedef void prans_accumulate(const struct prans_samples *samples, size_t first, size_t end, unsigned phase,
                              unsigned taps, double (*equations)[PRANS_ROW]);

/* Fits one stencil of `taps` taps to each of at most PRANS_FIT_GROUPS groups of tiles, from the errors in
 * samples->start. group[tile] says where tiles begin and, afterwards, where they ended. weight[group] is as
 * fpgz_prans_stencil_fitted() takes it. Returns how many groups there are. */
void fpgz_prans_fit(prans_accumulate *accumulate, unsigned phases, unsigned taps,
                    struct prans_samples *samples, uint8_t *group,
                    double weight[PRANS_FIT_GROUPS][PRANS_PHASES * PRANS_TAPS]);

#endif

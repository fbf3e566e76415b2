/* SPDX-License-Identifier: MIT
 * Stencils fitted to a chunk: weighted least squares on samples of its tiles, in groups of tiles that are
 * alike. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_FIT_H
#define FPGZ_CODEC_PRANS_PREDICT_FIT_H

#include "codec/prans/predict/stencil.h"

enum {
    PRANS_FIT_LANES = 8,            /* samples that kernels take at once */
    PRANS_COLUMNS = PRANS_TAPS + 4, /* of a block of samples, at most, with room for kernels that take four */
    PRANS_FIT_GROUPS = 4,
    PRANS_FIT_SAMPLES = 10 << 10, /* of a chunk, as long as a tile has PRANS_FIT_LEAST of them */
    PRANS_FIT_LEAST = 16,
    PRANS_FIT_MOST = 256,
};

/* The samples of a chunk, those of a tile in a row, in whole blocks of PRANS_FIT_LANES. */
struct prans_samples {
    size_t count, tiles;
    uint32_t *first; /* sample of a tile, tiles + 1 of them */
    size_t *at;      /* index of the value, as prans_field counts them */
    uint8_t *phase;
    double *target;  /* the value */
    double *quantum; /* the step of its integers there; so large that the sample hardly counts */
    double *error;   /* of the best prediction so far */
    double *start;   /* `error` as it was before the first fit */
    double *weight;
    /* By blocks: the values at a shape's first offset; those at the others and the targets, less these, so
     * that small differences of large values count in the equations; zeros. */
    double (*column)[PRANS_FIT_LANES];
};

/* The columns that a block has in a fit of so many taps. */
static inline size_t fpgz_prans_stride(unsigned taps)
{
    return taps + PRANS_COLUMNS - PRANS_TAPS;
}

/* The columns of the block of this sample. */
static inline double (*fpgz_prans_block(const struct prans_samples *s, size_t sample,
                                        unsigned taps))[PRANS_FIT_LANES]
{
    return s->column + sample / PRANS_FIT_LANES * fpgz_prans_stride(taps);
}

/* Kernels, on the blocks from sample `first` to `end` - 1 of one tile. */
struct prans_fit_kernels {
    /* Adds the samples that have this phase to normal equations; of each the sum of its lanes counts. */
    void (*accumulate)(const struct prans_samples *samples, size_t first, size_t end, unsigned phase,
                       unsigned taps, double (*equations)[PRANS_COLUMNS][PRANS_FIT_LANES]);
    /* The errors under the weights of each phase; returns about what they cost, plus a constant. */
    int64_t (*errors)(const struct prans_samples *samples, size_t first, size_t end, unsigned phases,
                      unsigned taps, const double *weight, double *error);
};

/* Fits one stencil of `taps` taps to each of at most PRANS_FIT_GROUPS groups of tiles, from the errors in
 * samples->start. group[tile] says where tiles begin and, afterwards, where they ended. weight[group] is as
 * fpgz_prans_stencil_fitted() takes it. */
void fpgz_prans_fit(const struct prans_fit_kernels *kernels, unsigned phases, unsigned taps,
                    struct prans_samples *samples, uint8_t *group,
                    double weight[PRANS_FIT_GROUPS][PRANS_PHASES * PRANS_TAPS]);

#endif

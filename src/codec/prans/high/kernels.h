/* SPDX-License-Identifier: MIT
 * The high setting's kernels, of which each CPU level has its own, and what they work on. */
#ifndef FPGZ_CODEC_PRANS_HIGH_KERNELS_H
#define FPGZ_CODEC_PRANS_HIGH_KERNELS_H

#include "codec/prans/entropy/clustering.h"
#include "codec/prans/high/model.h"
#include "codec/prans/predict/fit.h"
#include "core/cpu.h"

/* Symbols' tables of a chunk as decoding wants them. A value waits for its symbol, but not for what the state
 * becomes: symbols stand for themselves, so that those of many tables stay in the first cache. */
struct prans_tables {
    uint8_t at[PRANS_TABLES][PRANS_SCALE];       /* the symbol of each slot */
    uint32_t share[PRANS_TABLES][PRANS_SYMBOLS]; /* frequency, and the sum of those below << 16 */
    struct prans_symbol symbol[PRANS_SYMBOLS];
    uint8_t of_context[PRANS_CONTEXTS];
    uint8_t of_direct[PRANS_LEVELS + 1];
    uint8_t of_length, of_distance;
    uint32_t frequent[PRANS_FREQUENT];
};

/* One band while it is decoded. `real` and `error` are arrays of the dtype. */
struct prans_band {
    void *real, *error;
    uint8_t *special;
    struct prans_refiner *refiner; /* of each component */
    size_t at;                     /* the next value, counted from the band's first */
    uint32_t state;
    const uint8_t *words;
    const uint8_t *raw;
    uint64_t bit;
    size_t match_left, match_back;
    uint32_t recent[PRANS_REPEATS];
    bool failed;
};

enum { PRANS_RUN_WORDS = 4 * PRANS_RUN * 2, PRANS_RUN_RAW = 16 * PRANS_RUN }; /* bytes that a run may take */

/* What a run is predicted from, each from its first value on: values, errors (which are added to), marks of
 * special values and of those that matches copy. */
struct prans_past {
    const void *real;
    void *error;
    const uint8_t *special, *copied;
};

/* Of words of one width. */
struct prans_high_kernels {
    /* What the run is predicted to be, as values, and the residuals of its integers y; with `errors`, also
     * the differences of the values. */
    void (*residuals)(const struct prans_model *model, const struct prans_run *run, const void *real,
                      const void *y, void *predicted, void *residual);
    /* The same with refined predictions, and the differences of the values; refiner[phase] learns. */
    void (*refined_residuals)(const struct prans_model *model, const struct prans_run *run,
                              struct prans_refiner *refiner, const struct prans_past *past, const void *y,
                              void *predicted, void *residual);
    void (*errors)(const void *real, const void *predicted, size_t count, void *error);
    /* The sum of log2(|residual| + 0.6) + 1.4 in 2^-16 bits, about what the residuals cost. */
    uint64_t (*cost)(const void *residual, size_t count);
    /* The contexts of a run's values. */
    void (*contexts)(const struct prans_model *model, const struct prans_run *run, const void *predicted,
                     const void *error, const uint8_t *special, uint16_t *context);
    struct prans_fit_kernels fit;
    /* Decodes a run of each band, in turns; b may be NULL. */
    void (*decode)(const struct prans_model *model, const struct prans_tables *tables,
                   const struct prans_run *run_a, struct prans_band *a, const struct prans_run *run_b,
                   struct prans_band *b);
};

extern fpgz_word_kernels fpgz_prans_high_kernels;

#endif

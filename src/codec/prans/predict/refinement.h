/* SPDX-License-Identifier: MIT
 * The refined format's refinement of predictions: recursive least squares. What a stencil misses is predicted
 * from the values and errors around by weights that follow the data, and a share of that is added to the
 * stencil's sum. fpgz.5 has the arithmetic to the bit. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_REFINEMENT_H
#define FPGZ_CODEC_PRANS_PREDICT_REFINEMENT_H

#include <string.h>

#include "codec/prans/predict/stencil.h"

enum {
    PRANS_REFINEMENT_INPUTS = 16,
    PRANS_REFINEMENT_VALUES =
        11, /* inputs that are differences of values; then the error at W, and differences */
    PRANS_REFINEMENT_MEMORY_LEAST = 8,
    PRANS_REFINEMENT_MEMORY_MOST = 20,
    PRANS_REFINEMENT_PARTS = 16, /* of a share */
};

/* How a chunk is refined. */
struct prans_refinement {
    unsigned memory;     /* with each value the weight of those before sinks by 2^-memory; 0: no refinement */
    unsigned parts;      /* of a correction, PRANS_REFINEMENT_PARTS / 2 at most, that are added in any case */
    double keep, grow;   /* 1 - 2^-memory and its inverse */
    double least, range; /* the share that is added in any case, and how much more it may become */
    uint64_t offset[PRANS_REFINEMENT_VALUES]; /* of the values that are inputs; x in place of those there are
                                                 not */
};

/* What the values of one component of a band have taught so far. */
struct prans_refiner {
    _Alignas(
        64) double spread[PRANS_REFINEMENT_INPUTS]
                         [PRANS_REFINEMENT_INPUTS]; /* less `growth`: the inverse of the inputs' squares */
    double weight[PRANS_REFINEMENT_INPUTS];
    double growth;         /* by forgetting, since the run began */
    double plain, refined; /* running means of the errors without and with a correction */
    double share;          /* of the next correction */

    /* Of the value that is being predicted. */
    double input[PRANS_REFINEMENT_INPUTS], gain[PRANS_REFINEMENT_INPUTS];
    double inverse;    /* of the unit that its inputs are counted in */
    double quantum;    /* the step of its integers, in this unit */
    double correction; /* in this unit */
    double surprise;   /* how little is known about such inputs */
    bool ready;
};

/* Sets the offsets of inputs. */
void fpgz_prans_refinement_inputs(const struct prans_axes *axes, struct prans_refinement *refinement);

/* Sets all else from `memory` and `parts`. False when they are out of range. */
bool fpgz_prans_refinement_set(unsigned memory, unsigned parts, struct prans_refinement *refinement);

/* Nothing is known. */
static inline void prans_refiner_start(const struct prans_refinement *refinement,
                                       struct prans_refiner *refiner)
{
    memset(refiner, 0, sizeof *refiner);
    for (unsigned i = 0; i < PRANS_REFINEMENT_INPUTS; i++)
        refiner->spread[i][i] = 0x1p-6;
    refiner->growth = 1;
    refiner->share = refinement->least;
}

#endif

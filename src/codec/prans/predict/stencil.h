/* SPDX-License-Identifier: MIT
 * Predictions as weighted sums of the values before: the stencils of prans' high setting, fixed and fitted.
 * What a stencil predicts is a binary64 sum of products in one order, each operation rounded on its own: far
 * taps as they are listed, then near ones from the farthest to the nearest. */
#ifndef FPGZ_CODEC_PRANS_PREDICT_STENCIL_H
#define FPGZ_CODEC_PRANS_PREDICT_STENCIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/grid.h"

enum {
    PRANS_NEAR = 16,      /* values back that count as near: their taps are dense */
    PRANS_NEAR_LEAST = 3, /* near taps that all stencils have, if of no weight */
    PRANS_TAPS = 24,      /* of a stencil, at most */
    PRANS_PHASES = 4,     /* components that lie interleaved, at most; each has weights of its own */
    PRANS_RUN = 64,       /* values that are predicted at once, as far as they do not depend on each other */
    PRANS_BANK = 64,      /* stencils that a chunk may choose from */
    PRANS_FIXED = 17,     /* of all dimensions */
    PRANS_SHAPES = 6,     /* of fitted stencils */
    PRANS_ZERO = 0,       /* the stencil without taps */
};

/* The axes as offsets between neighbours: x, y, z, t (0: there is none). Up to PRANS_PHASES interleaved
 * components make up one point, so that x is not always 1. */
struct prans_axes {
    unsigned phases;
    uint64_t step[4];
    unsigned dims; /* of those that are not 0 */
};

/* The axes of a grid; extents of 1 are none. */
struct prans_axes fpgz_prans_axes(const struct fpgz_grid *grid);

struct prans_stencil {
    unsigned far, near;          /* taps beyond PRANS_NEAR; the farthest of the others */
    uint64_t reach;              /* the largest offset */
    uint64_t offset[PRANS_TAPS]; /* of far taps */
    double far_weight[PRANS_TAPS][PRANS_PHASES];
    double near_weight[PRANS_NEAR][PRANS_PHASES]; /* of the value 1, 2, ... before */
};

/* The fixed stencil `id` (0 to PRANS_FIXED - 1); false when the grid lacks an axis that it needs. */
bool fpgz_prans_stencil_fixed(const struct prans_axes *axes, unsigned id, struct prans_stencil *stencil);

/* The offsets of a fitted stencil's taps: of `shape` (0 to PRANS_SHAPES - 1), for all phases the same, the
 * first being x. Returns how many; 0 when the grid lacks an axis that it needs. */
unsigned fpgz_prans_shape(const struct prans_axes *axes, unsigned shape, uint64_t offset[PRANS_TAPS]);

/* The stencil with `taps` weights a phase at these offsets, each weight[phase * taps + tap]. */
void fpgz_prans_stencil_fitted(const struct prans_axes *axes, unsigned taps, const uint64_t *offset,
                               const double *weight, struct prans_stencil *stencil);

/* A bank entry as streams keep it: a fixed stencil, or PRANS_FIXED + a shape with its weights. */
struct prans_entry {
    uint8_t id;
    double weight[PRANS_PHASES * PRANS_TAPS];
};

/* The stencil of an entry; false when the grid lacks an axis that it needs. */
bool fpgz_prans_entry(const struct prans_axes *axes, const struct prans_entry *entry,
                      struct prans_stencil *stencil);

/* "2W-WW", "fit11": how listings call a stencil of the bank; shapes follow the fixed ones. */
const char *fpgz_prans_stencil_name(unsigned id);

#endif

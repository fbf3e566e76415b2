/* SPDX-License-Identifier: MIT
 * A chunk in the high setting: its values by bands, tiles and runs. */
#ifndef FPGZ_CODEC_PRANS_HIGH_FIELD_H
#define FPGZ_CODEC_PRANS_HIGH_FIELD_H

#include "codec/prans/high/kernels.h"

/* A chunk's values as they are predicted and coded, band by band; `real` and `error` of the dtype and
 * `special` with PRANS_PAD zeros before each band, so that special[band][-1] is one. */
struct prans_field {
    struct prans_model model;
    const struct prans_high_kernels *kernels;
    bool is_f64;
    unsigned bands;
    size_t first[PRANS_BANDS + 1]; /* the bands' values, counted from the chunk's first */
    size_t tiles;
    uint8_t *tile; /* the bank's stencil of each */
    unsigned stencils;
    struct prans_stencil *bank;          /* PRANS_BANK of them */
    const struct prans_lattice *lattice; /* PRANS_SLAB: of each slab */
    size_t slab;                         /* values */
    void *real[PRANS_BANDS], *error[PRANS_BANDS];
    uint8_t *special[PRANS_BANDS];
    struct prans_refiner *refiner; /* PRANS_PHASES of each band */
};

/* Where a tile lies. */
struct prans_place {
    unsigned band;
    size_t at, end; /* in the band */
};

struct prans_place fpgz_prans_place(const struct prans_field *field, size_t tile);

/* The run that begins at `at` of the band, and ends at `end` or before. */
struct prans_run fpgz_prans_run(const struct prans_field *field, unsigned band, size_t at, size_t end,
                                const struct prans_stencil *stencil);

/* How many tiles the bands have together. */
size_t fpgz_prans_tiles(const struct prans_field *field);

#endif

/* SPDX-License-Identifier: MIT
 * The high setting's scratch. */
#ifndef FPGZ_CODEC_PRANS_HIGH_WORK_H
#define FPGZ_CODEC_PRANS_HIGH_WORK_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/high/encoding.h"

/* All that scratch holds. */
struct prans_work {
    struct prans_field field;
    struct prans_side *side;
    struct prans_domain domain;
    struct prans_domain_room room;
    void *decoding;
    struct prans_encoding *encoding;
    void *y;
    uint8_t *flag;
};

/* The bands' arrays, of `padded` values each. */
struct prans_arrays {
    uint8_t *real, *error, *special;
    size_t padded;
};

/* Sets the pointers of *w and *a; returns how many bytes of scratch there must be at `base`, which may be
 * NULL. */
size_t fpgz_prans_high_lay_out(const struct fpgz_grid *grid, bool encoding, uint8_t *base,
                               struct prans_work *w, struct prans_arrays *a);

#endif

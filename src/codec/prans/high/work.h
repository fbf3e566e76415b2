/* SPDX-License-Identifier: MIT
 * The high setting's scratch. */
#ifndef FPGZ_CODEC_PRANS_HIGH_WORK_H
#define FPGZ_CODEC_PRANS_HIGH_WORK_H

#include "codec/prans/high/encoding.h"

/* All that scratch holds. */
struct prans_work {
    struct prans_field field;
    struct prans_description *description;
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

/* Gives the bands their place in the arrays; the second one begins at value `second`, or there is none (0).
 */
void fpgz_prans_place_bands(struct prans_field *field, const struct prans_arrays *a, size_t second,
                            size_t values);

/* Zeros before each band. */
void fpgz_prans_clear_padding(const struct prans_field *field);

#endif

/* SPDX-License-Identifier: MIT
 * The middle setting's scratch, and what encoder and decoder share of the stream. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_WORK_H
#define FPGZ_CODEC_PRANS_MIDDLE_WORK_H

#include "codec/prans/middle/kernels.h"
#include "codec/prans/middle/tables.h"

/* What a stream says before its segments. */
struct middle_description {
    struct prans_domain domain;
    struct middle_mode mode;
    unsigned tables;
    uint16_t frequency[MIDDLE_TABLES][PRANS_SYMBOLS];
};

struct middle_lengths {
    uint32_t words, raw; /* bytes, states apart */
};

/* Everything in the scratch; arrays of the dtype have room for whole blocks. */
struct middle_work {
    struct middle_layout layout;
    struct middle_description description;
    struct middle_tables tables;
    struct prans_domain_room room;
    bool is_f64;
    size_t size; /* bytes of a value */
    const struct prans_middle_kernels *kernels;
    struct middle_lengths *lengths; /* of each segment */
    uint8_t *flag, *ids;
    uint8_t *y, *planes;

    /* Of the encoder. */
    uint8_t *residual, *symbol;
    middle_code (*codes)[PRANS_SYMBOLS];
    /* Of the decoder. */
    uint32_t (*slots)[PRANS_SCALE];
    uint8_t *tail; /* a copy of the last segments, with slack */
};

/* Lays the work out for a grid; returns the bytes of it all. scratch may be NULL. */
size_t fpgz_prans_middle_work(const struct fpgz_grid *grid, void *scratch, struct middle_work *work);

/* The most bytes that a segment may take. */
size_t fpgz_prans_middle_segment_bound(size_t size);

/* A mode in words, into *traits. */
void fpgz_prans_middle_mode_traits(const struct middle_layout *layout, const struct middle_mode *mode,
                                   struct fpgz_traits *traits);

/* Writes or reads the description. */
void fpgz_prans_middle_code_description(struct prans_range *r, struct middle_work *work);

#endif

/* SPDX-License-Identifier: MIT
 * The scratch of the format of plateaus. */
#ifndef FPGZ_CODEC_PRANS_PLATEAUS_WORK_H
#define FPGZ_CODEC_PRANS_PLATEAUS_WORK_H

#include "codec/prans/entropy/range.h"
#include "codec/prans/inner.h"
#include "codec/prans/plateaus/coder.h"
#include "codec/prans/plateaus/plateaus.h"

enum {
    PLATEAUS_FRONT = 20, /* bytes: the head, new values, bytes of these and of edges */
    PLATEAUS_LEAST_ROW = 8,
    PLATEAUS_NEAR_BITS = 10, /* edges around a value that tell how likely one is there */
    PLATEAUS_KINDS = 4,  /* whether what is left of a value is what is there above, and in the plane before */
    PLATEAUS_COPIES = 4, /* values that one behind an edge may be again */
    PLATEAUS_PART = 2,   /* of so many values one may be new */
};

/* All that is learnt. */
struct plateaus_chances {
    struct plateaus_chance edge[PLATEAUS_KINDS << PLATEAUS_NEAR_BITS];
    struct plateaus_chance copy[PLATEAUS_COPIES][16];
    uint16_t gap[PLATEAUS_KINDS][PRANS_NUMBER_CHANCES], same_gap[PLATEAUS_KINDS][4];
};

/* A gap: so many values without an edge around them, of one kind, stand before the next such one that begins
 * with an edge. */
struct plateaus_gap {
    uint32_t kind, values;
};

struct plateaus_work {
    size_t count, size;
    size_t row,
        plane; /* values from one to that above it, and to that in the plane before; 0: there is none */
    struct plateaus_chances *chances;
    uint8_t *edges; /* a bit a value: whether it differs from the one before. The first one is bit `base` */
    size_t base, edges_bytes;
    uint8_t *fresh; /* values that are neither the one before nor another one near */
    size_t fresh_most;
    void *inner;
    size_t inner_bytes, bytes;
    uint8_t *values; /* of the decoder, where not all are asked for */
    /* Of the encoder. */
    uint8_t *kept; /* the stream, while `inner` codes the grid */
    size_t kept_bytes;
    struct plateaus_gap *gap;
};

/* Lays the work out; scratch may be NULL. */
struct plateaus_work fpgz_prans_plateaus_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                              const struct fpgz_params *params, bool encoding,
                                              uint8_t *scratch);

/* Before values are walked through. */
void fpgz_prans_plateaus_clear(const struct plateaus_work *w);

#endif

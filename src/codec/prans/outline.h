/* SPDX-License-Identifier: MIT
 * What a stream of the middle setting says besides its segments, for decoders elsewhere: a GPU's. C and C++
 * read this header. */
#ifndef FPGZ_CODEC_PRANS_OUTLINE_H
#define FPGZ_CODEC_PRANS_OUTLINE_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/middle/layout.h"

/* A segment: the states of 32 lanes, words, raw bits. */
struct prans_segment {
    uint32_t at;         /* bytes before it in the stream */
    uint32_t words, raw; /* bytes */
};

/* Pointers are into the scratch of the coding that it was made with, or into the stream. */
struct prans_outline {
    const struct prans_domain *domain;
    struct middle_layout layout; /* its segments are those of the stream */
    unsigned segment_bits;       /* log2 of a segment's values */
    unsigned axes, order;
    unsigned tables;
    const uint16_t (*frequency)[PRANS_SYMBOLS];
    const uint8_t *ids; /* of the blocks' tables, four bits each; NULL: all are 0. They may be too large */
    unsigned special;   /* the symbol of the first special value */
    bool folded;        /* words have their sign as the lowest bit */
    bool padded;        /* the last block has raw bits for all of its values */
    /* What symbols stand for: words from `low` on, told apart by `width` raw bits. */
    uint64_t low[PRANS_SYMBOLS];
    uint8_t width[PRANS_SYMBOLS];
};

/* The most segments that a stream of so many values may have. */
size_t fpgz_prans_segments_most(uint64_t values);

/* Reads all but the segments' bytes. coding->scratch is that of decode(); segment: room for the most
 * segments. FPGZ_UNSUPPORTED where it is another setting, or one whose segments have fewer lanes. */
enum fpgz_status fpgz_prans_outline(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    struct prans_outline *outline, struct prans_segment *segment);

/* The same for the formats. */
enum fpgz_status fpgz_prans_middle_outline(const struct fpgz_coding *coding, const uint8_t *stream,
                                           size_t length, struct prans_outline *outline,
                                           struct prans_segment *segment);
enum fpgz_status fpgz_prans_bins_outline(const struct fpgz_coding *coding, const uint8_t *stream,
                                         size_t length, struct prans_outline *outline,
                                         struct prans_segment *segment);

#endif

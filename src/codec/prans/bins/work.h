/* SPDX-License-Identifier: MIT
 * The scratch of the format of bins, and what encoder and decoder share of the stream. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORK_H
#define FPGZ_CODEC_PRANS_BINS_WORK_H

#include "codec/prans/bins/aide.h"
#include "codec/prans/bins/learn.h"
#include "codec/prans/bins/pieces.h"
#include "codec/prans/domain/words.h"
#include "codec/prans/middle/kernels.h"
#include "codec/prans/middle/tables.h"

enum {
    BINS_LANES_MOST = 5, /* log2 */
    BINS_LIMIT = PRANS_SYMBOLS,
    BINS_ALIGNMENT = 64,
    BINS_LEVELS = 64, /* of sizes of words, at most */
};

/* What a stream says before its segments. */
struct bins_description {
    unsigned segment_bits, lane_bits;
    struct prans_domain domain;
    struct middle_mode mode;
    struct bins_grid grid;
    unsigned bins, heavies, tables;
    struct bins_bin bin[BINS_LIMIT];
    uint64_t heavy[BINS_HEAVY];
    uint16_t frequency[MIDDLE_TABLES][PRANS_SYMBOLS];
};

/* Everything in the scratch; arrays of words have room for whole blocks. */
struct bins_work {
    struct middle_layout layout; /* its segments are not those of this format; of joined rows, once the
                                    description is coded */
    struct bins_description description;
    struct bins_symbols symbols;
    size_t size;   /* bytes of a word */
    unsigned bits; /* of a word */
    bool is_wide;  /* f32 or f64, which have all domains of the middle setting */
    const struct prans_bins_kernels *kernels;
    const struct prans_middle_kernels *rans; /* of 32 lanes; of the width, if it is wide */
    const struct prans_words_kernels *words; /* unless it is wide */
    const struct prans_domain_kernels *domains;
    struct prans_domain_room room;
    uint8_t *flag, *ids;
    bool flagged; /* flags are set */
    uint8_t *y, *planes;

    /* Of the encoder. */
    bool hasty;              /* modes are chosen by rough estimates alone */
    struct fpgz_buffer *raw; /* NULL, or the values, which may have to be completed (aide.h) */
    struct fpgz_aide *aide;  /* NULL: there is none, or it failed */
    bool aided; /* the chosen candidate's residuals are with it; `residual` has samples of them */
    struct middle_tables tables;
    struct bins_learning *learning;
    struct bins_pieces *pieces;
    uint8_t *copies, *copied_flags, *no_flags; /* of the pieces, in the room of residuals and of the stream */
    uint8_t *widths;                           /* raw bits of the words of each class of residuals */
    uint32_t *histogram;
    uint32_t *levels; /* 2 * BINS_CLASSES: histograms of blocks with words of one size */
    uint8_t *map;
    uint8_t *residual, *symbol;
    uint8_t *other; /* integers, where the stream will stand */
    middle_code (*codes)[PRANS_SYMBOLS];
    /* Of the decoder. */
    uint32_t (*slots)[PRANS_SCALE];
    uint8_t *tail; /* a copy of the last segments, with slack */
};

/* Lays the work out for a grid; returns the bytes of it all. scratch may be NULL. */
size_t fpgz_prans_bins_work(const struct fpgz_grid *grid, bool encoding, void *scratch,
                            struct bins_work *work);

/* Values of a segment, segments, and the most bytes that one may take. */
static inline size_t bins_segment(const struct bins_description *description)
{
    return (size_t)1 << description->segment_bits;
}

static inline size_t bins_segments(const struct bins_work *w)
{
    return (w->layout.values + bins_segment(&w->description) - 1) >> w->description.segment_bits;
}

size_t fpgz_prans_bins_segment_bound(size_t size);

/* The symbol of the first special value. */
static inline unsigned bins_special(const struct bins_description *description)
{
    return description->bins + description->heavies;
}

/* What the words of a dtype are: sets domain->number, and domain->infinity of halves. */
void fpgz_prans_bins_number(enum fpgz_dtype dtype, struct prans_domain *domain);

/* The class of 0: of the float 0, or the one next to it, if floats are coded as they are. */
int64_t fpgz_prans_bins_zero(const struct bins_work *work, const struct bins_grid *grid,
                             const struct prans_domain *domain, const struct middle_mode *mode);

/* What symbols stand for, by the description. */
void fpgz_prans_bins_symbols(struct bins_work *work);

/* Writes or reads the description. */
void fpgz_prans_bins_code_description(struct prans_range *r, struct bins_work *work);

#endif

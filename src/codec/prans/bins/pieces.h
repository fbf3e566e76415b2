/* SPDX-License-Identifier: MIT
 * Pieces of rows on which domains and predictions are compared: copies of their words and of those that may
 * predict them, so that only these enter a domain. Of a small chunk all words do, where they stand. */
#ifndef FPGZ_CODEC_PRANS_BINS_PIECES_H
#define FPGZ_CODEC_PRANS_BINS_PIECES_H

#include "codec/prans/bins/kernels.h"

enum {
    BINS_PIECE_VALUES = 256,
    BINS_PIECES = 1024, /* of a set, at most */
};

/* Part of a row. */
struct bins_piece {
    size_t place; /* of its first word among those of the pieces */
    size_t row, at, count;
    unsigned usable; /* axes along which there is a row before */
};

struct bins_piece_set {
    struct middle_layout layout;
    size_t back[1 << MIDDLE_AXES]; /* words from a chunk's row to that before it along some axes */
    unsigned count;
    struct bins_piece piece[BINS_PIECES];
};

struct bins_pieces {
    struct bins_piece_set plain, joined; /* of the rows, and of joined rows, if that makes a difference */
    bool whole;                          /* words stand where the chunk has them */
    size_t words;                        /* of all pieces, with those that may predict them */
};

/* Plans the pieces of a layout. They are copies if these are no more than `most` words. */
void fpgz_prans_bins_pieces(const struct middle_layout *layout, size_t most, struct bins_pieces *pieces);

/* How many words may be copied: the room of a candidate's integers, `bytes`, has those of another one and
 * flags, too. */
static inline size_t bins_pieces_most(size_t bytes, size_t size)
{
    return bytes / (2 * size + 2);
}

/* Copies words of `size` bytes, and where there are flags those. Special values get the word before: at
 * least one value is none. */
void fpgz_prans_bins_gather(const struct bins_pieces *pieces, size_t size, const void *words,
                            const uint8_t *flag, void *copies, uint8_t *flags);

/* Writes to `run`, if it is not NULL, which values gathering reads, in values; returns the number of runs. */
size_t fpgz_prans_bins_gathered(const struct bins_pieces *pieces, struct fpgz_looked *run);

/* The rows that predict a piece. */
struct middle_rows fpgz_prans_bins_rows(const struct bins_pieces *pieces, const struct bins_piece_set *set,
                                        const struct bins_piece *piece, unsigned axes);

#endif

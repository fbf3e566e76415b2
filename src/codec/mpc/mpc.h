/* SPDX-License-Identifier: MIT
 * MPC inside: segments of 1024 words and the kernels that code one of them.
 * Method: Yang, Mukka, Hesaaraki, Burtscher, "MPC: A Massively Parallel Compression Algorithm for Scientific
 * Data" (CLUSTER 2015), its component chain LNVdim, BIT, LNV1, ZE. The stream is that of the program's
 * release 1.2; fpgz.5 has it to the bit. A word is a value's bits, W of them; arithmetic is modulo 2^W. */
#ifndef FPGZ_CODEC_MPC_MPC_H
#define FPGZ_CODEC_MPC_MPC_H

#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"

enum {
    MPC_SEGMENT = 1024, /* words; no prediction crosses its borders */
    MPC_MAX_DIM = 32,
    MPC_SLACK = 64,   /* bytes that a kernel may store behind a segment's words, or load behind them */
    MPC_SAMPLED = 48, /* of windows of a sample */
    MPC_WINDOW = 32,  /* words that mpc_cost looks at, with as many before them */
};

#define MPC_SHORT SIZE_MAX

/* Codes a segment of `groups` groups of W words at `values` (1 to 1024 / W of them): LNVdim, the difference
 * to the word `dim` (1 to 32) before; BIT, the W x W bit transpose of each group; LNV1, the difference to the
 * word before; ZE, a bitmap word a group into `bitmaps` and the words that are not zero into `words`. Returns
 * how many words these are; up to MPC_SLACK bytes behind them may be overwritten. */
typedef size_t mpc_encode_segment(const void *values, unsigned groups, unsigned dim, uint8_t *bitmaps,
                                  uint8_t *words);

/* The reverse, from `available` words at `words` (with MPC_SLACK readable bytes behind them). Returns how
 * many it took; MPC_SHORT, and nothing written, when the bitmaps ask for more. */
typedef size_t mpc_decode_segment(const uint8_t *bitmaps, const uint8_t *words, size_t available,
                                  unsigned groups, unsigned dim, void *values);

/* Estimates how many of the MPC_WINDOW words at `values` would be stored. Reads as many words before them. */
typedef unsigned mpc_cost(const void *values, unsigned dim);

/* The parts of a stream. */
struct mpc_layout {
    unsigned is_f64, word, bits; /* bytes and bits of a word */
    size_t values, groups, header_bytes, bitmap_bytes;
};

struct mpc_layout fpgz_mpc_layout(const struct fpgz_grid *grid);

/* Whether the stream may end in a word that no bitmap counts. Behind a segment that is not full, the
 * published encoder also writes the difference to the word that would follow, if that is not zero. */
bool fpgz_mpc_may_stray(const struct mpc_layout *layout);

/* The first eight bytes: dim and a magic number, then the number of values. */
uint64_t fpgz_mpc_header(const struct mpc_layout *layout, unsigned dim);

/* The dim to code a grid with: the parameter or, where that leaves it open, a guess from a sample of
 * `values`. */
unsigned fpgz_mpc_dim(const struct mpc_layout *layout, const struct fpgz_params *params, const void *values);

/* Of words of one width. */
struct mpc_kernels {
    mpc_encode_segment *encode;
    mpc_decode_segment *decode;
    mpc_cost *cost;
};

extern fpgz_word_kernels fpgz_mpc_kernels;

#endif

/* SPDX-License-Identifier: MIT
 * Learning bins: which neighbouring classes share a symbol. */
#ifndef FPGZ_CODEC_PRANS_BINS_LEARN_H
#define FPGZ_CODEC_PRANS_BINS_LEARN_H

#include "codec/prans/bins/kernels.h"

enum {
    BINS_MOST = 200,   /* that the encoder makes */
    BINS_ATOMS = 1024, /* of which it makes them */
    BINS_LOGS = 512,
    BINS_COUNTS = 256,
    /* What a class costs, in 2^-16 bits: a sample of few words for each class looks more regular than all of
       them are */
    BINS_USED = 0xB8AA,
};

/* Classes from `first` to before `end`. */
struct bins_bin {
    uint32_t first, end;
};

struct bins_atom {
    uint32_t first, end;
    uint64_t below; /* words of the atoms before */
    uint64_t low;   /* the first word */
    uint64_t best;  /* what the atoms before cost, in 2^-16 bits */
    uint32_t from;  /* the first atom of the last bin before */
};

/* Scratch. */
struct bins_learning {
    uint32_t log[BINS_LOGS]; /* of 1 to 2, in 2^-16 */
    /* What a class of so few words saves, less BINS_USED; nothing without words. */
    int32_t saved[BINS_COUNTS];
    struct bins_atom atom[BINS_ATOMS + 1];
};

void fpgz_prans_bins_logs(struct bins_learning *learning);

/* The binary logarithm of `number` (at least 1), about, in 2^-16. */
static inline uint32_t bins_log2(const struct bins_learning *learning, uint64_t number)
{
    const unsigned top = 63 - (unsigned)__builtin_clzll(number);
    return (top << 16) + learning->log[(number << (63 - top) << 1) >> 55];
}

/* number times its logarithm, in 2^-16 bits. */
static inline uint64_t bins_surprise(const struct bins_learning *learning, uint64_t number)
{
    return number ? number * bins_log2(learning, number) : 0;
}

/* The bins of a histogram of classes, at most BINS_MOST; each costs `price` bits besides its words.
 * *count is their number. Returns what all words cost in bits, with their raw bits. */
uint64_t fpgz_prans_bins_learn(const struct bins_grid *grid, unsigned bits, const uint32_t *histogram,
                               unsigned price, struct bins_learning *learning, struct bins_bin *bin,
                               unsigned *count);

#endif

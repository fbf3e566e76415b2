/* SPDX-License-Identifier: MIT
 * The choice of a codec for one chunk, from a sample of it. It depends on the values, the grid and the level
 * alone: never on the machine, the threads or the clock. */
#ifndef FPGZ_CODEC_AUTO_H
#define FPGZ_CODEC_AUTO_H

#include "codec/codec.h"
#include "codec/level.h"

enum { FPGZ_AUTO_CANDIDATES = 12 };

struct fpgz_auto_candidate {
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    double ratio; /* stored/raw of the sample */
    double cost;  /* ratio, made worse for slow codecs at levels that ask for speed */
};

/* The candidates, best first. */
struct fpgz_auto_choice {
    unsigned count;
    struct fpgz_auto_candidate candidate[FPGZ_AUTO_CANDIDATES];
};

/* The codec for bytes that are no array, and its parameters: of zstd, lzma and deflate the one that the level
 * wants, as far as this build has it. */
const struct fpgz_codec *fpgz_auto_opaque(const struct fpgz_level *level, struct fpgz_params *params);

/* How a codec that may be chosen would code the whole grid. */
struct fpgz_auto_way {
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    struct fpgz_grid grid; /* as it folds it */
};

/* Lists all ways that fpgz_auto_choose() may choose for the grid; returns their number. */
unsigned fpgz_auto_ways(const struct fpgz_grid *grid, const struct fpgz_level *level,
                        struct fpgz_auto_way way[FPGZ_AUTO_CANDIDATES]);

/* Whether the level's choice for the dtype is prans by its defaults, or what makes more and is only faster.
 */
bool fpgz_auto_presumes(const struct fpgz_level *level, enum fpgz_dtype dtype);

/* Whether the level has a codec that learns, or one whose streams are verified, for floating-point values or
 * for those of the dtype. */
bool fpgz_auto_learns(const struct fpgz_level *level);
bool fpgz_auto_verifies(const struct fpgz_level *level, enum fpgz_dtype dtype);

/* Bytes of scratch (aligned to 64 bytes) that fpgz_auto_choose() needs. */
size_t fpgz_auto_memory(const struct fpgz_grid *grid, const struct fpgz_level *level);

/* Tries the lossless codecs that the level allows on a sample of the grid at `values`. Where it allows a
 * single one, that is taken without, and its ratio and cost are 0. */
void fpgz_auto_choose(const struct fpgz_grid *grid, const void *values, const struct fpgz_level *level,
                      void *scratch, struct fpgz_auto_choice *choice);

/* The candidate that a level which allows them all would take. For the level of the choice, that is the
 * first one. */
const struct fpgz_auto_candidate *fpgz_auto_prefer(const struct fpgz_auto_choice *choice,
                                                   const struct fpgz_level *level);

#endif

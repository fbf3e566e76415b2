/* SPDX-License-Identifier: MIT
 * The choice of a codec for one chunk, from a sample of it. It depends on the values, the grid and the level
 * alone: never on the machine, the threads or the clock. */
#ifndef FPGZ_CODEC_AUTO_H
#define FPGZ_CODEC_AUTO_H

#include "codec/codec.h"

enum {
    FPGZ_AUTO_CANDIDATES = 8,
    FPGZ_AUTO_MIDDLE = 4, /* from this level on, size counts enough for prans */
    FPGZ_AUTO_DEFAULT = 5,
    FPGZ_AUTO_SMALL = 7, /* from this level on, size is all that counts */
};

struct fpgz_auto_candidate {
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    double ratio; /* stored/raw of the sample */
    double cost;  /* ratio, made worse for slow codecs at levels that ask for speed */
};

/* What was considered, the best first. */
struct fpgz_auto_choice {
    unsigned count;
    struct fpgz_auto_candidate candidate[FPGZ_AUTO_CANDIDATES];
};

/* Bytes of scratch (aligned to 64 bytes) that fpgz_auto_choose() needs. */
size_t fpgz_auto_memory(const struct fpgz_grid *grid, int level);

/* Bytes of scratch, and of the stream, that any codec which it may choose needs for the whole grid. */
void fpgz_auto_chosen_memory(const struct fpgz_grid *grid, int level, size_t *scratch, size_t *stream);

/* Tries the lossless codecs that `level` (1, fast, to 9, small) allows on a sample of the grid at `values`.
 */
void fpgz_auto_choose(const struct fpgz_grid *grid, const void *values, int level, void *scratch,
                      struct fpgz_auto_choice *choice);

/* Which of the candidates another level, which allows them all, would take. */
const struct fpgz_auto_candidate *fpgz_auto_prefer(const struct fpgz_auto_choice *choice, int level);

#endif

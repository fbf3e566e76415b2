/* SPDX-License-Identifier: MIT
 * What the levels -1 (fast) to -9 (small) do: all of it stands in the table in level.c, a row a level. How
 * slow a codec is, which the levels weigh, stands with the candidates in auto.c. */
#ifndef FPGZ_CODEC_LEVEL_H
#define FPGZ_CODEC_LEVEL_H

#include <stdint.h>

enum {
    FPGZ_LEVEL_FIRST = 1,
    FPGZ_LEVEL_DEFAULT = 5,
    FPGZ_LEVEL_LAST = 9,

    /* Arrays of a file are few up to these bytes in all: any codec takes tenths of a second for them. */
    FPGZ_FEW_BYTES = 4 << 20,
};

struct fpgz_level {
    /* Codecs that are tried on floating-point values: a bit 1 << id each. Codecs that move tens of megabytes
     * a second wait for the levels that ask for size: even their samples would cost the others, which move
     * thousands, more time than they take themselves. Of bytes all levels try what takes them. */
    uint32_t candidates;

    /* The sample of a chunk: one in so many of its values, but no fewer than `least` values. */
    struct {
        uint32_t one_in, least;
    } sample;

    /* How many times a candidate's slowness makes its sample count as larger; 0: size is all that counts. */
    uint32_t haste;

    /* Parameters of candidates. Guessing the dim of gfc (0) takes a part of the time that ndzip would need.
     */
    uint32_t gfc_dim;
    uint32_t prans_setting; /* a PRANS_FORMAT_ */

    /* zlib's effort (1 to 9): for values, and for bytes, that are sampled, and for what is no array. That is
     * little, or gains little and late: zlib does its best, but for who wants it fast. */
    struct {
        uint32_t values, bytes, opaque;
    } deflate;

    /* What else codes the whole chunk, whose shortest stream is kept. No container is larger than the levels
     * named here make it of the same chunks. */
    struct {
        double runner_up; /* the second best of the sample, up to this multiple of the best; 0: never */
        int weighed_as;   /* what this level would choose by the same sample; 0: none */
        int sampled_as;   /* what this level would choose by its own sample; 0: none */
    } also;

    /* Bytes that a chunk aims at: what stays in the caches, or the more values that a codec learns from,
     * where the codec is one that does, or may be. */
    struct {
        uint32_t usual, learning;
    } chunk;

    /* Bytes: a slab of 16 planes above this, and above the aim, is cut as rows instead. Slabs that leave the
     * caches halve the speed; where size is what counts, the planes' worth for prediction counts more. */
    uint32_t slab;

    /* The level at which a file's arrays are coded that are few: size counts more, for the time is short
     * anyway. */
    int few;
};

/* The row of a level, FPGZ_LEVEL_FIRST to FPGZ_LEVEL_LAST. */
const struct fpgz_level *fpgz_level(int number);

#endif

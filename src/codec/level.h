/* SPDX-License-Identifier: MIT
 * What the levels -1 (fast) to -9 (small) do: a row each in the table in level.c. The slowness of each codec,
 * which the levels weigh, stands with the candidates in auto.c. */
#ifndef FPGZ_CODEC_LEVEL_H
#define FPGZ_CODEC_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FPGZ_LEVEL_FIRST = 1,
    FPGZ_LEVEL_DEFAULT = 5,
    FPGZ_LEVEL_LAST = 9,
    FPGZ_LEVEL_FEW = 10, /* what the last one is for a file whose arrays are few */
    FPGZ_LEVELS = 15,    /* and so for the default (11: level 7 by smaller samples), 6 and 7 (12), 8 (13);
                          * what the default is for a small raw file (15: lzma and 14, what prans makes);
                          * 6 to 8 are 12 and 13 for it, too */

    /* Bytes that are no array are few up to this number, and those of a chunk up to the other. */
    FPGZ_FEW_OPAQUE = 2 << 20,
    FPGZ_SMALL_CHUNK = 1 << 20,
    FPGZ_SMALL_RAW = 1000 * 1000, /* raw files of fewer bytes are small */
};

struct fpgz_level {
    /* Codecs that are tried on floating-point values: a bit 1 << id each. Codecs that code tens of
     * megabytes a second are only tried at levels that ask for size: at the others, whose codecs code
     * thousands, their samples alone would take more time than the coding. Bytes are tried with every codec
     * that takes them, at all levels. */
    uint32_t candidates;

    /* Whether prans is tried on values of all other types. Where it codes them, it takes no longer than zstd
     * at level 6. */
    bool numbers;

    /* The sample of a chunk: one in so many of its values, but no fewer than `least` values. */
    struct {
        uint32_t one_in, least;
    } sample;

    /* Whether floating-point samples are estimated where a codec can, not coded, and are cut short where one
     * codec is far better; and samples not coded by lzma, or zstd at a high effort, where zstd at a low one
     * makes far more than others. */
    bool estimates;

    /* The weight of a candidate's slowness, which makes its sample count as larger; 0: only size counts. */
    uint32_t haste;

    /* Parameters of candidates. Guessing the dim of gfc (0) would take part of the time that ndzip needs
     * for the chunk. */
    uint32_t gfc_dim;
    uint32_t prans_setting; /* a PRANS_FORMAT_ */
    uint32_t prans_effort;

    /* zlib's effort for sampled values (1 to 9). */
    uint32_t deflate;

    /* The level of the codec for bytes, for each that may be in the build. zlib does its best except at the
     * fast levels, for it gains little. */
    struct {
        uint32_t zstd, lzma, deflate; /* 0: not at this level */
    } bytes;

    /* Further passes over the whole chunk; the shortest stream is kept. No container is larger than the
     * levels named here make it from the same chunks. */
    struct {
        /* The smallest of the other samples, `most` of them, up to this multiple of the best. Pieces of a
         * small chunk are too short to show what a codec for bytes finds far before. Nor do they show it of
         * bytes: of these one takes part even where `most` is 0, but in no small chunk. */
        struct {
            double usual, small; /* up to FPGZ_SMALL_CHUNK bytes */
            double bytes;        /* of values of one byte; 0: none */
            unsigned most;       /* 0: never */
        } runner_up;
        int weighed_as;    /* what this level would choose by the same sample; 0: none */
        int sampled_as[4]; /* what these levels would choose by their own samples, or presume; 0: none */
    } also;

    /* Bytes that a chunk aims at: as many as stay in the caches, or more where the codec learns, or may be
     * one that does. */
    struct {
        uint32_t usual, learning;
    } chunk;

    /* Bytes: a slab of 16 planes that exceeds this and the aim is cut as rows instead. Slabs larger
     * than the caches halve the speed. Where size counts most, planes are worth more, since they predict
     * better. */
    uint32_t slab;

    /* The level that replaces this one for a file whose arrays are few: the time is short anyway, so size
     * counts more. They are if they have up to `most` bytes together, small ones counted as larger
     * (archive/coder.c): any codec takes tenths of a second for them. Raw files are coded thousands at a
     * time, so that the level that replaces this one for small ones takes hundredths. */
    struct {
        int level;
        uint32_t most;
        int raw;
    } few;
};

/* The row of a level, FPGZ_LEVEL_FIRST to FPGZ_LEVELS. */
const struct fpgz_level *fpgz_level(int number);

#endif

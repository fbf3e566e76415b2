/* SPDX-License-Identifier: MIT
 * What every codec of the table offers. A codec sees one dense grid in memory: no files, no threads, no
 * container. */
#ifndef FPGZ_CODEC_CODEC_H
#define FPGZ_CODEC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"
#include "core/grid.h"
#include "core/status.h"

enum { FPGZ_MAX_PARAMS = 4 };

/* Ids stand in containers (fpgz.5) and are never reused. */
enum fpgz_codec_id {
    FPGZ_CODEC_STORE = 0,
    FPGZ_CODEC_NDZIP = 1,
    FPGZ_CODEC_GFC = 2,
    FPGZ_CODEC_MPC = 3,
    FPGZ_CODEC_FRSZ2 = 4,
    FPGZ_CODEC_ARITH = 5,
    FPGZ_CODEC_PREDICT = 6,
    FPGZ_CODEC_DEFLATE = 7,
    FPGZ_CODEC_PRANS = 8,
    FPGZ_CODEC_ZSTD = 9,
    FPGZ_CODEC_LZMA = 10,
    FPGZ_CODEC_DELTA_LZMA = 11,
    FPGZ_CODEC_DELTA_ZSTD = 12,
    FPGZ_CODEC_IDS, /* greater than every id */
};

/* A parameter as in `name:key=value`: an integer from min to max, or its name. */
struct fpgz_param {
    const char *key;
    uint32_t min, max, fallback;
    const char *help;
    const char *const *names; /* of the values from min to max, ended by NULL; or NULL */
};

/* One value for each of a codec's parameters, in the order of its table: codecs.h names the places. */
struct fpgz_params {
    uint32_t value[FPGZ_MAX_PARAMS];
};

/* What encode() found for an earlier chunk of the array, or is to find for later ones (prans/lead.h). */
struct fpgz_lead;

/* One call: the grid as it is coded, the parameters, and memory() bytes of scratch (aligned to 64 bytes). */
struct fpgz_coding {
    struct fpgz_grid grid;
    struct fpgz_params params;
    void *scratch;
    struct fpgz_lead *lead; /* for encoders that know leads; NULL: none */
};

/* How a stream was coded, in words for people. */
struct fpgz_traits {
    const char *setting;  /* a word: the codec's way of coding */
    const char *domain;   /* a word: what values are coded as */
    unsigned specials;    /* values that have symbols of their own */
    char predictors[120]; /* the predictors, and how much each was used */
};

/* Who does some of an encoder's work: a GPU (prans/bins/aide.h). */
struct fpgz_aide;

struct fpgz_codec {
    enum fpgz_codec_id id;
    const char *name;
    const char *summary;
    const char *missing; /* the library without which this was built: it then takes no dtype. Else NULL */
    uint32_t dtypes;     /* that it takes: a set (core/grid.h) */
    unsigned max_dims;   /* of the grid that it codes */
    bool lossless;
    bool verified; /* decoding depends on floating-point arithmetic, so each stream is decoded before it is
                      used */
    fpgz_kernels *kernels; /* by CPU level; NULL where all levels use plain C */
    bool learns;           /* larger chunks are coded better */
    const struct fpgz_param *params;
    unsigned param_count;
    /* The parameter of a lossy codec that is its rate, in bits a value. A higher rate never makes larger
     * errors; 0 leaves the rate open. NULL for a codec without a rate. */
    const struct fpgz_param *rate;

    /* Whether parameters that are in their ranges fit each other and the dtype. FPGZ_USAGE, with the reason,
     * if they do not. NULL if they always do. */
    enum fpgz_status (*check)(enum fpgz_dtype dtype, const struct fpgz_params *params,
                              struct fpgz_error *error);

    /* The extents under which this codec codes `grid` (1 to FPGZ_MAX_CODING_DIMS dimensions, never empty):
     * the same values in the same order, with axes merged where that helps or where the codec knows fewer
     * dimensions. */
    void (*fold)(const struct fpgz_grid *grid, struct fpgz_grid *coded);

    /* Bytes that encode() may write at `stream`: those of the longest possible stream, and the slack of
     * wide stores. */
    size_t (*bound)(const struct fpgz_grid *grid, const struct fpgz_params *params);

    /* Bytes of scratch that encode() and decode() need. */
    size_t (*memory)(const struct fpgz_grid *grid, const struct fpgz_params *params);

    /* Bytes of scratch that decode() and describe() need, if that is less than memory(); else NULL. */
    size_t (*decode_memory)(const struct fpgz_grid *grid, const struct fpgz_params *params);

    /* Codes the grid at `values` (aligned to its dtype) into `stream` (bound() bytes, any alignment) and sets
     * *length. FPGZ_LIMIT when the grid is larger than the stream's own fields can say. */
    enum fpgz_status (*encode)(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length);

    /* Like encode(), but may end with FPGZ_LIMIT once the stream would be no shorter than `least` bytes. NULL
     * where an encoder does not know before its end. */
    enum fpgz_status (*encode_shorter)(const struct fpgz_coding *coding, const void *values, size_t least,
                                       uint8_t *stream, size_t *length);

    /* Like encode(), with an aide, and the same bytes. NULL where encoders have no use for one. */
    enum fpgz_status (*encode_aided)(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length);

    /* Writes to `run`, if it is not NULL, where encode_aided() looks at values of a grid that follows another
     * one, in words of 32 bits. It reads no others but those that the aide adds, unless it asks for all.
     * Returns the number of runs; 0 where it looks at all values. NULL where it always does. */
    size_t (*looked)(const struct fpgz_grid *grid, struct fpgz_looked *run);

    /* About the length that encode() would set, from the same arguments and in a part of its time. NULL where
     * that is not known. */
    size_t (*estimate)(const struct fpgz_coding *coding, const void *values, uint8_t *stream);

    /* Restores the grid from exactly `length` bytes at `stream`. Whatever the stream says, it reads nothing
     * beyond the stream and writes nothing beyond the grid. FPGZ_CORRUPT if the stream is not one of this
     * codec; `values` may then be partly written. */
    enum fpgz_status (*decode)(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values);

    /* The number of values that a stream of `length` bytes says it holds; false when it is no stream. NULL
     * where streams do not say it. */
    bool (*stream_values)(const uint8_t *stream, size_t length, uint64_t *values);

    /* Reads *traits from the first `length` bytes of a stream. FPGZ_TRUNCATED if these are too few: *needed
     * is then the number that it takes. FPGZ_CORRUPT or FPGZ_UNSUPPORTED if the traits cannot be read. NULL
     * if all streams of the codec are coded in the same way. */
    enum fpgz_status (*describe)(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits);

    /* Like decode(), but only for the `count` values from `first` on, which must lie in the grid. The bytes
     * of the other values may go unchecked. NULL if the codec's streams do not allow it. */
    enum fpgz_status (*decode_range)(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values);

    /* Whether decode_range() takes streams of these parameters. NULL where it takes all. */
    bool (*takes_ranges)(const struct fpgz_params *params);
};

/* The table, ended by NULL. */
extern const struct fpgz_codec *const fpgz_codecs[];

/* NULL when there is none. */
const struct fpgz_codec *fpgz_codec_by_id(unsigned id);
const struct fpgz_codec *fpgz_codec_by_name(const char *name, size_t length);

/* Reads "name" or "name:key=value,…". On failure the error's text lists the names, keys or ranges. */
enum fpgz_status fpgz_codec_parse(const char *text, const struct fpgz_codec **codec,
                                  struct fpgz_params *params, struct fpgz_error *error);

/* Every parameter at its default. */
void fpgz_codec_defaults(const struct fpgz_codec *codec, struct fpgz_params *params);

/* Points to the rate in *params where that is left open; else NULL. */
uint32_t *fpgz_codec_open_rate(const struct fpgz_codec *codec, struct fpgz_params *params);

/* The highest CPU level, up to `level`, that the codec has kernels of its own for. */
enum fpgz_cpu_level fpgz_codec_level(const struct fpgz_codec *codec, enum fpgz_cpu_level level);

/* Whether the codec takes the dtype. */
bool fpgz_codec_takes(const struct fpgz_codec *codec, enum fpgz_dtype dtype);

/* Whether the codec takes the dtype with these parameters. FPGZ_USAGE, with the reason, if it does not. To be
 * called first: all other functions of the codec rely on it. */
enum fpgz_status fpgz_codec_check(const struct fpgz_codec *codec, enum fpgz_dtype dtype,
                                  const struct fpgz_params *params, struct fpgz_error *error);

/* Whether ranges of values can be decoded alone. */
static inline bool fpgz_codec_takes_ranges(const struct fpgz_codec *codec, const struct fpgz_params *params)
{
    return codec->decode_range && (!codec->takes_ranges || codec->takes_ranges(params));
}

/* Bytes of scratch that decode(), decode_range() and describe() need. */
size_t fpgz_codec_decode_memory(const struct fpgz_codec *codec, const struct fpgz_grid *grid,
                                const struct fpgz_params *params);

/* The side of the blocks of 4096 values by which arrays are cut and samples are taken: 4096, 64 or 16 in
 * 1, 2 or 3 dimensions (16 in more). It must not change: the same input would then give another container.
 * Codecs that code blocks choose sides that divide these. */
unsigned fpgz_block_side(unsigned dims);

/* A fold() to one dimension. */
void fpgz_fold_flat(const struct fpgz_grid *grid, struct fpgz_grid *coded);

/* For fold(): copies `grid` with its slowest axes merged until it has at most `dims` dimensions. */
void fpgz_fold_slowest(const struct fpgz_grid *grid, unsigned dims, struct fpgz_grid *coded);

#endif

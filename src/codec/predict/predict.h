/* SPDX-License-Identifier: MIT
 * The predictive coder of the KAT-7 and MeerKAT radio telescopes: a value is predicted from its own earlier
 * ones, XORed with the prediction, and its leading zero bytes are counted instead of stored. The paper fixes
 * predictors and prefixes, fpgz.5 the layout to the bit. Here: what the kernels of a CPU level have to do. */
#ifndef FPGZ_CODEC_PREDICT_PREDICT_H
#define FPGZ_CODEC_PREDICT_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"

enum {
    PREDICT_GROUP = 32, /* values whose prefixes fill whole words of 32 bits */
    PREDICT_TILE = 128, /* values that are predicted at once: whole groups */
    PREDICT_POINTS = 16,
    PREDICT_HEADER = 8,  /* bytes */
    PREDICT_SLACK = 256, /* bytes that a kernel may store behind its residuals, or load behind them */
};

/* Codes `count` values, from the start of a group on. A value has a prefix, which is the number of leading
 * zero bytes of its XOR with its prediction: at most 3 for f32 and 7 for f64 or, in the large variant with
 * one more bit a prefix, 4 and 8. Its other bytes follow, least significant first. Prefixes fill words of 32
 * bits from the lowest bit on; unused bits are zero. Returns the end of the residuals. */
typedef uint8_t *predict_pack(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                              uint8_t *residuals);

/* The reverse. NULL when a prefix is invalid, or when the residuals reach beyond `end`; values may then be
 * partly written. */
typedef const uint8_t *predict_unpack(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                      const void *predicted, void *values, size_t count);

/* Predicts `count` (up to PREDICT_TILE) values of a slice from 1 to PREDICT_POINTS earlier slices.
 * `before` are the same values one slice earlier, those `stride` values before them are another slice
 * earlier, and so on. The weights are of the slices from the last one back, and are for the linear predictors
 * only. */
typedef void predict_values(const void *before, size_t stride, unsigned points, const int32_t *weights,
                            size_t count, void *predicted);

enum predict_kind { PREDICT_LINEAR, PREDICT_MEAN, PREDICT_MEDIAN, PREDICT_KINDS };

/* How the values of one slice are predicted. */
struct predict_rule {
    enum predict_kind kind;
    unsigned points;                 /* slices that it needs; with one, the prediction is that slice */
    int32_t weights[PREDICT_POINTS]; /* of a linear predictor with several slices */
};

/* The rule for slice `t` > 0. While there are fewer earlier slices than the window takes, the rule takes
 * those. From slice PREDICT_POINTS on all slices have the same rule. */
struct predict_rule fpgz_predict_rule(const struct fpgz_params *params, size_t t);

/* The layout of a grid's stream, whose tables each take whole 32-bit words. */
struct predict_layout {
    size_t word;
    bool is_f64;
    unsigned prefix_bits;
    bool large;             /* the large variant of prefixes */
    size_t slices, values;  /* T, and N of a slice */
    size_t block, blocks;   /* values in one but the last, and blocks in a slice */
    size_t slice_bytes;     /* raw */
    uint64_t lengths_bytes; /* of all coded slices; the first slice is not coded */
    uint64_t prefixes_bytes;
    uint64_t most_residuals_bytes;
};

/* False when a section's size does not fit in 64 bits. The grid itself does. */
bool fpgz_predict_lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params,
                          struct predict_layout *layout);

/* What a stream begins with. */
void fpgz_predict_header(const struct predict_layout *layout, const struct fpgz_params *params,
                         uint8_t header[PREDICT_HEADER]);

/* Of words of one width: by [large prefixes] and by kind. */
struct predict_kernels {
    predict_pack *pack[2];
    predict_unpack *unpack[2];
    predict_values *predict[PREDICT_KINDS];
};

extern fpgz_word_kernels fpgz_predict_kernels;

#endif

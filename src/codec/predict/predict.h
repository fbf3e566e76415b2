/* SPDX-License-Identifier: MIT
 * The predictive coder of the KAT-7 and MeerKAT radio telescopes: a value is predicted from its own earlier
 * ones, XORed with the prediction, and its leading zero bytes are counted instead of stored. The paper fixes
 * predictors and prefixes, fpgz.5 the layout to the bit. Here: what the kernels of a CPU level have to do. */
#ifndef FPGZ_CODEC_PREDICT_PREDICT_H
#define FPGZ_CODEC_PREDICT_PREDICT_H

#include <stddef.h>
#include <stdint.h>

enum {
    PREDICT_GROUP = 32, /* values whose prefixes fill whole words of 32 bits */
    PREDICT_TILE = 128, /* values that are predicted at once: whole groups */
    PREDICT_POINTS = 16,
    PREDICT_SLACK = 256, /* bytes that a kernel may store behind its residuals, or load behind them */
};

/* Codes `count` values, which start a group: per value a prefix, the number of leading zero bytes of its XOR
 * with its prediction (at most 3 for f32, 7 for f64; in the large variant, whose prefixes have a bit more, 4
 * and 8), and the other bytes, least significant first. Prefixes fill words of 32 bits, the first value's
 * lowest, zero bits at the end. Returns the residuals' end. */
typedef uint8_t *predict_pack(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                              uint8_t *residuals);

/* The reverse. NULL when a prefix is none, or when the residuals reach beyond `end`: values may then be
 * partly written. */
typedef const uint8_t *predict_unpack(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                      const void *predicted, void *values, size_t count);

/* Predicts `count` (up to PREDICT_TILE) values of a slice from 1 to PREDICT_POINTS earlier ones: `before` are
 * the same values one slice earlier, those of `stride` values before them another slice earlier, and so on.
 * The weights are of the slices from the last one back, for the linear predictors only. */
typedef void predict_values(const void *before, size_t stride, unsigned points, const int32_t *weights,
                            size_t count, void *predicted);

enum predict_kind { PREDICT_LINEAR, PREDICT_MEAN, PREDICT_MEDIAN, PREDICT_KINDS };

/* Indexed by [dtype is f64], then [large prefixes] or [kind]. */
struct predict_kernels {
    predict_pack *pack[2][2];
    predict_unpack *unpack[2][2];
    predict_values *predict[2][PREDICT_KINDS];
};

extern const struct predict_kernels fpgz_predict_c;
extern const struct predict_kernels fpgz_predict_avx2;
extern const struct predict_kernels fpgz_predict_avx512;

#endif

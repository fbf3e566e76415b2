/* SPDX-License-Identifier: MIT
 * Values of other dtypes as words of f32 or f64, so that the high setting takes them: each becomes a word
 * that it comes back from. */
#ifndef FPGZ_CODEC_PRANS_HIGH_LIFT_H
#define FPGZ_CODEC_PRANS_HIGH_LIFT_H

#include "core/grid.h"

/* The numbers are the stream's. */
enum prans_lift_way {
    PRANS_LIFT_VALUE = 0, /* f16, integers: the same number; integers of 64 bits only if all are small */
    PRANS_LIFT_BITS = 1,  /* f16: the same bits, so that subnormals stay as dense as they are */
    PRANS_LIFT_STEPS = 2, /* i64, u64: (value - origin) / step, and 2^60 for the fill value */
    PRANS_LIFT_UPPER = 3, /* bf16: as the upper half of an f32 */
};

struct prans_lift {
    enum fpgz_dtype dtype; /* of the values */
    enum prans_lift_way way;
    uint64_t origin, step; /* modulo 2^64; without steps 0 and 1 */
    uint64_t fill;         /* of steps: the value that lies far from all others, or one that there is not */
};

/* What values of a dtype that is neither f32 nor f64 are lifted to: f32 below 32 bits, else f64. */
enum fpgz_dtype fpgz_prans_lifted_dtype(enum fpgz_dtype dtype);

/* Whether streams may have values of the dtype lifted in this way. */
bool fpgz_prans_lift_valid(enum fpgz_dtype dtype, unsigned way);

/* Lifts `count` values, at least one, into `words`, and sets *lift; false when they spread too far for f64.
 */
bool fpgz_prans_lift(enum fpgz_dtype dtype, const void *values, size_t count, void *words,
                     struct prans_lift *lift);

/* The values that the words were lifted from; false when one comes from none. */
bool fpgz_prans_lower(const struct prans_lift *lift, const void *words, size_t count, void *values);

#endif

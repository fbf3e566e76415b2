/* SPDX-License-Identifier: MIT
 * prans: what all of its formats share. */
#ifndef FPGZ_CODEC_PRANS_FORMAT_H
#define FPGZ_CODEC_PRANS_FORMAT_H

#include "codec/codecs.h"

/* A stream's first byte: its format. Numbers are never used again for another one. */
enum {
    PRANS_FORMAT_MIDDLE = 1,
    PRANS_FORMAT_HIGH = 2,
    PRANS_FORMAT_REFINED = 3, /* high, with effort=max */
    PRANS_FORMAT_BINS = 4,
    PRANS_FORMAT_LIFTED = 5,     /* high or refined, of other dtypes than f32 and f64 */
    PRANS_FORMAT_MATCHED = 6,    /* matches, and inner streams of the other formats */
    PRANS_FORMAT_PARTED = 7,     /* two streams of bins, of f32 and f64 */
    PRANS_FORMAT_APART = 8,      /* streams of the other formats, for the places on some axes */
    PRANS_FORMAT_RANKED = 9,     /* numbers in a dictionary, and it: two streams of the formats 1 to 7 */
    PRANS_FORMAT_PERIODIC = 10,  /* by a period of an axis: streams of the other formats */
    PRANS_FORMAT_SYMMETRIC = 11, /* values that tell others: streams of the other formats */
    PRANS_FORMAT_PLATEAUS = 12,  /* where values change; a stream of the formats 1 to 7 or 9 of new ones */
    PRANS_FORMAT_AKIN = 13,      /* within apart: a part by an earlier one, and a stream of differences */
    PRANS_FORMAT_SCALED = 14, /* products by scales of runs: streams of quotients, scales and differences */
    PRANS_FORMAT_SUMMED = 15, /* what adds up to the values: a stream of another format */
};

enum { PRANS_MAX_VALUES = 1 << 28, PRANS_HEAD_BYTES = 8 /* before the description */ };

/* Whether the setting is the high one. All effort is for that, with refined predictions where they pay. */
static inline bool fpgz_prans_is_high(const struct fpgz_params *params)
{
    return params->value[PRANS_SETTING] == PRANS_FORMAT_HIGH || params->value[PRANS_EFFORT];
}

#endif

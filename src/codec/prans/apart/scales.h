/* SPDX-License-Identifier: MIT
 * Parts that are of one size, but whose values are multiples of numbers of their own. */
#ifndef FPGZ_CODEC_PRANS_APART_SCALES_H
#define FPGZ_CODEC_PRANS_APART_SCALES_H

#include "codec/prans/apart/work.h"

/* Whether the parts of a grid of f32 or f64 are such, as channels that have gains: by a few of them, and a
 * sample of each. */
bool fpgz_prans_apart_scaled(const struct apart_split *split, const void *values);

/* About the bytes of the streams of all parts, by a few that are coded at `stream`; SIZE_MAX if `room` bytes
 * may be too few. */
size_t fpgz_prans_apart_sampled(const struct fpgz_codec *inner, const struct fpgz_params *params,
                                const struct apart_work *w, const struct apart_split *split,
                                const void *values, uint8_t *stream, size_t room);

#endif

/* SPDX-License-Identifier: MIT
 * What a sample tells of a type without being coded. */
#ifndef FPGZ_ARCHIVE_VIEWS_H
#define FPGZ_ARCHIVE_VIEWS_H

#include "archive/rating.h"

enum {
    FPGZ_RECORD = 48,           /* the longest record of interleaved values */
    FPGZ_RECORD_KEYS = 4 << 10, /* values among which records are looked for */
};

/* A sample, and room for its values and for what lags cost. */
struct fpgz_guessing {
    struct fpgz_sample sample;
    uint64_t *key;
    float *cost;
};

/* Sets the keys of the sample's first values, at most so many. Returns how many there are. */
size_t fpgz_guessing_keys(struct fpgz_guessing *g, const struct fpgz_view *view, size_t most);

/* Of the types of integers, the one in which values differ less: whether it is the unsigned one. */
bool fpgz_view_is_needless(struct fpgz_guessing *g, const struct fpgz_view *view);

/* Whether values in this order of bytes have noise on top, or nearly, as they have not in the other. */
bool fpgz_view_is_noise(const struct fpgz_guessing *g, const struct fpgz_view *view);

/* Whether integers cannot be as small as `ratio`: each would take more bits than it differs in from the value
 * before, or from the one before in the best of records. */
bool fpgz_view_cannot_beat(struct fpgz_guessing *g, const struct fpgz_view *view, double ratio);

#endif

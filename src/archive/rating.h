/* SPDX-License-Identifier: MIT
 * What a sample of bytes comes to as values of a type, under axes. */
#ifndef FPGZ_ARCHIVE_RATING_H
#define FPGZ_ARCHIVE_RATING_H

#include "archive/lags.h"
#include "archive/setup.h"
#include "engine/chunk.h"

/* A type and the axes behind the first, the slowest. */
struct fpgz_shape {
    struct fpgz_view view;
    unsigned dims;
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
    double ratio; /* of what it makes of a piece */
    size_t rated; /* bytes of that */
};

struct fpgz_sample {
    const struct fpgz_setup *setup;
    const uint8_t *bytes;
    size_t length;
    struct fpgz_chunk_buffers buffers;
};

/* Sets shape->ratio to the part of its length that about `bytes` of the sample are coded in, by prans, and at
 * the levels that have other codecs for floats by theirs. It is more than 1 where they cannot be coded. */
void fpgz_sample_rate(struct fpgz_sample *sample, struct fpgz_shape *shape, size_t bytes);

/* The same by what the level in force chooses, or nearly so. */
void fpgz_sample_rate_finally(struct fpgz_sample *sample, struct fpgz_shape *shape, size_t bytes);

/* The same by what a level chooses. */
void fpgz_sample_rate_by(struct fpgz_sample *sample, struct fpgz_shape *shape, int level, size_t bytes);

/* Drops axes of which much of the last row of `size` bytes is missing, unless they save more than that, by
 * about `bytes` of the sample: it is a chunk of its own, and what repeats in those before is new there.
 * Codecs for bytes have nothing of axes. */
void fpgz_sample_drop_torn(struct fpgz_sample *sample, int level, uint64_t size, size_t bytes,
                           struct fpgz_shape *shape);

/* Whether the type is f32 or f64. */
bool fpgz_shape_is_usual(const struct fpgz_shape *shape);

/* Takes the shape if it is better by more than the noise of samples, which is more between types. */
void fpgz_shape_prefer(struct fpgz_shape *best, const struct fpgz_shape *shape);

/* Bytes of one step along the slowest axis. */
size_t fpgz_shape_bytes(const struct fpgz_shape *shape);

/* The shape with an axis more behind its slowest. */
struct fpgz_shape fpgz_shape_with_axis(const struct fpgz_shape *shape, uint64_t extent);

#endif

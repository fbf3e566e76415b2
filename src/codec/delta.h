/* SPDX-License-Identifier: MIT
 * Codecs that are another one of differences between values, shuffled. For times, axes and numbers of events:
 * what rounding makes of their steps returns. Who includes this defines `inner`, a codec for bytes, and what
 * its parameters are. */
#ifndef FPGZ_CODEC_DELTA_H
#define FPGZ_CODEC_DELTA_H

#include "codec/codecs.h"
#include "codec/shuffle.h"

static const struct fpgz_codec *const inner;

enum { INNER_LEVEL = LZMA_LEVEL, INNER_SHUFFLE = LZMA_SHUFFLE };
_Static_assert((int)INNER_LEVEL == (int)ZSTD_LEVEL && (int)INNER_SHUFFLE == (int)ZSTD_SHUFFLE &&
                   (int)INNER_LEVEL == (int)DELTA_LEVEL,
               "one place for all");

/* What no user can give. */
static struct fpgz_params inner_params(const struct fpgz_params *params)
{
    struct fpgz_params its = *params;
    its.value[INNER_SHUFFLE] = FPGZ_SHUFFLE_DIFFERENCES;
    return its;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = inner_params(params);
    return inner->bound(grid, &its);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = inner_params(params);
    return inner->memory(grid, &its);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = inner_params(params);
    return inner->decode_memory(grid, &its);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    struct fpgz_coding its = *coding;
    its.params = inner_params(&coding->params);
    return inner->encode(&its, values, stream, length);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    struct fpgz_coding its = *coding;
    its.params = inner_params(&coding->params);
    return inner->decode(&its, stream, length, values);
}

/* What their entries in the table have in common. */
#define DELTA_CODEC                                                                                          \
    .dtypes = FPGZ_ALL_DTYPES, .max_dims = 1, .lossless = true, .params = params, .param_count = 1,          \
    .fold = fpgz_fold_flat, .bound = bound, .memory = memory, .decode_memory = decode_memory,                \
    .encode = encode, .decode = decode

#endif

/* SPDX-License-Identifier: MIT
 * What codecs around another one have in common: streams of a format of their own are theirs, all others are
 * the inner codec's. Who includes this defines `layer`, and his codec by PRANS_LAYER. */
#ifndef FPGZ_CODEC_PRANS_LAYER_H
#define FPGZ_CODEC_PRANS_LAYER_H

#include <string.h>

#include "codec/prans/asked.h"
#include "codec/prans/format.h"

struct prans_layer {
    const struct fpgz_codec *inner;
    const char *name;    /* of the format, as listings have it */
    uint8_t first[2];    /* bytes that its streams begin with, */
    size_t first_length; /* of which so many count */
    /* What codec.h has under these names, around `inner`. */
    size_t (*bound)(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                    const struct fpgz_params *params);
    size_t (*memory)(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                     const struct fpgz_params *params, bool encoding);
    enum fpgz_status (*encode)(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                               struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length);
    enum fpgz_status (*decode)(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                               const uint8_t *stream, size_t length, uint64_t first, uint64_t count,
                               void *values);
    enum fpgz_status (*describe)(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                 const uint8_t *stream, size_t length, size_t *needed,
                                 struct fpgz_traits *traits);
};

static const struct prans_layer layer;

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return layer.bound(layer.inner, grid, params);
}

/* Each layer asks the next one several times for the same few grids, which multiplies. */
static size_t ask_once(const struct fpgz_grid *grid, const struct fpgz_params *params, bool encoding)
{
    static _Thread_local struct prans_asked asked;
    const struct prans_question question = {*grid, *params, encoding};
    size_t bytes;
    if (!fpgz_prans_asked(&asked, &question, &bytes)) {
        bytes = layer.memory(layer.inner, grid, params, encoding);
        fpgz_prans_answer(&asked, &question, bytes);
    }
    return bytes;
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return ask_once(grid, params, true);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return ask_once(grid, params, false);
}

static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    return layer.encode(layer.inner, coding, aide, values, stream, length);
}

static bool is_mine(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    return length >= layer.first_length && !memcmp(stream, layer.first, layer.first_length) &&
           fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_aided(coding, NULL, values, stream, length);
}

static size_t estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    return layer.inner->estimate(coding, values, stream);
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    return is_mine(coding, stream, length)
               ? layer.decode(layer.inner, coding, stream, length, first, count, values)
               : layer.inner->decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    return is_mine(coding, stream, length)
               ? decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values)
               : layer.inner->decode(coding, stream, length, values);
}

static enum fpgz_status describe(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits)
{
    if (!is_mine(coding, stream, length))
        return layer.inner->describe(coding, stream, length, needed, traits);
    const enum fpgz_status status = layer.describe(layer.inner, coding, stream, length, needed, traits);
    traits->setting = layer.name;
    return status;
}

/* What makes a codec of the layer. */
#define PRANS_LAYER                                                                                          \
    .bound = bound, .memory = memory, .decode_memory = decode_memory, .encode = encode,                      \
    .encode_aided = encode_aided, .estimate = estimate, .decode = decode, .describe = describe,              \
    .decode_range = decode_range

#endif

/* SPDX-License-Identifier: MIT
 * Streams within a stream: those that formats are made of. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_INNER_H
#define FPGZ_CODEC_PRANS_INNER_H

#include <string.h>

#include "codec/codec.h"

struct prans_inner {
    struct fpgz_grid grid;
    struct fpgz_params params;
    const uint8_t *stream;
    size_t length;
};

/* Values of a dtype in a row. */
static inline struct fpgz_grid fpgz_prans_row(enum fpgz_dtype dtype, size_t values)
{
    const struct fpgz_grid row = {dtype, 1, {values}};
    return row;
}

/* Whether it is its values; never a part of the format parted, whose streams are of bins. */
static inline bool fpgz_prans_inner_is_stored(const struct prans_inner *inner)
{
    return inner->length == fpgz_grid_bytes(&inner->grid);
}

/* Restores its values; `scratch` is that of codec->decode(). */
static inline bool fpgz_prans_inner_decode(const struct fpgz_codec *codec, const struct prans_inner *inner,
                                           void *scratch, void *values)
{
    const struct fpgz_coding coding = {inner->grid, inner->params, scratch, NULL};
    if (!fpgz_prans_inner_is_stored(inner))
        return !codec->decode(&coding, inner->stream, inner->length, values);
    memcpy(values, inner->stream, inner->length);
    return true;
}

/* `count` of its values from `first` on. */
static inline enum fpgz_status fpgz_prans_inner_decode_some(const struct fpgz_codec *codec,
                                                            const struct prans_inner *inner, void *scratch,
                                                            uint64_t first, uint64_t count, uint8_t *values)
{
    const size_t size = fpgz_dtype_size(inner->grid.dtype);
    const struct fpgz_coding coding = {inner->grid, inner->params, scratch, NULL};
    if (!count)
        return FPGZ_OK;
    if (fpgz_prans_inner_is_stored(inner)) {
        memcpy(values, inner->stream + first * size, count * size);
        return FPGZ_OK;
    }
    const bool all = count == fpgz_grid_values(&inner->grid);
    return (all ? codec->decode(&coding, inner->stream, inner->length, values)
                : codec->decode_range(&coding, inner->stream, inner->length, first, count, values))
               ? FPGZ_CORRUPT
               : FPGZ_OK;
}

/* Encodes as the codec does with an aide, or without one. */
static inline enum fpgz_status fpgz_prans_inner_encode(const struct fpgz_codec *codec,
                                                       const struct fpgz_coding *coding,
                                                       struct fpgz_aide *aide, const void *values,
                                                       uint8_t *stream, size_t *length)
{
    return aide ? codec->encode_aided(coding, aide, values, stream, length)
                : codec->encode(coding, values, stream, length);
}

/* Codes a grid at `at`, or puts it there as it is where that is no longer; returns the bytes. There must be
 * room for the bound of the codec, and for the values. */
static inline size_t fpgz_prans_inner_put(const struct fpgz_codec *codec, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *at)
{
    const size_t raw = fpgz_grid_bytes(&coding->grid);
    size_t length;
    if (!fpgz_prans_inner_encode(codec, coding, aide, values, at, &length) && length < raw)
        return length;
    memcpy(at, values, raw);
    return raw;
}

#endif

/* SPDX-License-Identifier: MIT
 * Streams within a stream: those that the formats parted, matched, ranked, periodic and apart are made of. C
 * and C++ read this header. */
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

#endif

/* SPDX-License-Identifier: MIT
 * delta-lzma: the smaller of the two of differences. */
#include "codec/delta.h"

static const struct fpgz_codec *const inner = &fpgz_lzma;

static enum fpgz_status encode_shorter(const struct fpgz_coding *coding, const void *values, size_t least,
                                       uint8_t *stream, size_t *length)
{
    struct fpgz_coding its = *coding;
    its.params = inner_params(&coding->params);
    return inner->encode_shorter(&its, values, least, stream, length);
}

static const struct fpgz_param params[] = {
    [DELTA_LEVEL] = {"level", 0, 9, 6, "liblzma's, from fast to small", NULL},
};

const struct fpgz_codec fpgz_delta_lzma = {
    .id = FPGZ_CODEC_DELTA_LZMA,
    .name = "delta-lzma",
    .summary = "liblzma, behind differences and a byte shuffle",
    .encode_shorter = encode_shorter,
    DELTA_CODEC,
};

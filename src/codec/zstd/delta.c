/* SPDX-License-Identifier: MIT
 * delta-zstd: the faster of the two of differences. */
#include "codec/delta.h"

static const struct fpgz_codec *const inner = &fpgz_zstd;

static const struct fpgz_param params[] = {
    [DELTA_LEVEL] = {"level", 1, 19, 6, "libzstd's, from fast to small", NULL},
};

const struct fpgz_codec fpgz_delta_zstd = {
    .id = FPGZ_CODEC_DELTA_ZSTD,
    .name = "delta-zstd",
    .summary = "libzstd, behind differences and a byte shuffle",
    DELTA_CODEC,
};

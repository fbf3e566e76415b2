/* SPDX-License-Identifier: MIT
 * In place of zstd in builds without libzstd: a codec that takes nothing, so that its chunks are refused by
 * name. */
#include "codec/codecs.h"

const struct fpgz_codec fpgz_zstd = {
    .id = FPGZ_CODEC_ZSTD,
    .name = "zstd",
    .missing = "libzstd",
    .lossless = true,
};

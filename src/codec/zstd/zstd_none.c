/* SPDX-License-Identifier: MIT
 * In place of zstd and delta-zstd in builds without libzstd: codecs that take nothing, so that their chunks
 * are refused by name. */
#include "codec/codecs.h"

const struct fpgz_codec fpgz_zstd = {
    .id = FPGZ_CODEC_ZSTD,
    .name = "zstd",
    .missing = "libzstd",
    .lossless = true,
};

const struct fpgz_codec fpgz_delta_zstd = {
    .id = FPGZ_CODEC_DELTA_ZSTD,
    .name = "delta-zstd",
    .missing = "libzstd",
    .lossless = true,
};

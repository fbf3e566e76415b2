/* SPDX-License-Identifier: MIT
 * In place of lzma and delta-lzma in builds without liblzma: codecs that take nothing, so that their chunks
 * are refused by name. */
#include "codec/codecs.h"

const struct fpgz_codec fpgz_lzma = {
    .id = FPGZ_CODEC_LZMA,
    .name = "lzma",
    .missing = "liblzma",
    .lossless = true,
};

const struct fpgz_codec fpgz_delta_lzma = {
    .id = FPGZ_CODEC_DELTA_LZMA,
    .name = "delta-lzma",
    .missing = "liblzma",
    .lossless = true,
};

/* SPDX-License-Identifier: MIT
 * In place of lzma and delta in builds without liblzma: codecs that take nothing, so that their chunks are
 * refused by name. */
#include "codec/codecs.h"

const struct fpgz_codec fpgz_lzma = {
    .id = FPGZ_CODEC_LZMA,
    .name = "lzma",
    .missing = "liblzma",
    .lossless = true,
};

const struct fpgz_codec fpgz_delta = {
    .id = FPGZ_CODEC_DELTA,
    .name = "delta",
    .missing = "liblzma",
    .lossless = true,
};

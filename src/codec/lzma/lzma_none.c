/* SPDX-License-Identifier: MIT
 * In place of lzma in builds without liblzma: a codec that takes nothing, so that its chunks are refused by
 * name. */
#include "codec/codecs.h"

const struct fpgz_codec fpgz_lzma = {
    .id = FPGZ_CODEC_LZMA,
    .name = "lzma",
    .missing = "liblzma",
    .lossless = true,
};

/* SPDX-License-Identifier: MIT
 * What a box of the sample takes in one way: coded, estimated, or told by a faster codec. */
#ifndef FPGZ_CODEC_AUTO_LENGTH_H
#define FPGZ_CODEC_AUTO_LENGTH_H

#include "codec/codec.h"

/* Of a slow codec for bytes with these parameters, a fast one that tells about what it makes; its own go to
 * *heralds. NULL where there is none. */
const struct fpgz_codec *fpgz_auto_herald(const struct fpgz_codec *codec, const struct fpgz_params *params,
                                          struct fpgz_params *heralds);

/* Bytes that the box takes: all that it has if it cannot be coded, 0 if the codec does not work here. With
 * `estimates`, those of codecs that have them count instead. If `hasty`, a slow codec is not tried where its
 * herald makes far more than `least`, which is what another way took. `stream` has room for the streams of
 * both, and the coding's scratch is enough for both. */
size_t fpgz_auto_length(const struct fpgz_codec *codec, const struct fpgz_coding *coding, bool estimates,
                        bool hasty, size_t least, const void *box, uint8_t *stream);

#endif

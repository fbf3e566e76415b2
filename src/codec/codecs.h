/* SPDX-License-Identifier: MIT
 * The codecs that the table is made of, each in its own folder. */
#ifndef FPGZ_CODEC_CODECS_H
#define FPGZ_CODEC_CODECS_H

#include "codec/codec.h"

extern const struct fpgz_codec fpgz_store;
extern const struct fpgz_codec fpgz_ndzip;
extern const struct fpgz_codec fpgz_gfc;
extern const struct fpgz_codec fpgz_mpc;
extern const struct fpgz_codec fpgz_frsz2;
extern const struct fpgz_codec fpgz_arith;
extern const struct fpgz_codec fpgz_predict;
extern const struct fpgz_codec fpgz_deflate;
extern const struct fpgz_codec fpgz_prans;

#endif

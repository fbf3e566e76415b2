/* SPDX-License-Identifier: MIT
 * The codecs of the table, each in its own folder, and their parameters. */
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
extern const struct fpgz_codec fpgz_zstd;
extern const struct fpgz_codec fpgz_lzma;
extern const struct fpgz_codec fpgz_delta_lzma;
extern const struct fpgz_codec fpgz_delta_zstd;

/* The places of parameters in fpgz_params and in the containers' blocks of parameters (fpgz.5). They never
 * change. */
enum { GFC_BLOCKS, GFC_WARPS, GFC_DIM };
enum { MPC_DIM };
enum { FRSZ2_BITS };
enum { ARITH_BLOCK };
enum { PREDICT_PREDICTOR, PREDICT_WINDOW, PREDICT_PREFIX, PREDICT_BLOCK };
enum { DEFLATE_LEVEL, DEFLATE_SHUFFLE };
/* The last two are none of streams, nor of users. If the third is not 0, the grid has no axes but its own, as
 * who asks what a shape is worth wants it; if the fourth is not 0, estimates take values for those of one
 * part. */
enum { PRANS_SETTING, PRANS_EFFORT, PRANS_AS_SHAPED, PRANS_IN_ONE };
enum { ZSTD_LEVEL, ZSTD_SHUFFLE };
enum { LZMA_LEVEL, LZMA_SHUFFLE };
enum { DELTA_LEVEL };

#endif

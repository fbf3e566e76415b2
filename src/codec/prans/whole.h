/* SPDX-License-Identifier: MIT
 * prans for grids that are not parted by axes. */
#ifndef FPGZ_CODEC_PRANS_WHOLE_H
#define FPGZ_CODEC_PRANS_WHOLE_H

#include "codec/codec.h"

/* Functions of a codec alone, for grids of at most PRANS_MAX_VALUES values. */
extern const struct fpgz_codec fpgz_prans_plain;    /* without matches and ranks */
extern const struct fpgz_codec fpgz_prans_whole;    /* without ranks */
extern const struct fpgz_codec fpgz_prans_single;   /* with these, without periods */
extern const struct fpgz_codec fpgz_prans_periodic; /* with these */

#endif

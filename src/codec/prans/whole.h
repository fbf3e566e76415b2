/* SPDX-License-Identifier: MIT
 * prans for grids without a period of the fastest axis. */
#ifndef FPGZ_CODEC_PRANS_WHOLE_H
#define FPGZ_CODEC_PRANS_WHOLE_H

#include "codec/codec.h"

/* Functions of a codec alone, for grids of at most PRANS_MAX_VALUES values. */
extern const struct fpgz_codec
    fpgz_prans_plain; /* without matches, ranks, periods, symmetries and parts by axes */
extern const struct fpgz_codec fpgz_prans_whole;     /* without ranks, periods, symmetries and parts */
extern const struct fpgz_codec fpgz_prans_single;    /* without plateaus, periods, symmetries and parts */
extern const struct fpgz_codec fpgz_prans_plateaus;  /* without periods, symmetries and parts */
extern const struct fpgz_codec fpgz_prans_periodic;  /* without symmetries, scales and parts */
extern const struct fpgz_codec fpgz_prans_symmetric; /* without scales and parts */
extern const struct fpgz_codec fpgz_prans_scaled;    /* without parts */
extern const struct fpgz_codec fpgz_prans_apart;     /* with all of these, without sums */
extern const struct fpgz_codec fpgz_prans_summed;    /* with them */

#endif

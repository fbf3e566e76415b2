/* SPDX-License-Identifier: MIT
 * prans for a grid that is not parted by axes, has no symmetries and no period: all formats but these, with
 * or without plateaus. */
#include "codec/prans/plateaus/plateaus.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_single,
    .name = "plateaus",
    .first = {PRANS_FORMAT_PLATEAUS},
    .first_length = 1,
    .bound = fpgz_prans_plateaus_bound,
    .memory = fpgz_prans_plateaus_memory,
    .encode = fpgz_prans_plateaus_encode,
    .decode = fpgz_prans_plateaus_decode,
    .describe = fpgz_prans_plateaus_describe,
};

const struct fpgz_codec fpgz_prans_plateaus = {PRANS_LAYER};

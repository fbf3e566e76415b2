/* SPDX-License-Identifier: MIT
 * prans for a grid that is not parted by axes: all formats but that, with or without scales. */
#include "codec/prans/scaled/scaled.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_symmetric,
    .name = "scaled",
    .first = {PRANS_FORMAT_SCALED},
    .first_length = 1,
    .bound = fpgz_prans_scaled_bound,
    .memory = fpgz_prans_scaled_memory,
    .encode = fpgz_prans_scaled_encode,
    .decode = fpgz_prans_scaled_decode,
    .describe = fpgz_prans_scaled_describe,
};

const struct fpgz_codec fpgz_prans_scaled = {PRANS_LAYER};

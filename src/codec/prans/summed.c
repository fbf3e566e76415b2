/* SPDX-License-Identifier: MIT
 * prans for a grid with or without sums: all formats but that of periods of its fastest axis. */
#include "codec/prans/summed/summed.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_apart,
    .name = "summed",
    .first = {PRANS_FORMAT_SUMMED},
    .first_length = 1,
    .bound = fpgz_prans_summed_bound,
    .memory = fpgz_prans_summed_memory,
    .encode = fpgz_prans_summed_encode,
    .decode = fpgz_prans_summed_decode,
    .describe = fpgz_prans_summed_describe,
};

const struct fpgz_codec fpgz_prans_summed = {PRANS_LAYER};

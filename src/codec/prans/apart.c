/* SPDX-License-Identifier: MIT
 * prans for a grid as a whole or apart: all formats but that of periods of its fastest axis. */
#include "codec/prans/apart/apart.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_scaled,
    .name = "apart",
    .first = {PRANS_FORMAT_APART},
    .first_length = 1,
    .bound = fpgz_prans_apart_bound,
    .memory = fpgz_prans_apart_memory,
    .encode = fpgz_prans_apart_encode,
    .decode = fpgz_prans_apart_decode,
    .describe = fpgz_prans_apart_describe,
};

const struct fpgz_codec fpgz_prans_apart = {PRANS_LAYER};

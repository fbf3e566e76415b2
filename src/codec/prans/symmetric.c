/* SPDX-License-Identifier: MIT
 * prans for a grid without scales and parts: all formats but these, with or without symmetries. */
#include "codec/prans/symmetric/symmetric.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_periodic,
    .name = "symmetric",
    .first = {PRANS_FORMAT_SYMMETRIC},
    .first_length = 1,
    .bound = fpgz_prans_symmetric_bound,
    .memory = fpgz_prans_symmetric_memory,
    .encode = fpgz_prans_symmetric_encode,
    .decode = fpgz_prans_symmetric_decode,
    .describe = fpgz_prans_symmetric_describe,
};

const struct fpgz_codec fpgz_prans_symmetric = {PRANS_LAYER};

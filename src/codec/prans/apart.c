/* SPDX-License-Identifier: MIT
 * prans for a grid as a whole or apart: all formats but that of periods of its fastest axis. */
#include "codec/prans/apart/apart.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static const struct prans_layer layer = {
    .inner = &fpgz_prans_symmetric,
    .name = "apart",
    .first = {PRANS_FORMAT_APART},
    .first_length = 1,
    .decode = fpgz_prans_apart_decode,
    .describe = fpgz_prans_apart_describe,
};

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_bound(layer.inner, grid, params);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_memory(layer.inner, grid, params, true);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_memory(layer.inner, grid, params, false);
}

static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    return fpgz_prans_apart_encode(layer.inner, coding, aide, values, stream, length);
}

const struct fpgz_codec fpgz_prans_apart = {
    .bound = bound,
    .memory = memory,
    .decode_memory = decode_memory,
    .encode = encode,
    .encode_aided = encode_aided,
    .estimate = estimate,
    .decode = decode,
    .describe = describe,
    .decode_range = decode_range,
};

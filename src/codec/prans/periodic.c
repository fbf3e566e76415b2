/* SPDX-License-Identifier: MIT
 * prans for a grid that is not parted by axes and has no symmetries: all formats but these, with or without a
 * period of its slowest axis. */
#include "codec/prans/periodic/periodic.h"
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/whole.h"

static size_t memory_for(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                         const struct fpgz_params *params, bool encoding)
{
    return fpgz_prans_periodic_memory(PERIODIC_SLOWEST, inner, grid, params, encoding);
}

static enum fpgz_status encode_by(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                  struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length)
{
    return fpgz_prans_periodic_encode(PERIODIC_SLOWEST, inner, coding, aide, values, stream, length);
}

static const struct prans_layer layer = {
    .inner = &fpgz_prans_plateaus,
    .name = "periodic",
    .first = {PRANS_FORMAT_PERIODIC, PERIODIC_SLOWEST},
    .first_length = 2,
    .bound = fpgz_prans_periodic_bound,
    .memory = memory_for,
    .encode = encode_by,
    .decode = fpgz_prans_periodic_decode,
    .describe = fpgz_prans_periodic_describe,
};

const struct fpgz_codec fpgz_prans_periodic = {PRANS_LAYER};

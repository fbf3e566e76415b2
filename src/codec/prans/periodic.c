/* SPDX-License-Identifier: MIT
 * prans for a grid that is not parted by axes: all formats but that, with or without a period of its slowest
 * axis. */
#include "codec/prans/periodic/periodic.h"
#include "codec/codecs.h"
#include "codec/prans/whole.h"

static const struct fpgz_codec *const single = &fpgz_prans_single;

static bool is_periodic(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    return fpgz_prans_is_periodic(PERIODIC_SLOWEST, stream, length) &&
           fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_periodic_bound(single, grid, params);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_periodic_memory(PERIODIC_SLOWEST, single, grid, params, true);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_periodic_memory(PERIODIC_SLOWEST, single, grid, params, false);
}

static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    return fpgz_prans_periodic_encode(PERIODIC_SLOWEST, single, coding, aide, values, stream, length);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_aided(coding, NULL, values, stream, length);
}

static size_t estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    return single->estimate(coding, values, stream);
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    return is_periodic(coding, stream, length)
               ? fpgz_prans_periodic_decode(single, coding, stream, length, first, count, values)
               : single->decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    return is_periodic(coding, stream, length)
               ? decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values)
               : single->decode(coding, stream, length, values);
}

static enum fpgz_status describe(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits)
{
    if (!is_periodic(coding, stream, length))
        return single->describe(coding, stream, length, needed, traits);
    const enum fpgz_status status =
        fpgz_prans_periodic_describe(single, coding, stream, length, needed, traits);
    traits->setting = "periodic";
    return status;
}

const struct fpgz_codec fpgz_prans_periodic = {
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

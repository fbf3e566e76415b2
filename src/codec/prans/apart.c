/* SPDX-License-Identifier: MIT
 * prans for a grid as a whole or apart: all formats but that of periods of its fastest axis. */
#include "codec/prans/apart/apart.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/whole.h"

static const struct fpgz_codec *const inner = &fpgz_prans_periodic;

static bool is_apart(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    return length && stream[0] == PRANS_FORMAT_APART && fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_bound(inner, grid, params);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_memory(inner, grid, params, true);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_apart_memory(inner, grid, params, false);
}

static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    return fpgz_prans_apart_encode(inner, coding, aide, values, stream, length);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_aided(coding, NULL, values, stream, length);
}

static size_t estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    return inner->estimate(coding, values, stream);
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    return is_apart(coding, stream, length)
               ? fpgz_prans_apart_decode(inner, coding, stream, length, first, count, values)
               : inner->decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    return is_apart(coding, stream, length)
               ? decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values)
               : inner->decode(coding, stream, length, values);
}

static enum fpgz_status describe(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits)
{
    if (!is_apart(coding, stream, length))
        return inner->describe(coding, stream, length, needed, traits);
    const enum fpgz_status status = fpgz_prans_apart_describe(inner, coding, stream, length, needed, traits);
    traits->setting = "apart";
    return status;
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

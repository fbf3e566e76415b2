/* SPDX-License-Identifier: MIT
 * prans for a grid that is parted neither by axes nor by a period: all formats but these, with or without
 * ranks. */
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

static const struct fpgz_codec *const plain = &fpgz_prans_plain, *const whole = &fpgz_prans_whole;

static bool is_ranked(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    return length && stream[0] == PRANS_FORMAT_RANKED && fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return whole->bound(grid, params);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_max(whole->memory(grid, params), fpgz_prans_ranked_memory(whole, grid, params, true));
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_max(whole->decode_memory(grid, params), fpgz_prans_ranked_memory(whole, grid, params, false));
}

/* An aide has no part in streams of ranks and matches, but in the probe for these. In the middle setting
 * ranks are not matched. */
static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    const enum fpgz_status status = plain->encode_aided(coding, aide, values, stream, length);
    if (status)
        return status;
    const size_t otherwise = *length;
    fpgz_prans_ranked_encode(fpgz_prans_is_high(&coding->params) ? whole : plain, coding, aide, values,
                             stream, length);
    fpgz_prans_matched_encode(plain, coding, aide, values, otherwise, stream, length);
    return FPGZ_OK;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_aided(coding, NULL, values, stream, length);
}

static size_t estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    return whole->estimate(coding, values, stream);
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    return is_ranked(coding, stream, length)
               ? fpgz_prans_ranked_decode(whole, coding, stream, length, first, count, values)
               : whole->decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    return is_ranked(coding, stream, length)
               ? decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values)
               : whole->decode(coding, stream, length, values);
}

static enum fpgz_status describe(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits)
{
    if (!is_ranked(coding, stream, length))
        return whole->describe(coding, stream, length, needed, traits);
    const enum fpgz_status status = fpgz_prans_ranked_describe(whole, coding, stream, length, needed, traits);
    traits->setting = "ranked";
    return status;
}

const struct fpgz_codec fpgz_prans_single = {
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

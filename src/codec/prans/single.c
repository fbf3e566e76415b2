/* SPDX-License-Identifier: MIT
 * prans for a grid that is parted neither by axes nor by a period: all formats but these, with or without
 * ranks. */
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

static const struct fpgz_codec *const plain = &fpgz_prans_plain, *const whole = &fpgz_prans_whole;

static const struct prans_layer layer = {
    .inner = &fpgz_prans_whole,
    .name = "ranked",
    .first = {PRANS_FORMAT_RANKED},
    .first_length = 1,
    .decode = fpgz_prans_ranked_decode,
    .describe = fpgz_prans_ranked_describe,
};

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

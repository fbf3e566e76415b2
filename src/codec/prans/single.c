/* SPDX-License-Identifier: MIT
 * prans for a grid that is parted neither by axes nor by a period: all formats but these, with or without
 * ranks. */
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

static const struct fpgz_codec *const plain = &fpgz_prans_plain;

static size_t bound_of(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                       const struct fpgz_params *params)
{
    return inner->bound(grid, params);
}

static size_t memory_for(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                         const struct fpgz_params *params, bool encoding)
{
    return fpgz_max((encoding ? inner->memory : inner->decode_memory)(grid, params),
                    fpgz_prans_ranked_memory(inner, grid, params, encoding));
}

/* An aide has no part in streams of ranks and matches, but in the probe for these. */
static enum fpgz_status encode_by(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                  struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length)
{
    const enum fpgz_status status = plain->encode_aided(coding, aide, values, stream, length);
    if (status)
        return status;
    const size_t otherwise = *length;
    fpgz_prans_ranked_encode(inner, coding, aide, values, stream, length);
    fpgz_prans_matched_encode(plain, coding, aide, values, otherwise, stream, length);
    return FPGZ_OK;
}

static const struct prans_layer layer = {
    .inner = &fpgz_prans_whole,
    .name = "ranked",
    .first = {PRANS_FORMAT_RANKED},
    .first_length = 1,
    .bound = bound_of,
    .memory = memory_for,
    .encode = encode_by,
    .decode = fpgz_prans_ranked_decode,
    .describe = fpgz_prans_ranked_describe,
};

const struct fpgz_codec fpgz_prans_single = {PRANS_LAYER};

/* SPDX-License-Identifier: MIT
 * Takes the place of deflate in a command of its own: a codec that promises much, and cannot decode it. */
#include <string.h>

#include "codec/codecs.h"

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_store.bound(grid, params);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_store.memory(grid, params);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const enum fpgz_status status = fpgz_store.encode(coding, values, stream, length);
    *length /= 16;
    return status;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    memset(values, 0, fpgz_grid_bytes(&coding->grid));
    memcpy(values, stream, length);
    return FPGZ_OK;
}

const struct fpgz_codec fpgz_deflate = {
    .id = FPGZ_CODEC_DEFLATE,
    .name = "deflate",
    .summary = "defective",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .verified = true,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};

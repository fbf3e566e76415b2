/* SPDX-License-Identifier: MIT
 * store: the values as they are, for chunks that no codec makes smaller. */
#include <string.h>

#include "codec/codecs.h"

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    return fpgz_grid_bytes(grid);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)grid, (void)params;
    return 0;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    *length = fpgz_grid_bytes(&coding->grid);
    memcpy(stream, values, *length);
    return FPGZ_OK;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    if (length != fpgz_grid_bytes(&coding->grid))
        return FPGZ_CORRUPT;
    memcpy(values, stream, length);
    return FPGZ_OK;
}

const struct fpgz_codec fpgz_store = {
    .id = FPGZ_CODEC_STORE,
    .name = "store",
    .summary = "the values as they are",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};

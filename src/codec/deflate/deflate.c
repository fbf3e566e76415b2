/* SPDX-License-Identifier: MIT
 * deflate: a bare zlib stream (RFC 1950), for comparison and for readers that have nothing else. With shuffle
 * it holds the values' first (least significant) bytes, then their second bytes, and so on. Exponents then
 * stand next to each other and match, which they do not with mantissas between them. */
#include <limits.h>

#include "codec/codecs.h"
#include "codec/shuffle.h"
#include "core/inflate.h"

/* Scratch is the shuffled grid, if any, and then what zlib allocates. */
static size_t shuffled_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_shuffle_bytes(grid, params->value[DEFLATE_SHUFFLE]);
}

static uint8_t *behind_planes(const struct fpgz_coding *coding)
{
    return (uint8_t *)coding->scratch + shuffled_bytes(&coding->grid, &coding->params);
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    return compressBound(fpgz_grid_bytes(grid));
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return shuffled_bytes(grid, params) + FPGZ_ZLIB_MEMORY;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    const size_t capacity = bound(&coding->grid, &coding->params);
    if (capacity > UINT_MAX) /* zlib counts in unsigned int */
        return FPGZ_LIMIT;
    const uint8_t *input = values;
    if (shuffled_bytes(&coding->grid, &coding->params)) {
        fpgz_shuffle(&coding->grid, FPGZ_SHUFFLE_VALUES, values, coding->scratch);
        input = coding->scratch;
    }
    struct fpgz_arena arena = {behind_planes(coding), FPGZ_ZLIB_MEMORY};
    z_stream z = fpgz_zlib_stream(&arena);
    if (deflateInit(&z, (int)coding->params.value[DEFLATE_LEVEL]) != Z_OK)
        return FPGZ_MEMORY;
    z.next_in = (Bytef *)input;
    z.avail_in = (uInt)bytes;
    z.next_out = stream;
    z.avail_out = (uInt)capacity;
    const int result = deflate(&z, Z_FINISH);
    *length = capacity - z.avail_out;
    deflateEnd(&z);
    return result == Z_STREAM_END ? FPGZ_OK : FPGZ_INTERNAL;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    const bool shuffled = shuffled_bytes(&coding->grid, &coding->params);
    const enum fpgz_status status = fpgz_inflate(stream, length, shuffled ? coding->scratch : values, bytes);
    if (status)
        return status;
    if (shuffled)
        fpgz_unshuffle(&coding->grid, FPGZ_SHUFFLE_VALUES, coding->scratch, values);
    return FPGZ_OK;
}

static const struct fpgz_param params[] = {
    [DEFLATE_LEVEL] = {"level", 1, 9, 6, "zlib's, from fast to small", NULL},
    [DEFLATE_SHUFFLE] = {"shuffle", 0, 1, 1, "bytes of equal weight next to each other", NULL},
};

const struct fpgz_codec fpgz_deflate = {
    .id = FPGZ_CODEC_DEFLATE,
    .name = "deflate",
    .summary = "zlib, behind a byte shuffle",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};

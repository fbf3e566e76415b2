/* SPDX-License-Identifier: MIT
 * delta: the stream of lzma, of differences between values, shuffled. For times, axes and numbers of events:
 * what rounding makes of their steps returns. */
#include "codec/codecs.h"
#include "codec/shuffle.h"

/* The parameters of lzma for the same. A user of lzma cannot give them. */
static struct fpgz_params as_lzma(const struct fpgz_params *params)
{
    struct fpgz_params its = *params;
    its.value[LZMA_LEVEL] = params->value[DELTA_LEVEL];
    its.value[LZMA_SHUFFLE] = FPGZ_SHUFFLE_DIFFERENCES;
    return its;
}

static struct fpgz_coding coding_of(const struct fpgz_coding *coding)
{
    struct fpgz_coding its = *coding;
    its.params = as_lzma(&coding->params);
    return its;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = as_lzma(params);
    return fpgz_lzma.bound(grid, &its);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = as_lzma(params);
    return fpgz_lzma.memory(grid, &its);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct fpgz_params its = as_lzma(params);
    return fpgz_lzma.decode_memory(grid, &its);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const struct fpgz_coding its = coding_of(coding);
    return fpgz_lzma.encode(&its, values, stream, length);
}

static enum fpgz_status encode_shorter(const struct fpgz_coding *coding, const void *values, size_t least,
                                       uint8_t *stream, size_t *length)
{
    const struct fpgz_coding its = coding_of(coding);
    return fpgz_lzma.encode_shorter(&its, values, least, stream, length);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const struct fpgz_coding its = coding_of(coding);
    return fpgz_lzma.decode(&its, stream, length, values);
}

static const struct fpgz_param params[] = {
    [DELTA_LEVEL] = {"level", 0, 9, 6, "liblzma's, from fast to small", NULL},
};

const struct fpgz_codec fpgz_delta = {
    .id = FPGZ_CODEC_DELTA,
    .name = "delta",
    .summary = "liblzma, behind differences and a byte shuffle",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .decode_memory = decode_memory,
    .encode = encode,
    .encode_shorter = encode_shorter,
    .decode = decode,
};

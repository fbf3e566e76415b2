/* SPDX-License-Identifier: MIT
 * zstd: one frame of libzstd, of bytes or, shuffled, of values. For what is no grid of numbers at speeds that
 * the rest keeps up with. */
#define ZSTD_STATIC_LINKING_ONLY /* contexts in memory of the caller's */
#include <zstd.h>

#include "codec/codecs.h"
#include "codec/shuffle.h"
#include "core/bytes.h"

static size_t planes_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_shuffle_bytes(grid, params->value[ZSTD_SHUFFLE]);
}

static uint8_t *context_at(const struct fpgz_coding *coding)
{
    return (uint8_t *)coding->scratch + planes_bytes(&coding->grid, &coding->params);
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    return ZSTD_compressBound(fpgz_grid_bytes(grid));
}

/* What the library takes by itself for a level and so many bytes. */
static size_t encoder_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const int level = (int)params->value[ZSTD_LEVEL];
    return ZSTD_estimateCCtxSize_usingCParams(ZSTD_getCParams(level, fpgz_grid_bytes(grid), 0));
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const size_t encoder = encoder_bytes(grid, params), decoder = ZSTD_estimateDCtxSize();
    return planes_bytes(grid, params) + (encoder > decoder ? encoder : decoder);
}

/* The window of a frame that is decoded at once is where it is decoded to. */
static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return planes_bytes(grid, params) + ZSTD_estimateDCtxSize();
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const struct fpgz_grid *grid = &coding->grid;
    const void *input = values;
    if (planes_bytes(grid, &coding->params)) {
        fpgz_shuffle(grid, coding->params.value[ZSTD_SHUFFLE], values, coding->scratch);
        input = coding->scratch;
    }
    ZSTD_CCtx *const context = ZSTD_initStaticCCtx(context_at(coding), encoder_bytes(grid, &coding->params));
    if (!context)
        return FPGZ_MEMORY;
    *length = ZSTD_compressCCtx(context, stream, bound(grid, &coding->params), input, fpgz_grid_bytes(grid),
                                (int)coding->params.value[ZSTD_LEVEL]);
    return ZSTD_isError(*length) ? FPGZ_INTERNAL : FPGZ_OK;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const struct fpgz_grid *grid = &coding->grid;
    const bool shuffled = planes_bytes(grid, &coding->params);
    const size_t bytes = fpgz_grid_bytes(grid);
    /* A single frame, which tells how much it holds: nothing may stand before or behind it. */
    if (length < 4 || fpgz_load32(stream) != ZSTD_MAGICNUMBER ||
        ZSTD_getFrameContentSize(stream, length) != bytes ||
        ZSTD_findFrameCompressedSize(stream, length) != length)
        return FPGZ_CORRUPT;
    ZSTD_DCtx *const context = ZSTD_initStaticDCtx(context_at(coding), ZSTD_estimateDCtxSize());
    if (!context)
        return FPGZ_MEMORY;
    if (ZSTD_decompressDCtx(context, shuffled ? coding->scratch : values, bytes, stream, length) != bytes)
        return FPGZ_CORRUPT;
    if (shuffled)
        fpgz_unshuffle(grid, coding->params.value[ZSTD_SHUFFLE], coding->scratch, values);
    return FPGZ_OK;
}

static const struct fpgz_param params[] = {
    [ZSTD_LEVEL] = {"level", 1, 19, 3, "libzstd's, from fast to small", NULL},
    [ZSTD_SHUFFLE] = {"shuffle", 0, 1, 1, "bytes of equal weight next to each other", NULL},
};

const struct fpgz_codec fpgz_zstd = {
    .id = FPGZ_CODEC_ZSTD,
    .name = "zstd",
    .summary = "libzstd, behind a byte shuffle",
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
    .decode = decode,
};

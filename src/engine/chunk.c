/* SPDX-License-Identifier: MIT */
#include "engine/chunk.h"

#include "codec/codecs.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "engine/lossy.h"

static void swap_bytes(uint8_t *data, const struct fpgz_grid *grid)
{
    const uint64_t values = fpgz_grid_values(grid);
    if (grid->dtype == FPGZ_F64)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store64(data + 8 * i, __builtin_bswap64(fpgz_load64(data + 8 * i)));
    else
        for (uint64_t i = 0; i < values; i++)
            fpgz_store32(data + 4 * i, __builtin_bswap32(fpgz_load32(data + 4 * i)));
}

/* The values as they are: no copy is made of them. */
static void store(const struct fpgz_grid *grid, const struct fpgz_chunk_buffers *buffers,
                  struct fpgz_coded *coded)
{
    coded->codec = &fpgz_store;
    fpgz_codec_defaults(coded->codec, &coded->params);
    coded->codec->fold(grid, &coded->grid);
    coded->stream = buffers->raw.data;
    coded->length = fpgz_grid_bytes(grid);
    coded->errors = (struct fpgz_errors){0, 0};
}

static enum fpgz_status lossless_encode(struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const struct fpgz_codec *codec = coded->codec;
    if (!fpgz_buffer_reserve(&buffers->stream, codec->bound(&coded->grid, &coded->params)) ||
        !fpgz_buffer_reserve(&buffers->scratch, codec->memory(&coded->grid, &coded->params)))
        return FPGZ_MEMORY;
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data};
    coded->stream = buffers->stream.data;
    return codec->encode(&coding, buffers->raw.data, buffers->stream.data, &coded->length);
}

enum fpgz_status fpgz_chunk_encode(const struct fpgz_codec *codec, const struct fpgz_params *params,
                                   const struct fpgz_errors *bound, const struct fpgz_grid *grid, bool swap,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const size_t raw_bytes = fpgz_grid_bytes(grid);
    coded->raw_checksum = fpgz_checksum(buffers->raw.data, raw_bytes);
    coded->errors = (struct fpgz_errors){0, 0};
    if (swap)
        swap_bytes(buffers->raw.data, grid);

    coded->codec = codec;
    coded->params = *params;
    codec->fold(grid, &coded->grid);
    enum fpgz_status status = FPGZ_OK;
    coded->length = raw_bytes;
    if (codec != &fpgz_store)
        status = codec->lossless ? lossless_encode(buffers, coded) : fpgz_lossy_encode(bound, buffers, coded);
    if (status == FPGZ_MEMORY || status == FPGZ_INTERNAL)
        return status;
    /* A stream that is no shorter is not worth its errors either. */
    if ((status && status != FPGZ_USAGE) || coded->length >= raw_bytes) {
        store(grid, buffers, coded);
    } else if (!codec->lossless) {
        if (swap)
            swap_bytes(buffers->restored.data, grid);
        coded->raw_checksum = fpgz_checksum(buffers->restored.data, raw_bytes);
    }
    coded->stream_checksum = fpgz_checksum(coded->stream, coded->length);
    return coded->codec->lossless ? FPGZ_OK : status;
}

enum fpgz_status fpgz_chunk_decode(const struct fpgz_coded *coded, bool swap,
                                   struct fpgz_chunk_buffers *buffers)
{
    const size_t raw_bytes = fpgz_grid_bytes(&coded->grid);
    if (fpgz_checksum(coded->stream, coded->length) != coded->stream_checksum)
        return FPGZ_CORRUPT;
    if (!fpgz_buffer_reserve(&buffers->raw, raw_bytes) ||
        !fpgz_buffer_reserve(&buffers->scratch, coded->codec->memory(&coded->grid, &coded->params)))
        return FPGZ_MEMORY;
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data};
    const enum fpgz_status status =
        coded->codec->decode(&coding, coded->stream, coded->length, buffers->raw.data);
    if (status)
        return status;
    if (swap)
        swap_bytes(buffers->raw.data, &coded->grid);
    if (fpgz_checksum(buffers->raw.data, raw_bytes) != coded->raw_checksum)
        return FPGZ_CORRUPT;
    return FPGZ_OK;
}

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers)
{
    fpgz_buffer_free(&buffers->raw);
    fpgz_buffer_free(&buffers->stream);
    fpgz_buffer_free(&buffers->scratch);
    fpgz_buffer_free(&buffers->restored);
}

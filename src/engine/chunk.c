/* SPDX-License-Identifier: MIT */
#include "engine/chunk.h"

#include "codec/codecs.h"
#include "core/bytes.h"
#include "core/checksum.h"

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
}

enum fpgz_status fpgz_chunk_encode(const struct fpgz_codec *codec, const struct fpgz_params *params,
                                   const struct fpgz_grid *grid, bool swap,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const size_t raw_bytes = fpgz_grid_bytes(grid);
    coded->raw_checksum = fpgz_checksum(buffers->raw.data, raw_bytes);
    if (swap)
        swap_bytes(buffers->raw.data, grid);

    struct fpgz_coding coding = {.params = *params};
    codec->fold(grid, &coding.grid);
    if (!fpgz_buffer_reserve(&buffers->stream, codec->bound(&coding.grid, params)) ||
        !fpgz_buffer_reserve(&buffers->scratch, codec->memory(&coding.grid, params)))
        return FPGZ_MEMORY;
    coding.scratch = buffers->scratch.data;
    coded->codec = codec;
    coded->params = *params;
    coded->grid = coding.grid;
    coded->stream = buffers->stream.data;
    if (codec == &fpgz_store ||
        codec->encode(&coding, buffers->raw.data, buffers->stream.data, &coded->length) ||
        (codec->lossless && coded->length >= raw_bytes))
        store(grid, buffers, coded);
    coded->stream_checksum = fpgz_checksum(coded->stream, coded->length);
    return FPGZ_OK;
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
}

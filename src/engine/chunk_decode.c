/* SPDX-License-Identifier: MIT
 * Decodes one chunk, or a range of it. */
#include "codec/codec.h"
#include "core/checksum.h"
#include "engine/chunk.h"

bool fpgz_chunk_turn(struct fpgz_chunk_buffers *buffers, uint64_t rows, uint64_t columns, size_t size)
{
    if (!fpgz_buffer_reserve(&buffers->second, rows * columns * size))
        return false;
    fpgz_turn(buffers->raw.data, rows, columns, size, buffers->second.data);
    fpgz_buffer_swap(&buffers->raw, &buffers->second);
    buffers->raw.there = NULL;
    return true;
}

enum fpgz_status fpgz_chunk_decode(const struct fpgz_coded *coded, bool swap,
                                   struct fpgz_chunk_buffers *buffers)
{
    const size_t raw_bytes = fpgz_grid_bytes(&coded->grid);
    if (!fpgz_buffer_reserve(&buffers->raw, raw_bytes) ||
        !fpgz_buffer_reserve(&buffers->scratch,
                             fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params)))
        return FPGZ_MEMORY;
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data, NULL};
    const enum fpgz_status status = fpgz_backend_decode(buffers->backend, coded->codec, &coding,
                                                        &buffers->stream, coded->length, &buffers->raw);
    if (status)
        return status;
    if (swap)
        fpgz_grid_swap(&coded->grid, buffers->raw.data);
    const uint64_t values = fpgz_grid_values(&coded->grid);
    if (coded->turn && values % coded->turn)
        return FPGZ_CORRUPT;
    if (coded->turn &&
        !fpgz_chunk_turn(buffers, coded->turn, values / coded->turn, fpgz_dtype_size(coded->grid.dtype)))
        return FPGZ_MEMORY;
    if (fpgz_checksum(buffers->raw.data, raw_bytes) != coded->raw_checksum)
        return FPGZ_CORRUPT;
    return FPGZ_OK;
}

enum fpgz_status fpgz_chunk_decode_range(const struct fpgz_coded *coded, uint64_t first, uint64_t count,
                                         struct fpgz_chunk_buffers *buffers)
{
    const size_t value = fpgz_dtype_size(coded->grid.dtype);
    if (!fpgz_buffer_reserve(&buffers->raw, count * value) ||
        !fpgz_buffer_reserve(&buffers->scratch,
                             fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params)))
        return FPGZ_MEMORY;
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data, NULL};
    return coded->codec->decode_range(&coding, coded->stream, coded->length, first, count, buffers->raw.data);
}

const char *fpgz_chunk_refusal(enum fpgz_status status)
{
    return status == FPGZ_UNSUPPORTED ? "not for this fpgz: its codec's stream is of a newer form, or the "
                                        "arithmetic here is not IEEE 754's"
                                      : "damaged";
}

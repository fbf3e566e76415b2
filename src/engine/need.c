/* SPDX-License-Identifier: MIT
 * The memory that a chunk needs, before it is taken. */
#include "engine/need.h"

#include <string.h>

#include "core/bytes.h"

/* The longest stream: of a lossy codec whose bits are left open, by as many as a value has. */
static size_t longest(const struct fpgz_codec *codec, const struct fpgz_grid *grid, struct fpgz_params params)
{
    for (unsigned i = 0; i < codec->param_count && !codec->lossless; i++)
        if (!strcmp(codec->params[i].key, "bits") && !params.value[i])
            params.value[i] = 8 * (uint32_t)fpgz_dtype_size(grid->dtype);
    return codec->bound(grid, &params);
}

struct fpgz_need fpgz_need_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid)
{
    struct fpgz_need need = {.raw = fpgz_grid_bytes(grid)};
    if (coder->codec) {
        struct fpgz_grid coded;
        coder->codec->fold(grid, &coded);
        need.stream = longest(coder->codec, &coded, coder->params);
        need.scratch = coder->codec->memory(&coded, &coder->params);
        if (!coder->codec->lossless || (coder->codec->verified && !coder->unverified))
            need.restored = need.raw;
        return need;
    }
    const size_t choice = fpgz_auto_memory(grid, coder->level);
    fpgz_auto_chosen_memory(grid, coder->level, &need.scratch, &need.stream);
    need.scratch = need.scratch > choice ? need.scratch : choice;
    if (coder->level >= FPGZ_AUTO_MIDDLE && !coder->unverified)
        need.restored = need.raw;
    if (coder->level >= FPGZ_AUTO_SMALL)
        need.second = need.stream;
    return need;
}

struct fpgz_need fpgz_need_decode(const struct fpgz_coded *coded)
{
    return (struct fpgz_need){
        .raw = fpgz_grid_bytes(&coded->grid),
        .stream = coded->length,
        .scratch = fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params),
    };
}

static uint64_t held(size_t bytes, const struct fpgz_buffer *buffer)
{
    const size_t size = bytes ? fpgz_buffer_rounded(bytes) : 0;
    return buffer && buffer->capacity > size ? buffer->capacity : size;
}

uint64_t fpgz_need_bytes(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_chunk_buffers none = {0}, *const b = buffers ? buffers : &none;
    return held(need->raw, &b->raw) + held(need->stream, &b->stream) + held(need->scratch, &b->scratch) +
           held(need->restored, &b->restored) + held(need->second, &b->second);
}

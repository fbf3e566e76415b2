/* SPDX-License-Identifier: MIT
 * The memory that a chunk needs, before it is taken. */
#include "engine/need.h"

#include <string.h>

#include "core/bytes.h"

/* The longest stream: at a rate that is left open, with as many bits as a value has. */
static size_t longest(const struct fpgz_codec *codec, const struct fpgz_grid *grid, struct fpgz_params params)
{
    uint32_t *const rate = fpgz_codec_open_rate(codec, &params);
    if (rate)
        *rate = 8 * (uint32_t)fpgz_dtype_size(grid->dtype);
    return codec->bound(grid, &params);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What it takes to choose a codec as the level does, and to code by any that it may choose. */
static void choose(struct fpgz_need *need, int level, const struct fpgz_grid *grid)
{
    size_t scratch, stream;
    fpgz_auto_chosen_memory(grid, level, &scratch, &stream);
    need->scratch = larger(need->scratch, larger(scratch, fpgz_auto_memory(grid, level)));
    need->stream = larger(need->stream, stream);
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
    choose(&need, coder->level, grid);
    if (coder->level >= FPGZ_AUTO_MIDDLE && !coder->unverified)
        need.restored = need.raw;
    if (coder->level >= FPGZ_AUTO_SMALL) {
        choose(&need, FPGZ_AUTO_DEFAULT, grid);
        need.second = need.stream;
    }
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

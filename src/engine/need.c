/* SPDX-License-Identifier: MIT
 * The memory that a chunk needs, before it is taken. */
#include "engine/need.h"

#include <string.h>

#include "core/bytes.h"
#include "engine/passes.h"

/* The longest stream. A rate that is left open may become as many bits as a value has. */
static size_t longest(const struct fpgz_auto_way *way)
{
    struct fpgz_params params = way->params;
    uint32_t *const rate = fpgz_codec_open_rate(way->codec, &params);
    if (rate)
        *rate = 8 * (uint32_t)fpgz_dtype_size(way->grid.dtype);
    return way->codec->bound(&way->grid, &params);
}

/* Adds the memory to choose the codec of a pass, and to code by any of its candidates. */
static void add_pass(struct fpgz_need *need, const struct fpgz_coder *coder, const struct fpgz_pass *pass,
                     const struct fpgz_grid *grid)
{
    struct fpgz_auto_way way[FPGZ_AUTO_CANDIDATES] = {{coder->codec, coder->params, *grid}};
    unsigned ways = 1;
    if (pass->sampled) {
        ways = fpgz_auto_ways(grid, pass->sampled, way);
        need->scratch = fpgz_max(need->scratch, fpgz_auto_memory(grid, pass->sampled));
    } else {
        coder->codec->fold(grid, &way->grid);
    }
    for (unsigned i = 0; i < ways; i++) {
        need->stream = fpgz_max(need->stream, longest(&way[i]));
        need->scratch = fpgz_max(need->scratch, way[i].codec->memory(&way[i].grid, &way[i].params));
    }
}

struct fpgz_need fpgz_need_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid)
{
    const struct fpgz_passes passes = fpgz_passes_plan(coder, grid->dtype);
    struct fpgz_need need = {.raw = fpgz_grid_bytes(grid)};
    for (unsigned i = 0; i < passes.count; i++)
        add_pass(&need, coder, &passes.pass[i], grid);
    need.second = passes.count > 1 ? need.stream : 0;
    if (coder->turn)
        need.second = fpgz_max(need.second, need.raw);
    need.restored = passes.restores ? need.raw : 0;
    return need;
}

struct fpgz_need fpgz_need_decode(const struct fpgz_coded *coded)
{
    return (struct fpgz_need){
        .raw = fpgz_grid_bytes(&coded->grid),
        .stream = coded->length,
        .second = coded->turn ? fpgz_grid_bytes(&coded->grid) : 0,
        .scratch = fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params),
    };
}

static uint64_t held(size_t bytes, const struct fpgz_buffer *buffer)
{
    const size_t size = bytes ? fpgz_buffer_rounded(bytes) : 0;
    return buffer && buffer->capacity > size ? buffer->capacity : size;
}

uint64_t fpgz_need_lent(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers, unsigned lent)
{
    return held(need->scratch, &buffers->scratch) + held(need->restored, &buffers->restored) +
           (lent > FPGZ_LENT_SCRATCH ? held(need->raw, &buffers->raw) : 0);
}

uint64_t fpgz_need_bytes(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_chunk_buffers none = {0}, *const b = buffers ? buffers : &none;
    return held(need->stream, &b->stream) + held(need->second, &b->second) +
           fpgz_need_lent(need, b, FPGZ_LENT);
}

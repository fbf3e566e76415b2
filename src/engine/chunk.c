/* SPDX-License-Identifier: MIT
 * Codes one chunk, by the given codec or by one that a sample chooses. */
#include "engine/chunk.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/looked.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "engine/choosing.h"
#include "engine/lossy.h"
#include "engine/passes.h"

/* Stores the values as they are, without a copy of them. */
static void store(const struct fpgz_grid *grid, const struct fpgz_chunk_buffers *buffers,
                  struct fpgz_coded *coded)
{
    coded->codec = &fpgz_store;
    fpgz_codec_defaults(coded->codec, &coded->params);
    coded->codec->fold(grid, &coded->grid);
    coded->stream = buffers->raw.data;
    coded->length = fpgz_grid_bytes(grid);
    coded->errors = (struct fpgz_errors){0, 0};
    coded->proof.given = false;
}

/* Whether the stream decodes to the grid in buffers->raw. What encoding took is mostly more scratch than
 * decoding does: the values go before that, where encoders have theirs, rather than to memory that is touched
 * for the first time. */
static enum fpgz_status verify(const struct fpgz_coded *coded, struct fpgz_chunk_buffers *buffers)
{
    const size_t bytes = fpgz_grid_bytes(&coded->grid), before = fpgz_round_up(bytes, 64),
                 used = fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params);
    const bool fits = before < buffers->scratch.capacity && used <= buffers->scratch.capacity - before;
    if (!fits && !fpgz_buffer_reserve(&buffers->restored, bytes))
        return FPGZ_MEMORY;
    uint8_t *const scratch = buffers->scratch.data;
    const struct fpgz_coding coding = {coded->grid, coded->params, fits ? scratch + before : scratch, NULL};
    return fpgz_backend_verify(buffers->backend, coded->codec, &coding, &buffers->stream, coded->length,
                               &buffers->raw, fits ? scratch : buffers->restored.data);
}

/* Codes as the lead says. False where there is none, or the chunk is other than it. */
static bool follow(const struct fpgz_coder *coder, const struct fpgz_grid *grid, bool verifies,
                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded, enum fpgz_status *status)
{
    struct fpgz_lead *const lead = coder->lead;
    const bool may = !coder->codec || coder->codec == &fpgz_prans;
    if (!may || !lead || lead->state != FPGZ_LEAD_FOLLOWED || !fpgz_grid_same(&lead->grid, grid))
        return false;
    if (!fpgz_prans_looks(lead) && !fpgz_buffer_complete(&buffers->raw))
        return false;
    coded->codec = &fpgz_prans;
    coded->params = lead->params;
    *status = fpgz_chunk_code(grid, verifies, lead, buffers, coded);
    return lead->state == FPGZ_LEAD_FOLLOWED;
}

/* The lead that the chunk is to tell. */
static struct fpgz_lead *sought(const struct fpgz_coder *coder)
{
    return coder->lead && coder->lead->state == FPGZ_LEAD_SOUGHT ? coder->lead : NULL;
}

/* Adds to the lead for which chunks it is; there is none where another codec or further passes won. */
static void tell(struct fpgz_lead *lead, const struct fpgz_passes *passes, const struct fpgz_grid *grid,
                 const struct fpgz_coded *coded)
{
    if (!lead)
        return;
    lead->grid = *grid;
    lead->params = coded->params;
    if (coded->codec != &fpgz_prans || passes->count > 1)
        lead->state = FPGZ_LEAD_NONE;
}

/* Codes as the coder says. */
static enum fpgz_status encode(const struct fpgz_coder *coder, const struct fpgz_passes *passes,
                               struct fpgz_lead *lead, const struct fpgz_grid *grid,
                               struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    coded->codec = coder->codec;
    coded->params = coder->params;
    coded->length = fpgz_grid_bytes(grid);
    if (!coder->codec)
        return fpgz_chunk_choose(passes, lead, grid, buffers, coded);
    if (!coder->codec->lossless)
        return fpgz_lossy_encode(&coder->bound, grid, buffers, coded);
    return coder->codec == &fpgz_store ? FPGZ_OK
                                       : fpgz_chunk_code(grid, passes->restores, lead, buffers, coded);
}

/* Turns whole rows where the coder wants them as columns: *grid is then *turned. Fewer values are behind the
 * last row. */
static bool turn_rows(const struct fpgz_coder *coder, const struct fpgz_grid **grid, struct fpgz_grid *turned,
                      struct fpgz_chunk_buffers *buffers)
{
    const size_t size = fpgz_dtype_size((*grid)->dtype), values = fpgz_grid_bytes(*grid) / size;
    if (!coder->turn || values < coder->turn)
        return true;
    if (!fpgz_chunk_turn(buffers, values / coder->turn, coder->turn, size))
        return false;
    *turned = fpgz_grid_turned(*grid);
    *grid = turned;
    return true;
}

enum fpgz_status fpgz_chunk_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const size_t raw_bytes = fpgz_grid_bytes(grid);
    coded->errors = (struct fpgz_errors){0, 0};
    coded->choice.count = 0;
    coded->defective = NULL;
    coded->proof.given = false;
    struct fpgz_grid turned;
    if (coder->swap) {
        fpgz_grid_swap(grid, buffers->raw.data);
        buffers->raw.there = NULL;
    }
    if (!turn_rows(coder, &grid, &turned, buffers))
        return FPGZ_MEMORY;

    const struct fpgz_passes passes = fpgz_passes_plan(coder, grid->dtype);
    struct fpgz_lead *const lead = sought(coder);
    enum fpgz_status status = FPGZ_OK;
    coded->followed = follow(coder, grid, passes.restores, buffers, coded, &status);
    if (!coded->followed && !fpgz_buffer_complete(&buffers->raw))
        return FPGZ_MEMORY;
    if (!coded->followed)
        status = encode(coder, &passes, lead, grid, buffers, coded);
    if (!status && passes.restores && coded->codec->verified && !coded->proof.given &&
        coded->length < raw_bytes)
        status = verify(coded, buffers);
    if (status == FPGZ_INTERNAL && (!coder->codec || coder->presumed))
        coded->defective = coded->codec;
    if (status == FPGZ_MEMORY || status == FPGZ_USAGE || status == FPGZ_UNSUPPORTED ||
        (status == FPGZ_INTERNAL && !coded->defective))
        return status;
    /* A lossy stream is worth its errors only if it is shorter than the values. */
    if (status || coded->length >= raw_bytes) {
        if (!fpgz_buffer_complete(&buffers->raw))
            return FPGZ_MEMORY;
        store(grid, buffers, coded);
    } else if (!coded->codec->lossless) {
        if (coder->swap)
            fpgz_grid_swap(grid, buffers->restored.data);
        coded->raw_checksum = fpgz_checksum(buffers->restored.data, raw_bytes);
    }
    tell(lead, &passes, grid, coded);
    coded->stream_checksum =
        coded->proof.given ? coded->proof.checksum : fpgz_checksum(coded->stream, coded->length);
    return FPGZ_OK;
}

size_t fpgz_chunk_estimate(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                           struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_codec *const codec = coder->codec;
    struct fpgz_coding coding = {.params = coder->params};
    struct fpgz_grid turned;
    if (!codec || !codec->estimate)
        return SIZE_MAX;
    if (coder->swap)
        fpgz_grid_swap(grid, buffers->raw.data);
    size_t length = 0;
    if (turn_rows(coder, &grid, &turned, buffers)) {
        codec->fold(grid, &coding.grid);
        if (fpgz_buffer_reserve(&buffers->stream, codec->bound(&coding.grid, &coding.params)) &&
            fpgz_buffer_reserve(&buffers->scratch, codec->memory(&coding.grid, &coding.params))) {
            coding.scratch = buffers->scratch.data;
            length = codec->estimate(&coding, buffers->raw.data, buffers->stream.data);
        }
    }
    if (coder->swap && !coder->turn)
        fpgz_grid_swap(grid, buffers->raw.data);
    return length ? length : SIZE_MAX;
}

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers)
{
    fpgz_buffer_free(&buffers->raw);
    fpgz_buffer_free(&buffers->stream);
    fpgz_buffer_free(&buffers->scratch);
    fpgz_buffer_free(&buffers->restored);
    fpgz_buffer_free(&buffers->second);
}

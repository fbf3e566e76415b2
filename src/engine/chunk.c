/* SPDX-License-Identifier: MIT
 * Codes one chunk, by the given codec or by one that a sample chooses. */
#include "engine/chunk.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/looked.h"
#include "codec/rising.h"
#include "core/bytes.h"
#include "core/checksum.h"
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

/* Codes with coded->codec and coded->params; a GPU that has the values may verify the stream, if it is to be.
 * FPGZ_LIMIT may tell that it is no shorter than `least` bytes. */
static enum fpgz_status encode_shorter(const struct fpgz_grid *grid, bool verifies, size_t least,
                                       struct fpgz_lead *lead, struct fpgz_chunk_buffers *buffers,
                                       struct fpgz_coded *coded)
{
    const struct fpgz_codec *codec = coded->codec;
    coded->proof.given = false;
    codec->fold(grid, &coded->grid);
    if (!fpgz_buffer_reserve(&buffers->stream, codec->bound(&coded->grid, &coded->params)) ||
        !fpgz_buffer_reserve(&buffers->scratch, codec->memory(&coded->grid, &coded->params)))
        return FPGZ_MEMORY;
    if (buffers->raw.there) /* where the stream will be brought */
        fpgz_backend_pin(buffers->backend, &buffers->stream);
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data, lead};
    coded->stream = buffers->stream.data;
    if (codec->encode_shorter && least < fpgz_grid_bytes(grid)) {
        buffers->stream.beyond = 0;
        return codec->encode_shorter(&coding, buffers->raw.data, least, buffers->stream.data, &coded->length);
    }
    return fpgz_backend_encode(buffers->backend, codec, &coding, &buffers->raw, &buffers->stream,
                               &coded->length, codec->verified && verifies ? &coded->proof : NULL);
}

static enum fpgz_status lossless_encode(const struct fpgz_grid *grid, bool verifies, struct fpgz_lead *lead,
                                        struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    return encode_shorter(grid, verifies, SIZE_MAX, lead, buffers, coded);
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

/* Codes the chunk by another codec too, and keeps the shorter stream. */
static void try_other(const struct fpgz_auto_candidate *other, const struct fpgz_grid *grid, bool verifies,
                      struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const struct fpgz_coded first = *coded;
    fpgz_buffer_swap(&buffers->stream, &buffers->second);
    coded->codec = other->codec;
    coded->params = other->params;
    if (!encode_shorter(grid, verifies, first.length, NULL, buffers, coded) && coded->length < first.length)
        return;
    fpgz_buffer_swap(&buffers->stream, &buffers->second);
    *coded = first;
}

static bool sample(const struct fpgz_level *level, const struct fpgz_grid *grid,
                   struct fpgz_chunk_buffers *buffers, struct fpgz_auto_choice *choice)
{
    if (!fpgz_buffer_reserve(&buffers->scratch, fpgz_auto_memory(grid, level)))
        return false;
    fpgz_auto_choose(grid, buffers->raw.data, level, buffers->scratch.data, choice);
    return true;
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
    *status = lossless_encode(grid, verifies, lead, buffers, coded);
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

/* Codes by prans, and only where that is poor by what a sample shows to be shorter: of other grids none was
 * seen that others make less of, and samples take 7 % of the time. There is no room for two streams, for the
 * bound of prans' is 2.8 times the values: it is made again where a sample was wrong, 1 of 154 times. */
static enum fpgz_status presume(const struct fpgz_level *level, bool verifies, struct fpgz_lead *lead,
                                const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                                struct fpgz_coded *coded)
{
    enum { POOR_PART = 4 }; /* of the values that the stream must save */
    const size_t raw = fpgz_grid_bytes(grid);
    coded->codec = &fpgz_prans;
    fpgz_codec_defaults(coded->codec, &coded->params);
    const enum fpgz_status status = lossless_encode(grid, verifies, lead, buffers, coded);
    if (status || coded->length <= raw - raw / POOR_PART || !sample(level, grid, buffers, &coded->choice))
        return status;
    const struct fpgz_auto_candidate *const best = coded->choice.candidate;
    const struct fpgz_coded first = *coded;
    if (best->codec == first.codec || best->ratio * (double)raw >= (double)first.length)
        return status;
    coded->codec = best->codec;
    coded->params = best->params;
    if (!lossless_encode(grid, verifies, NULL, buffers, coded) && coded->length < first.length)
        return FPGZ_OK;
    coded->codec = first.codec;
    coded->params = first.params;
    return lossless_encode(grid, verifies, lead, buffers, coded);
}

/* Codes by a candidate: at first, where *status is not FPGZ_OK, or in place of a longer stream. Once there is
 * a stream, what fails is left out. */
static void code_by(const struct fpgz_auto_candidate *candidate, const struct fpgz_grid *grid, bool verifies,
                    struct fpgz_lead *lead, struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded,
                    enum fpgz_status *status)
{
    if (!*status) {
        try_other(candidate, grid, verifies, buffers, coded);
        return;
    }
    coded->codec = candidate->codec;
    coded->params = candidate->params;
    *status = lossless_encode(grid, verifies, lead, buffers, coded);
}

/* Codes values that rise by their differences, as the levels of the passes have lzma: faster ones first, and
 * others where that is shorter. Where it would take long, only if the values are known to take little. */
static void try_delta(const struct fpgz_passes *passes, const struct fpgz_grid *grid,
                      struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    enum { LONG_BYTES = 4 << 20, LITTLE_PART = 16 };
    const size_t bytes = fpgz_grid_bytes(grid);
    struct fpgz_auto_candidate delta = {.codec = &fpgz_delta};
    if (fpgz_delta.missing || (bytes > LONG_BYTES && coded->length > bytes / LITTLE_PART))
        return;
    for (unsigned i = passes->count; i-- > 0;) {
        const uint32_t level = passes->pass[i].sampled->bytes.lzma, before = delta.params.value[DELTA_LEVEL];
        if (!level || level == before)
            continue;
        if (before ? coded->codec != &fpgz_delta : !fpgz_rises(grid, buffers->raw.data))
            return;
        delta.params.value[DELTA_LEVEL] = level;
        try_other(&delta, grid, passes->restores, buffers, coded);
    }
}

/* Codes with the choice of a sample for each pass. Codecs that know before their end that they make nothing
 * shorter come last. */
static enum fpgz_status auto_encode(const struct fpgz_passes *passes, struct fpgz_lead *lead,
                                    const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                                    struct fpgz_coded *coded)
{
    const bool restores = passes->restores;
    struct fpgz_auto_candidate tried[FPGZ_MAX_PASSES];
    unsigned count = 0;
    struct fpgz_auto_choice choice;
    const struct fpgz_level *const level = passes->pass[0].sampled;
    if (fpgz_auto_presumes(level, grid->dtype))
        return presume(level, restores, lead, grid, buffers, coded);
    if (!sample(level, grid, buffers, &coded->choice))
        return FPGZ_MEMORY;
    enum fpgz_status status = FPGZ_INTERNAL;
    choice = coded->choice;
    for (unsigned i = 0; i < passes->count; i++) {
        const struct fpgz_pass *const pass = &passes->pass[i];
        if (i && pass->sampled != pass[-1].sampled && !sample(pass->sampled, grid, buffers, &choice))
            break;
        const struct fpgz_auto_candidate *const candidate =
            fpgz_pass_pick(pass, fpgz_grid_bytes(grid), &choice);
        if (!candidate || fpgz_pass_was_tried(candidate, tried, count))
            continue;
        tried[count++] = *candidate;
        if (!candidate->codec->encode_shorter)
            code_by(candidate, grid, restores, lead, buffers, coded, &status);
    }
    for (unsigned i = 0; i < count; i++)
        if (tried[i].codec->encode_shorter)
            code_by(&tried[i], grid, restores, lead, buffers, coded, &status);
    if (!status)
        try_delta(passes, grid, buffers, coded);
    return status;
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
        return auto_encode(passes, lead, grid, buffers, coded);
    if (!coder->codec->lossless)
        return fpgz_lossy_encode(&coder->bound, grid, buffers, coded);
    return coder->codec == &fpgz_store ? FPGZ_OK
                                       : lossless_encode(grid, passes->restores, lead, buffers, coded);
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

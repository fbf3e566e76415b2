/* SPDX-License-Identifier: MIT
 * Codes a chunk by the codecs that samples choose, and keeps the shortest stream. */
#include "engine/choosing.h"

#include "codec/auto.h"
#include "codec/codecs.h"
#include "codec/rising.h"
#include "core/bytes.h"

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

enum fpgz_status fpgz_chunk_code(const struct fpgz_grid *grid, bool verifies, struct fpgz_lead *lead,
                                 struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    return encode_shorter(grid, verifies, SIZE_MAX, lead, buffers, coded);
}

/* The codec as it is where nobody asks for more. */
static struct fpgz_auto_candidate as_usual(const struct fpgz_codec *codec)
{
    struct fpgz_auto_candidate candidate = {.codec = codec};
    fpgz_codec_defaults(codec, &candidate.params);
    return candidate;
}

static enum fpgz_status encode_as(const struct fpgz_auto_candidate *candidate, const struct fpgz_grid *grid,
                                  bool verifies, struct fpgz_lead *lead, struct fpgz_chunk_buffers *buffers,
                                  struct fpgz_coded *coded)
{
    coded->codec = candidate->codec;
    coded->params = candidate->params;
    return fpgz_chunk_code(grid, verifies, lead, buffers, coded);
}

/* Codes the chunk by another codec too, and keeps its stream if that is shorter than `least`. */
static void try_shorter(const struct fpgz_auto_candidate *other, const struct fpgz_grid *grid, bool verifies,
                        size_t least, struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const struct fpgz_coded first = *coded;
    fpgz_buffer_swap(&buffers->stream, &buffers->second);
    coded->codec = other->codec;
    coded->params = other->params;
    if (!encode_shorter(grid, verifies, least, NULL, buffers, coded) && coded->length < least)
        return;
    fpgz_buffer_swap(&buffers->stream, &buffers->second);
    *coded = first;
}

/* The same, and keeps the shorter stream. */
static void try_other(const struct fpgz_auto_candidate *other, const struct fpgz_grid *grid, bool verifies,
                      struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    try_shorter(other, grid, verifies, coded->length, buffers, coded);
}

static bool sample(const struct fpgz_level *level, const struct fpgz_grid *grid,
                   struct fpgz_chunk_buffers *buffers, struct fpgz_auto_choice *choice)
{
    if (!fpgz_buffer_reserve(&buffers->scratch, fpgz_auto_memory(grid, level)))
        return false;
    fpgz_auto_choose(grid, buffers->raw.data, level, buffers->scratch.data, choice);
    return true;
}

/* Takes less room than prans does, which engine/need.c counts. */
static enum fpgz_status encode_delta(const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                                     struct fpgz_coded *coded)
{
    const struct fpgz_auto_candidate delta = as_usual(&fpgz_delta_zstd);
    return encode_as(&delta, grid, false, NULL, buffers, coded);
}

/* What differences take of values that rise; SIZE_MAX of others, or where a piece does not come to little. */
static size_t delta_bytes(const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                          struct fpgz_coded *coded)
{
    enum { PIECE = 8192, LITTLE_PART = 8 };
    const struct fpgz_grid piece = {grid->dtype, 1, {fpgz_min(fpgz_grid_values(grid), PIECE)}};
    const bool little = !fpgz_delta_zstd.missing && fpgz_rises(grid, buffers->raw.data) &&
                        !encode_delta(&piece, buffers, coded) &&
                        coded->length <= fpgz_grid_bytes(&piece) / LITTLE_PART;
    return little && !encode_delta(grid, buffers, coded) ? coded->length : SIZE_MAX;
}

/* Codes by prans, and only where that is poor by what a sample shows to be shorter: of other grids none was
 * seen that others make less of, and samples take 7 % of the time. There is no room for two streams, for the
 * bound of prans' is 2.8 times the values: it is made again where a sample was wrong, 1 of 154 times. */
static enum fpgz_status presume(const struct fpgz_level *level, bool verifies, struct fpgz_lead *lead,
                                const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                                struct fpgz_coded *coded)
{
    enum { POOR_PART = 4 }; /* of the values that the stream must save */
    const size_t raw = fpgz_grid_bytes(grid), rising = delta_bytes(grid, buffers, coded);
    const struct fpgz_auto_candidate prans = as_usual(&fpgz_prans);
    const enum fpgz_status status = encode_as(&prans, grid, verifies, lead, buffers, coded);
    if (!status && rising < coded->length)
        return encode_delta(grid, buffers, coded);
    if (status || coded->length <= raw - raw / POOR_PART || !sample(level, grid, buffers, &coded->choice))
        return status;
    const struct fpgz_auto_candidate *const best = coded->choice.candidate;
    const size_t length = coded->length;
    if (best->codec == prans.codec || best->ratio * (double)raw >= (double)length)
        return status;
    if (!encode_as(best, grid, verifies, NULL, buffers, coded) && coded->length < length)
        return FPGZ_OK;
    return encode_as(&prans, grid, verifies, lead, buffers, coded);
}

/* Codes by a candidate: at first, where *status is not FPGZ_OK, or in place of a longer stream. Once there is
 * a stream, what fails is left out. */
static void code_by(const struct fpgz_auto_candidate *candidate, const struct fpgz_grid *grid, bool verifies,
                    struct fpgz_lead *lead, struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded,
                    enum fpgz_status *status)
{
    if (*status)
        *status = encode_as(candidate, grid, verifies, lead, buffers, coded);
    else
        try_other(candidate, grid, verifies, buffers, coded);
}

/* Codes differences as the levels of the passes have lzma: faster ones first, and others where that is
 * shorter. False if none has it. */
static bool try_small_deltas(const struct fpgz_passes *passes, const struct fpgz_grid *grid,
                             struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    struct fpgz_auto_candidate small = {.codec = &fpgz_delta_lzma};
    uint32_t *const level = &small.params.value[DELTA_LEVEL];
    for (unsigned i = passes->count; i-- > 0;) {
        const uint32_t next = passes->pass[i].sampled->bytes.lzma;
        if (!next || next == *level)
            continue;
        if (*level && coded->codec != small.codec)
            break;
        *level = next;
        try_other(&small, grid, passes->restores, buffers, coded);
    }
    return *level;
}

/* Codes values that rise by their differences. Where levels have no lzma, or it would take long for values
 * that are not known to take little, by zstd. */
static void try_deltas(const struct fpgz_passes *passes, const struct fpgz_grid *grid,
                       struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    enum { LONG_BYTES = 4 << 20, LITTLE_PART = 16 };
    const size_t bytes = fpgz_grid_bytes(grid);
    const bool hasty = bytes > LONG_BYTES && coded->length > bytes / LITTLE_PART;
    const struct fpgz_auto_candidate fast = as_usual(&fpgz_delta_zstd);
    if (!(passes->pass->sampled->candidates >> FPGZ_CODEC_PRANS & 1) || !fpgz_rises(grid, buffers->raw.data))
        return; /* at the fast levels even this would take most of the time */
    if (!hasty && !fpgz_delta_lzma.missing && try_small_deltas(passes, grid, buffers, coded))
        return;
    if (!fast.codec->missing)
        try_other(&fast, grid, passes->restores, buffers, coded);
}

/* Codes bytes by lzma, too, where a level has zstd for them: at its fastest it takes no longer, and text with
 * numbers comes to half. Restoring takes ten times as long, so it must save an eighth where speed counts,
 * which it seldom does of what zstd saves less of. Pieces that guesses are rated by are shorter. It takes
 * less room than prans does, which engine/need.c counts. */
static void try_text(const struct fpgz_passes *passes, const struct fpgz_grid *grid,
                     struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    enum { LEAST_BYTES = 2 << 20, SAVED_PART = 8 };
    static const struct fpgz_auto_candidate lzma = {.codec = &fpgz_lzma,
                                                    .params.value = {[LZMA_LEVEL] = 0, [LZMA_SHUFFLE] = 0}};
    const size_t bytes = fpgz_grid_bytes(grid), length = coded->length;
    if (fpgz_dtype_size(grid->dtype) > 1 || bytes < LEAST_BYTES || length > bytes - bytes / SAVED_PART ||
        lzma.codec->missing)
        return;
    bool tries = false;
    for (unsigned i = 0; i < passes->count; i++) {
        const struct fpgz_level *const level = passes->pass[i].sampled;
        tries |= !level->bytes.lzma && level->also.runner_up.bytes > 0;
    }
    if (!tries)
        return;
    const bool hastes = !passes->pass->sampled->also.sampled_as[0];
    try_shorter(&lzma, grid, false, hastes ? length - length / SAVED_PART : length, buffers, coded);
}

/* Codes with the choice of a sample for each pass. Codecs that know before their end that they make nothing
 * shorter come last. */
enum fpgz_status fpgz_chunk_choose(const struct fpgz_passes *passes, struct fpgz_lead *lead,
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
        const struct fpgz_auto_candidate *const candidate = fpgz_pass_pick(pass, grid, &choice);
        if (!candidate || fpgz_pass_was_tried(candidate, tried, count))
            continue;
        tried[count++] = *candidate;
        if (!candidate->codec->encode_shorter)
            code_by(candidate, grid, restores, lead, buffers, coded, &status);
    }
    for (unsigned i = 0; i < count; i++)
        if (tried[i].codec->encode_shorter)
            code_by(&tried[i], grid, restores, lead, buffers, coded, &status);
    if (!status) {
        try_deltas(passes, grid, buffers, coded);
        try_text(passes, grid, buffers, coded);
    }
    return status;
}

/* SPDX-License-Identifier: MIT
 * Pieces are read, their filters undone and done again, and the bytes compared, in parallel. */
#include "archive/trial.h"

#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/pieces.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/clock.h"
#include "core/io.h"
#include "engine/chunk.h"
#include "engine/pipeline.h"

enum {
    JOB_BYTES = 1 << 20,
    JOB_PIECES = 256,
    PROBES = 3,
    UNFILTERED_MOST = 64 << 20, /* bytes of raw pieces that are not undone again when they are coded */
};

struct trials {
    const struct fpgz_setup *setup;
    const struct fpgz_input *input;
    struct fpgz_trial *trial;
    size_t trials, next;
    size_t piece; /* of the next */
    const struct fpgz_pipeline *pipeline;
    double seconds;
    bool failed; /* no memory */
};

struct job {
    struct fpgz_trial *trial;
    size_t first, count;
    struct fpgz_chunk_buffers buffers;
    double seconds;
    bool failed;
};

/* The filters may also have been left out, which the file need not say of pieces at the edges. */
static bool try_plain(const struct fpgz_trial *trial, const struct fpgz_kept *piece,
                      struct fpgz_stored *stored)
{
    stored->how =
        (struct fpgz_refiltering){.skipped = (uint8_t)((1u << trial->filtered->part.filters.count) - 1)};
    return piece->length == trial->bytes;
}

/* Tries one piece, with the buffers that are large enough for it. */
static void try_piece(const struct fpgz_input *input, struct fpgz_trial *trial, size_t number, uint8_t level,
                      struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_kept *const piece = &trial->filtered->piece[number];
    struct fpgz_stored *const stored = &trial->stored[number];
    uint8_t *const raw = trial->unfiltered ? trial->unfiltered + number * trial->bytes : buffers->raw.data;
    size_t got;
    stored->how = (struct fpgz_refiltering){piece->skipped, level, 8};
    if (piece->length > fpgz_refilter_bound(&trial->filtered->part.filters, trial->bytes) ||
        !fpgz_read_at(input->fd, buffers->second.data, piece->length, input->start + piece->offset, &got) ||
        got < piece->length)
        return;
    if (fpgz_unfilter(&trial->filtered->part.filters, buffers->second.data, piece->length,
                      buffers->scratch.data, raw, trial->bytes, &stored->how)) {
        if (!try_plain(trial, piece, stored))
            return;
        memcpy(raw, buffers->second.data, trial->bytes);
    }
    stored->length = piece->length;
    stored->check = (uint32_t)fpgz_checksum(buffers->second.data, piece->length);
}

static bool reserve(struct fpgz_chunk_buffers *buffers, const struct fpgz_trial *trial)
{
    return fpgz_buffer_reserve(&buffers->raw, trial->bytes) &&
           fpgz_buffer_reserve(&buffers->second,
                               fpgz_refilter_bound(&trial->filtered->part.filters, trial->bytes)) &&
           fpgz_buffer_reserve(&buffers->scratch,
                               fpgz_refilter_memory(&trial->filtered->part.filters, trial->bytes));
}

static bool fill(void *context, void *slot)
{
    struct trials *t = context;
    struct job *job = slot;
    while (t->next < t->trials &&
           (t->trial[t->next].skipped || t->piece == t->trial[t->next].filtered->pieces)) {
        t->next++;
        t->piece = 0;
    }
    if (t->next == t->trials)
        return false;
    job->trial = &t->trial[t->next];
    job->first = t->piece;
    const uint64_t bytes = job->trial->bytes, most = fpgz_min(JOB_BYTES / bytes + 1, JOB_PIECES);
    job->count = fpgz_min(most, job->trial->filtered->pieces - t->piece);
    t->piece += job->count;
    const struct fpgz_filters *const filters = &job->trial->filtered->part.filters;
    const struct fpgz_need need = {.raw = bytes,
                                   .second = fpgz_refilter_bound(filters, bytes),
                                   .scratch = fpgz_refilter_memory(filters, bytes)};
    struct fpgz_error error = {0};
    if (fpgz_budget_claim(t->setup, t->pipeline, job, &job->buffers, &need, 0, &error))
        t->failed = true;
    return !t->failed;
}

static void work(void *context, void *slot)
{
    const struct trials *t = context;
    struct job *job = slot;
    uint8_t level = job->trial->filtered->level;
    const double begin = fpgz_clock();
    job->failed = !reserve(&job->buffers, job->trial);
    for (size_t i = job->first; i < job->first + job->count && !job->failed; i++) {
        const struct fpgz_stored *const stored = &job->trial->stored[i];
        if (!stored->length) /* else it was probed */
            try_piece(t->input, job->trial, i, level, &job->buffers);
        if (stored->length && stored->how.level)
            level = stored->how.level;
    }
    job->seconds = fpgz_clock() - begin;
}

static bool drain(void *context, void *slot)
{
    struct trials *t = context;
    const struct job *job = slot;
    t->seconds += job->seconds;
    t->failed |= job->failed;
    return !t->failed;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->buffers);
}

/* Tries a few pieces. If none can be made again the others are not tried: finding that out takes long. */
static bool probe(const struct fpgz_input *input, struct fpgz_trial *trial,
                  struct fpgz_chunk_buffers *buffers, double *seconds)
{
    const double begin = fpgz_clock();
    const size_t pieces = trial->filtered->pieces;
    bool any = false;
    if (!reserve(buffers, trial))
        return false;
    for (size_t i = 0; i < PROBES && !any; i++) {
        const size_t number = (pieces - 1) * i / (PROBES - 1);
        try_piece(input, trial, number, trial->filtered->level, buffers);
        any = trial->stored[number].length;
    }
    trial->skipped = !any;
    trial->probed = true;
    *seconds += fpgz_clock() - begin;
    return true;
}

/* Bytes of the raw pieces of the array, if they are kept: as far as `room` allows. */
static size_t unfiltered_bytes(const struct fpgz_trial *trial, uint64_t room)
{
    return trial->skipped || trial->filtered->pieces > room / trial->bytes
               ? 0
               : fpgz_round_up(trial->filtered->pieces * trial->bytes, 64);
}

/* Takes memory for the raw pieces of all arrays that they are kept of, `most` bytes of it: at once, on huge
 * pages, for many arrays are small. */
static void take_unfiltered(struct fpgz_trial *trial, size_t trials, size_t most,
                            struct fpgz_buffer *unfiltered)
{
    size_t bytes = 0;
    for (size_t i = 0; i < trials; i++)
        bytes += unfiltered_bytes(&trial[i], most - bytes);
    if (!bytes || !fpgz_buffer_reserve(unfiltered, bytes))
        return;
    bytes = 0;
    for (size_t i = 0; i < trials; i++) {
        const size_t own = unfiltered_bytes(&trial[i], most - bytes);
        trial[i].unfiltered = own ? unfiltered->data + bytes : NULL;
        bytes += own;
    }
}

/* Forgets them where not all are known. */
static void leave_unfiltered(struct fpgz_trial *trial)
{
    bool all = !trial->skipped;
    for (size_t i = 0; i < trial->filtered->pieces && all; i++)
        all = trial->stored[i].length;
    if (!all)
        trial->unfiltered = NULL;
}

bool fpgz_trials_run(const struct fpgz_setup *setup, const struct fpgz_input *input, struct fpgz_trial *trial,
                     size_t trials, struct fpgz_buffer *unfiltered, double *seconds)
{
    struct trials t = {.setup = setup, .input = input, .trial = trial, .trials = trials};
    struct fpgz_chunk_buffers buffers = {0};
    struct fpgz_pipeline pipeline = {
        .threads = fpgz_budget_threads(setup),
        .memory = fpgz_budget_chunks(setup),
        .job_size = sizeof(struct job),
        .lent_at = offsetof(struct job, buffers.lent),
        .lent = FPGZ_LENT_SCRATCH,
        .context = &t,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    t.pipeline = &pipeline;
    take_unfiltered(trial, trials, setup->memory_given ? 0 : UNFILTERED_MOST, unfiltered);
    for (size_t i = 0; i < trials && !t.failed; i++) {
        const size_t held = fpgz_refilter_memory(&trial[i].filtered->part.filters, trial[i].bytes);
        t.failed = !trial[i].skipped && !probe(input, &trial[i], &buffers, &t.seconds);
        pipeline.expected +=
            trial[i].skipped ? 0 : trial[i].filtered->pieces * trial[i].bytes / JOB_BYTES + 1;
        pipeline.job_bytes = fpgz_max(held, pipeline.job_bytes);
    }
    fpgz_chunk_buffers_free(&buffers);
    const bool ok = !t.failed && fpgz_pipeline_run(&pipeline) && !t.failed;
    for (size_t i = 0; i < trials; i++)
        leave_unfiltered(&trial[i]);
    *seconds = t.seconds;
    return ok;
}

/* SPDX-License-Identifier: MIT
 * How the memory that the process may take is shared out: to threads, to chunks, and to the buffers of each
 * chunk in flight. */
#include "archive/budget.h"

#include <inttypes.h>
#include <stdio.h>

#include "archive/coder.h"
#include "archive/pieces.h"
#include "core/bytes.h"
#include "engine/plan.h"
#include "source/helper.h"

enum {
    SIZE_TEXT = 32,
    FIXED = 16 << 20,        /* the program, its libraries and what it knows of a file */
    THREAD = 256 << 10,      /* of each thread: its stack, and what malloc keeps for it */
    THREADS_PART = 32,       /* all threads take at most this fraction of what is not fixed */
    LEAST_TARGET = 32 << 10, /* chunks of 4096 values of the largest type: there are no smaller chunks */
};

/* "123 MiB", rounded up. */
static const char *size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    snprintf(text, SIZE_TEXT, "%" PRIu64 " MiB", (bytes + (1 << 20) - 1) >> 20);
    return text;
}

/* Memory beside the fixed part. */
static uint64_t left(const struct fpgz_setup *setup)
{
    const uint64_t memory = fpgz_setup_memory(setup);
    return memory > FIXED ? memory - FIXED : 0;
}

/* The memory limit that chunks of `bytes` bytes need. */
static uint64_t whole(uint64_t bytes)
{
    return FIXED + bytes + bytes / (THREADS_PART - 1);
}

/* Fails, and says which limit chunks of `bytes` bytes need, and on what terms. */
static enum fpgz_status too_much(const struct fpgz_setup *setup, uint64_t bytes, const char *terms,
                                 struct fpgz_error *error)
{
    char needed[SIZE_TEXT], allowed[SIZE_TEXT];
    return fpgz_fail(error, FPGZ_MEMORY, "needs %s of memory%s, but --memory allows %s",
                     size_text(whole(bytes), needed), terms, size_text(setup->memory, allowed));
}

void fpgz_budget_share(struct fpgz_setup *setup)
{
    setup->memory = fpgz_setup_memory(setup);
    const uint64_t half = left(setup) / 2, most = FPGZ_HELPER_MEMORY;
    fpgz_helper_allow(half);
    setup->memory -= half < most ? half : most;
}

unsigned fpgz_budget_threads(const struct fpgz_setup *setup)
{
    if (setup->threads == 1)
        return 1;
    const uint64_t most = left(setup) / ((uint64_t)THREADS_PART * THREAD);
    return most < setup->threads ? (most ? (unsigned)most : 1) : setup->threads;
}

uint64_t fpgz_budget_chunks(const struct fpgz_setup *setup)
{
    const uint64_t all = left(setup);
    return all - all / THREADS_PART;
}

uint64_t fpgz_budget_room(const struct fpgz_setup *setup, unsigned threads)
{
    return threads == 1 && !setup->memory ? UINT64_MAX : fpgz_budget_chunks(setup);
}

bool fpgz_budget_keeps(const struct fpgz_terms *terms, unsigned threads)
{
    return terms->kept && threads == 1 && !terms->setup.memory_given;
}

/* Memory for the largest chunk of a part. */
static bool largest(const struct fpgz_setup *setup, int level, const struct fpgz_part *part, uint64_t target,
                    uint64_t slab, uint64_t *bytes)
{
    const struct fpgz_coder coder = fpgz_coder_of(setup, level, part);
    struct fpgz_cut cut;
    if (!fpgz_plan_cut(part, target, slab, &cut))
        return false;
    const bool piped = !part->place.count;
    const struct fpgz_grid grid =
        fpgz_cut_grid(&cut, piped ? cut.rows : fpgz_min(cut.rows, cut.shape.extent[0]));
    if (!fpgz_grid_values(&grid))
        return false;
    struct fpgz_need need = fpgz_need_encode(&coder, &grid);
    fpgz_pieces_need(part, 0, &need);
    *bytes = fpgz_need_bytes(&need, NULL) + (piped ? need.raw : 0);
    return true;
}

static uint64_t largest_of(const struct fpgz_setup *setup, int level, const struct fpgz_part *part,
                           size_t parts, uint64_t target, uint64_t slab)
{
    uint64_t most = 0, bytes;
    for (size_t i = 0; i < parts; i++)
        if (largest(setup, level, &part[i], target, slab, &bytes) && bytes > most)
            most = bytes;
    return most;
}

enum fpgz_status fpgz_budget_cut(const struct fpgz_setup *setup, int level, const struct fpgz_part *part,
                                 size_t parts, uint64_t *target, uint64_t *slab, struct fpgz_error *error)
{
    if (!setup->memory_given)
        return FPGZ_OK;
    const uint64_t room = fpgz_budget_chunks(setup);
    uint64_t bytes = largest_of(setup, level, part, parts, *target, *slab);
    while (bytes > room && !setup->chunk_given && *target > LEAST_TARGET) {
        *target /= 2;
        *slab = fpgz_min(*slab, *target);
        bytes = largest_of(setup, level, part, parts, *target, *slab);
    }
    return bytes <= room
               ? FPGZ_OK
               : too_much(setup, bytes, setup->chunk_given ? " with chunks of this size" : "", error);
}

enum fpgz_status fpgz_budget_check(const struct fpgz_setup *setup, uint64_t bytes, struct fpgz_error *error)
{
    if (!setup->memory_given || bytes <= fpgz_budget_chunks(setup))
        return FPGZ_OK;
    return too_much(setup, bytes, "", error);
}

enum fpgz_status fpgz_budget_claim(const struct fpgz_setup *setup, const struct fpgz_pipeline *pipeline,
                                   const void *job, struct fpgz_chunk_buffers *buffers,
                                   const struct fpgz_need *need, uint64_t more, struct fpgz_error *error)
{
    char needed[SIZE_TEXT], allowed[SIZE_TEXT];
    const uint64_t alone = fpgz_need_bytes(need, NULL) + more;
    uint64_t bytes = fpgz_need_bytes(need, buffers) + more;
    /* Buffers that grew for other chunks use up the room of other threads. */
    if ((bytes > alone + alone / 4 && bytes > pipeline->memory / pipeline->threads) ||
        bytes > pipeline->memory) {
        fpgz_chunk_buffers_free(buffers);
        bytes = alone;
    }
    const uint64_t lent = fpgz_need_lent(need, buffers, pipeline->lent);
    if (fpgz_pipeline_claim(pipeline, job, bytes - lent, lent) || !setup->memory_given) {
        struct fpgz_buffer *const both[] = {&buffers->raw, &buffers->stream, &buffers->scratch};
        const size_t sizes[] = {need->raw, need->stream, need->scratch};
        fpgz_buffer_reserve_together(both, sizes, 3);
        fpgz_buffer_reserve_together(both, sizes, 2); /* where the scratch is one that was lent before */
        return FPGZ_OK;
    }
    return fpgz_fail(error, FPGZ_MEMORY, "a chunk of %zu bytes needs %s of memory, but --memory allows %s",
                     need->raw, size_text(whole(bytes), needed), size_text(setup->memory, allowed));
}

unsigned fpgz_budget_processes(const struct fpgz_setup *setup)
{
    if (setup->threads == 1)
        return 1;
    const struct fpgz_array array = {.dtype = FPGZ_F32, .dims = 1, .extent = {FPGZ_UNKNOWN}};
    const struct fpgz_part part = {.array = array};
    const uint64_t share = whole(largest_of(setup, setup->level, &part, 1, setup->chunk, 0));
    const uint64_t most = setup->memory / share;
    return most < setup->threads ? (most ? (unsigned)most : 1) : setup->threads;
}

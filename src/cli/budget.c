/* SPDX-License-Identifier: MIT */
#include "cli/budget.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/parts.h"
#include "core/bytes.h"
#include "engine/plan.h"
#include "source/helper.h"

enum {
    SIZE_TEXT = 32,
    FIXED = 16 << 20,        /* the program, its libraries and what it knows of a file */
    THREAD = 256 << 10,      /* of each thread: its stack, and what malloc keeps for it */
    THREADS_PART = 32,       /* all threads take no more than this part of what is not fixed */
    LEAST_TARGET = 32 << 10, /* chunks of 4096 values of any type: there are no smaller ones */
};

/* "123 MiB", rounded up. */
static const char *size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    snprintf(text, SIZE_TEXT, "%" PRIu64 " MiB", (bytes + (1 << 20) - 1) >> 20);
    return text;
}

/* What may be taken beside what is fixed. */
static uint64_t left(const struct options *options)
{
    return options->memory > FIXED ? options->memory - FIXED : 0;
}

/* What must be allowed for chunks to take `bytes`. */
static uint64_t whole(uint64_t bytes)
{
    return FIXED + bytes + bytes / (THREADS_PART - 1);
}

/* Says what chunks that take `bytes` need, and on what terms. */
static enum fpgz_status too_much(const struct options *options, uint64_t bytes, const char *terms,
                                 struct fpgz_error *error)
{
    char needed[SIZE_TEXT], allowed[SIZE_TEXT];
    return fpgz_fail(error, FPGZ_MEMORY, "needs %s of memory%s, but --memory allows %s",
                     size_text(whole(bytes), needed), terms, size_text(options->memory, allowed));
}

void budget_share(struct options *options)
{
    const uint64_t half = left(options) / 2, most = FPGZ_HELPER_MEMORY;
    fpgz_helper_allow(half);
    options->memory -= half < most ? half : most;
}

unsigned budget_threads(const struct options *options)
{
    const uint64_t most = left(options) / ((uint64_t)THREADS_PART * THREAD);
    return most < options->threads ? (most ? (unsigned)most : 1) : options->threads;
}

uint64_t budget_chunks(const struct options *options)
{
    return left(options) - left(options) / THREADS_PART;
}

/* What the largest chunk of a part takes. */
static bool largest(const struct options *options, int level, const struct fpgz_part *part, uint64_t target,
                    uint64_t slab, uint64_t *bytes)
{
    const struct fpgz_coder coder = parts_coder(options, level, part);
    struct fpgz_cut cut;
    if (!fpgz_plan_cut(part, target, slab, &cut))
        return false;
    const bool piped = !part->place.count;
    const struct fpgz_grid grid =
        fpgz_cut_grid(&cut, piped ? cut.rows : fpgz_min(cut.rows, cut.shape.extent[0]));
    if (!fpgz_grid_values(&grid))
        return false;
    const struct fpgz_need need = fpgz_need_encode(&coder, &grid);
    *bytes = fpgz_need_bytes(&need, NULL) + (piped ? need.raw : 0);
    return true;
}

static uint64_t largest_of(const struct options *options, int level, const struct fpgz_part *part,
                           size_t parts, uint64_t target, uint64_t slab)
{
    uint64_t most = 0, bytes;
    for (size_t i = 0; i < parts; i++)
        if (largest(options, level, &part[i], target, slab, &bytes) && bytes > most)
            most = bytes;
    return most;
}

enum fpgz_status budget_cut(const struct options *options, int level, const struct fpgz_part *part,
                            size_t parts, uint64_t *target, uint64_t *slab, struct fpgz_error *error)
{
    const uint64_t room = budget_chunks(options);
    if (!options->memory_given)
        return FPGZ_OK;
    uint64_t bytes = largest_of(options, level, part, parts, *target, *slab);
    while (bytes > room && !options->chunk_given && *target > LEAST_TARGET) {
        *target /= 2;
        *slab = fpgz_min(*slab, *target);
        bytes = largest_of(options, level, part, parts, *target, *slab);
    }
    return bytes <= room
               ? FPGZ_OK
               : too_much(options, bytes, options->chunk_given ? " with chunks of this size" : "", error);
}

enum fpgz_status budget_check(const struct options *options, uint64_t bytes, struct fpgz_error *error)
{
    if (bytes <= budget_chunks(options) || !options->memory_given)
        return FPGZ_OK;
    return too_much(options, bytes, "", error);
}

enum fpgz_status budget_claim(const struct options *options, const struct fpgz_pipeline *pipeline,
                              const void *job, struct fpgz_chunk_buffers *buffers,
                              const struct fpgz_need *need, uint64_t more, struct fpgz_error *error)
{
    char needed[SIZE_TEXT], allowed[SIZE_TEXT];
    const uint64_t alone = fpgz_need_bytes(need, NULL) + more;
    uint64_t bytes = fpgz_need_bytes(need, buffers) + more;
    /* Buffers that grew with chunks of other kinds are in the way. */
    if (bytes > alone + alone / 4 || bytes > pipeline->memory) {
        fpgz_chunk_buffers_free(buffers);
        bytes = alone;
    }
    if (fpgz_pipeline_claim(pipeline, job, bytes) || !options->memory_given)
        return FPGZ_OK;
    return fpgz_fail(error, FPGZ_MEMORY, "a chunk of %zu bytes needs %s of memory, but --memory allows %s",
                     need->raw, size_text(whole(bytes), needed), size_text(options->memory, allowed));
}

unsigned budget_processes(const struct options *options)
{
    const struct fpgz_array array = {.dtype = FPGZ_F32, .dims = 1, .extent = {FPGZ_UNKNOWN}};
    const struct fpgz_part part = {.array = array};
    const uint64_t share = whole(largest_of(options, options->level, &part, 1, options->chunk, 0));
    const uint64_t most = options->memory / share;
    return most < options->threads ? (most ? (unsigned)most : 1) : options->threads;
}

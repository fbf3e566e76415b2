/* SPDX-License-Identifier: MIT
 * Batches of chunks that are coded in a GPU's memory. */
#include "library/course.h"

struct job {
    struct fpgz_resident_chunk *chunk;
    struct fpgz_error error;
};

static bool fill(void *context, void *slot)
{
    struct fpgz_course *c = context;
    struct job *job = slot;
    const bool more = c->next < c->stop;
    *job = (struct job){.chunk = c->next};
    c->next += more;
    return more;
}

static void work(void *context, void *slot)
{
    const struct fpgz_course *c = context;
    struct job *job = slot;
    fpgz_resident_code(c->batch->resident, job->chunk, &job->error);
}

static bool drain(void *context, void *slot)
{
    struct fpgz_course *c = context;
    const struct job *job = slot;
    if (job->error.status)
        *c->error = job->error;
    return !job->error.status;
}

static void release(void *slot)
{
    (void)slot;
}

/* Takes what became of chunks [first, end) of the batch. */
static enum fpgz_status take(struct fpgz_course *c, size_t first, size_t end, struct fpgz_error *error)
{
    struct fpgz_batch *const b = c->batch;
    for (size_t i = first; i < end && !error->status; i++)
        if (c->packing)
            fpgz_packing_chunk(c->packing, &b->planned[i], &b->chunk[i].coded, error);
        else
            c->left |= b->chunk[i].status != FPGZ_OK;
    return error->status || !c->packing ? error->status : fpgz_resident_flush(b->resident, error);
}

/* Codes chunks [first, end) of the batch. Where the GPU has no memory for all of them, halves of them. */
static enum fpgz_status code(struct fpgz_course *c, size_t first, size_t end, struct fpgz_error *error)
{
    struct fpgz_batch *const b = c->batch;
    struct fpgz_pipeline pipeline = {.threads = c->threads,
                                     .expected = end - first,
                                     .memory = UINT64_MAX,
                                     .job_size = sizeof(struct job),
                                     .context = c,
                                     .fill = fill,
                                     .work = work,
                                     .drain = drain,
                                     .release = release};
    c->next = b->chunk + first;
    c->stop = b->chunk + end;
    c->error = error;
    if (!fpgz_resident_begin(b->resident, b->chunk + first, end - first, c->end, !c->packing, error) &&
        !fpgz_pipeline_run(&pipeline))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
    if (error->status == FPGZ_MEMORY && end - first > 1) {
        const size_t half = (first + end) / 2;
        *error = (struct fpgz_error){0};
        return code(c, first, half, error) ? error->status : code(c, half, end, error);
    }
    return error->status || fpgz_resident_end(b->resident, error) ? error->status
                                                                  : take(c, first, end, error);
}

enum fpgz_status fpgz_course_finish(struct fpgz_course *c, struct fpgz_error *error)
{
    const size_t count = c->batch->count;
    c->batch->count = 0;
    c->batch->bytes = 0;
    return count ? code(c, 0, count, error) : FPGZ_OK;
}

enum fpgz_status fpgz_course_add(struct fpgz_course *c, const struct fpgz_planned *planned,
                                 const struct fpgz_resident_chunk *chunk, struct fpgz_error *error)
{
    struct fpgz_batch *const b = c->batch;
    b->bytes += fpgz_grid_bytes(&chunk->coded.grid);
    b->planned[b->count] = planned ? *planned : (struct fpgz_planned){0};
    b->chunk[b->count++] = *chunk;
    return b->count == FPGZ_RESIDENT_MOST || b->bytes >= FPGZ_RESIDENT_BYTES ? fpgz_course_finish(c, error)
                                                                             : FPGZ_OK;
}

/* SPDX-License-Identifier: MIT
 * Batches of chunks that are coded in a GPU's memory. */
#include "library/course.h"

static void work(void *context, size_t i, unsigned member)
{
    struct fpgz_course *const c = context;
    struct fpgz_error error = {0};
    if (!c->failed && fpgz_resident_code(c->batch->resident, c->first + i, member, &error) &&
        !atomic_exchange(&c->failed, true))
        *c->error = error;
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
    c->first = b->chunk + first;
    c->error = error;
    c->failed = false;
    if (!fpgz_resident_begin(b->resident, c->first, end - first, c->end, !c->packing, error))
        fpgz_team_run(b->team, c->threads, end - first, work, c);
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

/* SPDX-License-Identifier: MIT
 * Batches of chunks that are coded in a GPU's memory. */
#include "library/course.h"

static void work(void *context, size_t i, unsigned member)
{
    struct fpgz_course *const c = context;
    struct fpgz_error error = {0};
    if (!c->failed && fpgz_resident_code(c->resident, c->first + i, member, &error) &&
        !atomic_exchange(&c->failed, true))
        *c->error = error;
}

/* Waits for the chunks of a batch that are under way, and takes what became of them. */
static enum fpgz_status settle(struct fpgz_course *c, struct fpgz_batch *b, struct fpgz_error *error)
{
    if (!b->under_way || error->status)
        return error->status;
    b->under_way = false;
    if (fpgz_resident_end(b->resident, error))
        return error->status;
    for (size_t i = b->first; i < b->end && !error->status; i++)
        if (c->packing)
            fpgz_packing_chunk(c->packing, &b->planned[i], &b->chunk[i].coded, error);
        else
            c->left |= b->chunk[i].status != FPGZ_OK;
    return error->status || !c->packing ? error->status : fpgz_resident_flush(b->resident, error);
}

/* The batch that is filled in turn with this one, if there are two: streams that are encoded are taken from
 * one. */
static struct fpgz_batch *other_of(const struct fpgz_course *c)
{
    return c->batch[1].resident && !c->packing ? &c->batch[!c->turn] : NULL;
}

/* Enqueues chunks [first, end) of a batch. Where the GPU has no memory for all of them, the other batch ends
 * first, then they go by halves. */
static enum fpgz_status enqueue(struct fpgz_course *c, struct fpgz_batch *b, size_t first, size_t end,
                                struct fpgz_error *error)
{
    struct fpgz_batch *const other = other_of(c);
    c->resident = b->resident;
    c->first = b->chunk + first;
    c->error = error;
    c->failed = false;
    b->first = first;
    b->end = end;
    if (!fpgz_resident_begin(b->resident, c->first, end - first, c->end, !c->packing, error))
        fpgz_team_run(c->team, c->threads, end - first, work, c);
    b->under_way = !error->status;
    const bool alone = !other || !other->under_way;
    if (error->status != FPGZ_MEMORY || (alone && end - first == 1))
        return error->status;
    *error = (struct fpgz_error){0};
    if (!alone)
        return settle(c, other, error) ? error->status : enqueue(c, b, first, end, error);
    const size_t half = (first + end) / 2;
    return enqueue(c, b, first, half, error) || settle(c, b, error) ? error->status
                                                                    : enqueue(c, b, half, end, error);
}

/* Codes what is in the batch: it ends when the next one is enqueued, if there are two. */
static enum fpgz_status code(struct fpgz_course *c, struct fpgz_error *error)
{
    struct fpgz_batch *const b = &c->batch[c->turn], *const other = other_of(c);
    const size_t count = b->count;
    b->count = 0;
    b->bytes = 0;
    if (count)
        enqueue(c, b, 0, count, error);
    settle(c, other ? other : b, error);
    c->turn ^= other != NULL;
    return error->status;
}

enum fpgz_status fpgz_course_finish(struct fpgz_course *c, struct fpgz_error *error)
{
    code(c, error);
    return other_of(c) ? settle(c, other_of(c), error) : error->status;
}

enum fpgz_status fpgz_course_add(struct fpgz_course *c, const struct fpgz_planned *planned,
                                 const struct fpgz_resident_chunk *chunk, struct fpgz_error *error)
{
    struct fpgz_batch *const b = &c->batch[c->turn];
    b->bytes += fpgz_grid_bytes(&chunk->coded.grid);
    b->planned[b->count] = planned ? *planned : (struct fpgz_planned){0};
    b->chunk[b->count++] = *chunk;
    return b->count == FPGZ_RESIDENT_MOST || b->bytes >= FPGZ_RESIDENT_BYTES ? code(c, error) : FPGZ_OK;
}

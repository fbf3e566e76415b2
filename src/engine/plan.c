/* SPDX-License-Identifier: MIT
 * Cuts each part of a file into chunks, and merges the parts' chunks into one order by place in the file. */
#include "engine/plan.h"

#include <stdlib.h>
#include <string.h>

#include "codec/level.h"
#include "core/band.h"
#include "core/bytes.h"

enum { REPEATING_BYTES = 16 << 20 }; /* to which a chunk of arrays that repeat each other may grow */

/* Whether the place consists of long stretches without gaps. */
static bool lies_long(const struct fpgz_place *place)
{
    return place->count && place->bytes / fpgz_place_spans(place) >= FPGZ_PLAN_GAP;
}

/* Whether the pieces, in their order, are planes of the array: it is then best coded in its true shape. */
static bool stacked(const struct fpgz_part *part)
{
    for (unsigned d = 1; d < part->array.dims; d++)
        if (fpgz_part_pieces(part, d) > 1)
            return false;
    return true;
}

bool fpgz_plan_cut(const struct fpgz_part *part, uint64_t target, uint64_t slab, struct fpgz_cut *cut)
{
    const struct fpgz_array *array = &part->array;
    uint64_t extent[FPGZ_MAX_DIMS], bytes;
    if (part->shortened) {
        const struct fpgz_level *const usual = fpgz_level(FPGZ_LEVEL_DEFAULT);
        target = fpgz_min(target, usual->chunk.learning);
        slab = fpgz_min(slab, usual->slab);
    }
    if (part->filters.count && part->axes) { /* of the one piece that it is */
        memcpy(extent + 1, part->axis, part->axes * sizeof *extent);
        extent[0] = fpgz_part_rows(part);
        return fpgz_cut_planes(array->dtype, extent, part->axes + 1, 1,
                               target > part->place.bytes ? target : part->place.bytes, cut);
    }
    if (part->filters.count) { /* filters are for whole pieces, however large */
        fpgz_part_unit(part, extent);
        return fpgz_extents_bytes(array->dtype, extent, array->dims, &bytes) &&
               (stacked(part) || part->banded ? fpgz_cut_planes : fpgz_cut_pieces)(
                   array->dtype, extent, array->dims, part->place.bytes / bytes,
                   target > bytes ? target : bytes, cut);
    }
    const unsigned dims = part->axes ? part->axes + 1 : array->dims;
    memcpy(extent, array->extent, sizeof extent);
    if (part->axes) {
        memcpy(extent + 1, part->axis, part->axes * sizeof *extent);
        extent[0] = array->extent[0] == FPGZ_UNKNOWN ? FPGZ_UNKNOWN : fpgz_part_rows(part);
    }
    if (part->turned || (part->layout == FPGZ_GROUP && part->axes)) { /* chunks are whole rows */
        const uint64_t row = fpgz_part_row(part) * fpgz_dtype_size(array->dtype);
        extent[0] = 1;
        return fpgz_cut_planes(array->dtype, extent, dims, fpgz_part_rows(part), target > row ? target : row,
                               cut);
    }
    if (part->axes)
        return fpgz_cut_plan(array->dtype, extent, dims, target, slab, cut);
    if (part->repeats)
        target = fpgz_max(target, fpgz_min(2 * target, REPEATING_BYTES));
    if (part->layout != FPGZ_PIECES || (!lies_long(&part->place) && fpgz_part_in_order(part)))
        return fpgz_cut_plan(array->dtype, array->extent, array->dims, target, slab, cut);
    if (!fpgz_extents_bytes(array->dtype, part->piece, array->dims, &bytes))
        return false;
    const uint64_t count = part->place.bytes / bytes;
    if (!stacked(part) && fpgz_cut_pieces(array->dtype, part->piece, array->dims, count, target, cut))
        return true;
    memcpy(extent, part->piece, sizeof extent);
    return fpgz_mul(extent[0], count, &extent[0]) &&
           fpgz_cut_plan(array->dtype, extent, array->dims, target, slab, cut);
}

static uint64_t part_bytes_done(const struct fpgz_plan *plan, size_t part)
{
    return plan->part[part].row * plan->part[part].cut.row_bytes;
}

/* Puts all parts back to their first chunks. */
static void rewind_plan(struct fpgz_plan *plan)
{
    plan->heap.count = 0;
    for (size_t i = 0; i < plan->content->count; i++) {
        plan->part[i].row = 0;
        const struct fpgz_part *const part = &plan->content->part[i];
        if (part->place.count && !part->carrier) /* without a place the file is empty or a pipe */
            fpgz_heap_add(&plan->heap, part->place.run->offset, i);
    }
}

bool fpgz_plan_begin(struct fpgz_plan *plan, const struct fpgz_content *content, uint64_t target,
                     uint64_t slab)
{
    plan->content = content;
    plan->part = calloc(content->count + 1, sizeof *plan->part);
    if (!fpgz_heap_begin(&plan->heap, content->count) || !plan->part)
        return false;
    for (size_t i = 0; i < content->count; i++) {
        const struct fpgz_part *part = &content->part[i];
        if (!fpgz_plan_cut(part, target, slab, &plan->part[i].cut))
            return false;
        /* Bytes of filtered pieces are made together in any case, and are few. */
        const bool cut = part->layout == FPGZ_PIECES && !part->filters.count && lies_long(&part->place);
        plan->part[i].gap = part->layout == FPGZ_BYTES ? FPGZ_PLAN_GAP : cut ? 0 : UINT64_MAX;
    }
    rewind_plan(plan);
    const bool scattered = fpgz_plan_scattered(plan);
    for (size_t i = 0; i < content->count && scattered; i++)
        if (content->part[i].layout == FPGZ_BYTES)
            plan->part[i].gap = UINT64_MAX;
    return true;
}

/* Bytes from `at` on, `most` at most, up to a gap of more than `gap` bytes. */
static uint64_t stretch(const struct fpgz_place *place, uint64_t at, uint64_t most, uint64_t gap)
{
    uint64_t bytes = 0, end = fpgz_place_span(place, at, 1).offset;
    while (bytes < most) {
        const struct fpgz_span span = fpgz_place_span(place, at + bytes, most - bytes);
        if (span.offset - end > gap)
            break;
        end = span.offset + span.bytes;
        bytes += span.bytes;
    }
    return bytes;
}

struct fpgz_grid fpgz_plan_rest(enum fpgz_dtype dtype, uint64_t bytes)
{
    return (struct fpgz_grid){dtype, 1, {bytes / fpgz_dtype_size(dtype), 1, 1, 1}};
}

bool fpgz_plan_next(struct fpgz_plan *plan, struct fpgz_planned *chunk)
{
    if (!plan->heap.count)
        return false;
    chunk->part = plan->heap.entry->sequence;
    struct fpgz_plan_part *const p = &plan->part[chunk->part];
    const struct fpgz_part *part = &plan->content->part[chunk->part];
    const struct fpgz_place *place = &part->place;
    uint64_t rows = fpgz_cut_next(&p->cut, p->cut.shape.extent[0] - p->row);
    chunk->at = part_bytes_done(plan, chunk->part);
    if (!rows) { /* a guess of rows may leave values behind the last one */
        chunk->grid = fpgz_plan_rest(part->array.dtype, place->bytes - chunk->at);
        chunk->last = true;
        fpgz_heap_drop(&plan->heap);
        return true;
    }
    if (p->gap < UINT64_MAX) /* gaps are between rows: no piece has any */
        rows = stretch(place, chunk->at, rows * p->cut.row_bytes, p->gap) / p->cut.row_bytes;
    chunk->grid = fpgz_cut_grid(&p->cut, rows);
    p->row += rows;
    const uint64_t next = part_bytes_done(plan, chunk->part);
    chunk->last = next >= place->bytes;
    if (!chunk->last)
        fpgz_heap_next(&plan->heap, fpgz_place_span(place, next, 1).offset);
    else
        fpgz_heap_drop(&plan->heap);
    return true;
}

bool fpgz_plan_scattered(struct fpgz_plan *plan)
{
    struct fpgz_planned chunk;
    uint64_t end = 0;
    bool scattered = false;
    while (!scattered && fpgz_plan_next(plan, &chunk)) {
        const uint64_t bytes = fpgz_grid_bytes(&chunk.grid);
        const struct fpgz_span span =
            fpgz_place_span(&plan->content->part[chunk.part].place, chunk.at, bytes);
        scattered = span.offset != end || span.bytes < bytes || plan->content->part[chunk.part].copies;
        end = span.offset + span.bytes;
    }
    rewind_plan(plan);
    return scattered;
}

bool fpgz_plan_is_lone(struct fpgz_plan *plan)
{
    struct fpgz_planned chunk;
    const struct fpgz_content *const content = plan->content;
    const bool lone = content->count == 1 && content->part->array.extent[0] != FPGZ_UNKNOWN &&
                      fpgz_plan_next(plan, &chunk) && chunk.last;
    rewind_plan(plan);
    return lone;
}

uint64_t fpgz_plan_largest(const struct fpgz_plan *plan, size_t part)
{
    const struct fpgz_cut *cut = &plan->part[part].cut;
    return fpgz_min(cut->shape.extent[0], cut->rows) * cut->row_bytes;
}

void fpgz_plan_free(struct fpgz_plan *plan)
{
    fpgz_heap_free(&plan->heap);
    free(plan->part);
    plan->part = NULL;
}

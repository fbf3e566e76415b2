/* SPDX-License-Identifier: MIT
 * Lists of what a file holds: places of arrays, checks that parts are sound, and the bytes that belong to no
 * array. */
#include "core/content.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/heap.h"

/* The end of the run's last piece. The run must be known to lie in its file. */
static uint64_t run_end(const struct fpgz_run *run)
{
    return run->offset + (run->count - 1) * run->step + run->bytes;
}

/* Whether the run can take this piece as its next. The first two pieces set the run's step. */
static bool run_takes(const struct fpgz_run *run, uint64_t offset, uint64_t bytes, uint64_t number)
{
    return bytes == run->bytes && number == run->number + run->count &&
           (run->count == 1 || offset - run->offset == run->count * run->step);
}

bool fpgz_place_add(struct fpgz_place *place, uint64_t offset, uint64_t bytes, uint64_t number)
{
    struct fpgz_run *last = place->count ? &place->run[place->count - 1] : NULL;
    uint64_t total, end;
    if (!bytes || !fpgz_add(place->bytes, bytes, &total) || !fpgz_add(offset, bytes, &end) ||
        (last && offset < run_end(last)))
        return false;
    if (last && run_takes(last, offset, bytes, number)) {
        if (last->count++ == 1)
            last->step = offset - last->offset;
    } else {
        /* The room doubles when it is used up, which is at powers of two. */
        if (!(place->count & (place->count - 1))) {
            const size_t room = place->count ? 2 * place->count : 1;
            struct fpgz_run *larger = reallocarray(place->run, room, sizeof *larger);
            if (!larger)
                return false;
            place->run = larger;
        }
        place->run[place->count++] = (struct fpgz_run){place->bytes, 1, bytes, offset, bytes, number};
    }
    place->bytes = total;
    return true;
}

const struct fpgz_run *fpgz_place_run(const struct fpgz_place *place, uint64_t at)
{
    size_t first = 0, end = place->count;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (place->run[middle].at <= at)
            first = middle;
        else
            end = middle;
    }
    return &place->run[first];
}

struct fpgz_span fpgz_place_span(const struct fpgz_place *place, uint64_t at, uint64_t most)
{
    const struct fpgz_run *run = fpgz_place_run(place, at), *const end = place->run + place->count;
    const uint64_t piece = (at - run->at) / run->bytes, within = (at - run->at) % run->bytes;
    struct fpgz_span span = {run->offset + piece * run->step + within, run->bytes - within};
    /* The span continues where no gap separates it from the next piece or run. */
    if (run->step == run->bytes || piece + 1 == run->count) {
        span.bytes += (run->count - piece - 1) * run->bytes;
        while (span.bytes < most && ++run < end && run->offset == span.offset + span.bytes) {
            span.bytes += run->step == run->bytes ? run->count * run->bytes : run->bytes;
            if (run->step != run->bytes && run->count > 1)
                break;
        }
    }
    span.bytes = fpgz_min(span.bytes, most);
    return span;
}

bool fpgz_extents_bytes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t *bytes)
{
    *bytes = fpgz_dtype_size(dtype);
    for (unsigned d = 0; d < dims; d++)
        if (!extent[d] || !fpgz_mul(*bytes, extent[d], bytes))
            return false;
    return *bytes <= INT64_MAX;
}

uint64_t fpgz_part_pieces(const struct fpgz_part *part, unsigned d)
{
    return (part->array.extent[d] - 1) / part->piece[d] + 1;
}

/* Whether the run lies in a file of `size` bytes, from byte `from` on. */
static bool run_valid(const struct fpgz_run *run, uint64_t from, uint64_t size)
{
    uint64_t way, end;
    return run->count && run->bytes && run->step >= run->bytes && run->offset >= from &&
           fpgz_mul(run->count - 1, run->step, &way) && fpgz_add(run->offset, way, &end) &&
           fpgz_add(end, run->bytes, &end) && end <= size;
}

/* Whether the runs consist of pieces of `bytes` bytes (0: of any length), lie in a file of `size` bytes,
 * and number their pieces below `pieces`. */
static bool place_valid(const struct fpgz_place *place, uint64_t bytes, uint64_t pieces, uint64_t size)
{
    uint64_t at = 0, from = 0, end;
    for (size_t i = 0; i < place->count; i++) {
        const struct fpgz_run *run = &place->run[i];
        if (run->at != at || !run_valid(run, from, size) || (bytes && run->bytes != bytes) ||
            !fpgz_add(run->number, run->count, &end) || end > pieces)
            return false;
        at += run->count * run->bytes;
        from = run_end(run);
    }
    return place->count && at == place->bytes;
}

bool fpgz_part_valid(const struct fpgz_part *part, uint64_t size)
{
    const struct fpgz_array *array = &part->array;
    uint64_t bytes, pieces = 1;
    if (!fpgz_dtype_known(array->dtype) || array->dims < 1 || array->dims > FPGZ_MAX_DIMS ||
        !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) || size > INT64_MAX)
        return false;
    switch (part->layout) {
    case FPGZ_DENSE:
        return part->place.count == 1 && place_valid(&part->place, bytes, 1, size);
    case FPGZ_PIECES:
        if (!fpgz_extents_bytes(array->dtype, part->piece, array->dims, &bytes))
            return false;
        for (unsigned d = 0; d < array->dims; d++)
            pieces *= fpgz_part_pieces(part, d); /* no more than there are values */
        return place_valid(&part->place, bytes, pieces, size);
    case FPGZ_BYTES:
        return array->dtype == FPGZ_U8 && array->dims == 1 && bytes == part->place.bytes &&
               place_valid(&part->place, 0, UINT64_MAX, size);
    }
    return false;
}

void fpgz_part_free(struct fpgz_part *part)
{
    free(part->name);
    free(part->place.run);
    memset(part, 0, sizeof *part);
}

struct fpgz_part *fpgz_content_add(struct fpgz_content *content)
{
    if (!(content->count & (content->count - 1))) {
        const size_t room = content->count ? 2 * content->count : 1;
        struct fpgz_part *larger = reallocarray(content->part, room, sizeof *larger);
        if (!larger)
            return NULL;
        content->part = larger;
    }
    return memset(&content->part[content->count++], 0, sizeof *content->part);
}

/* Drops the parts that are marked by an empty place. */
static void sweep(struct fpgz_content *content)
{
    size_t kept = 0;
    for (size_t i = 0; i < content->count; i++)
        if (content->part[i].place.bytes)
            content->part[kept++] = content->part[i];
        else
            fpgz_part_free(&content->part[i]);
    content->count = kept;
}

/* Marks a part as one to drop. */
static void mark(struct fpgz_part *part)
{
    part->place.bytes = 0;
}

/* Walks through the file. Marks parts that begin before the previous part ends, and adds the bytes between
 * the others to `gaps`. */
static bool walk(struct fpgz_content *content, struct fpgz_place *gaps)
{
    struct fpgz_heap heap;
    uint64_t *at = calloc(content->count + 1, sizeof *at), end = 0; /* at: in each part's sequence */
    bool ok = fpgz_heap_begin(&heap, content->count) && at;
    for (size_t i = 0; i < content->count && ok; i++)
        fpgz_heap_add(&heap, content->part[i].place.run->offset, i);
    while (ok && heap.count) {
        const size_t i = heap.entry->sequence;
        struct fpgz_place *place = &content->part[i].place;
        const struct fpgz_span span = fpgz_place_span(place, at[i], place->bytes);
        if (span.offset < end) {
            mark(&content->part[i]);
            fpgz_heap_drop(&heap);
            continue;
        }
        ok = span.offset == end || fpgz_place_add(gaps, end, span.offset - end, 0);
        end = span.offset + span.bytes;
        at[i] += span.bytes;
        if (at[i] < place->bytes)
            fpgz_heap_next(&heap, fpgz_place_span(place, at[i], 1).offset);
        else
            fpgz_heap_drop(&heap);
    }
    if (ok && end < content->size)
        ok = fpgz_place_add(gaps, end, content->size - end, 0);
    fpgz_heap_free(&heap);
    free(at);
    return ok;
}

bool fpgz_content_complete(struct fpgz_content *content)
{
    for (size_t i = 0; i < content->count; i++)
        if (content->part[i].layout == FPGZ_BYTES || !fpgz_part_valid(&content->part[i], content->size))
            mark(&content->part[i]);
    sweep(content);
    const size_t valid = content->count;
    struct fpgz_place gaps = {0};
    bool ok = walk(content, &gaps);
    sweep(content);
    if (ok && content->count < valid) { /* the dropped parts had covered gaps */
        free(gaps.run);
        memset(&gaps, 0, sizeof gaps);
        ok = walk(content, &gaps);
    }
    struct fpgz_part *rest = ok && gaps.count ? fpgz_content_add(content) : NULL;
    if (!rest) {
        free(gaps.run);
        return ok && !gaps.count;
    }
    rest->array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {gaps.bytes}};
    rest->layout = FPGZ_BYTES;
    rest->place = gaps;
    rest->name = strdup("");
    return rest->name != NULL;
}

void fpgz_content_free(struct fpgz_content *content)
{
    for (size_t i = 0; i < content->count; i++)
        fpgz_part_free(&content->part[i]);
    free(content->part);
    memset(content, 0, sizeof *content);
}

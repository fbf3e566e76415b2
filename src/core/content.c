/* SPDX-License-Identifier: MIT
 * Lists of what a file holds: places of arrays, and checks that parts are sound. */
#include "core/content.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/room.h"

/* The end of the run's last piece. The run must be known to lie in its file. */
static uint64_t run_end(const struct fpgz_run *run)
{
    return run->offset + (run->count - 1) * run->step + run->bytes;
}

/* Whether the run can take the pieces of `next`. The first two pieces set a run's step. */
static bool run_takes(const struct fpgz_run *run, const struct fpgz_run *next)
{
    const uint64_t way = next->offset - run->offset;
    return next->bytes == run->bytes && next->number == run->number + run->count &&
           (run->count == 1 || way == run->count * run->step) &&
           (next->count == 1 || next->step == (run->count == 1 ? way : run->step));
}

/* Whether the run lies in a file of `size` bytes, from byte `from` on. */
static bool run_valid(const struct fpgz_run *run, uint64_t from, uint64_t size)
{
    uint64_t way, end;
    return run->count && run->bytes && run->step >= run->bytes && run->offset >= from &&
           fpgz_mul(run->count - 1, run->step, &way) && fpgz_add(run->offset, way, &end) &&
           fpgz_add(end, run->bytes, &end) && end <= size;
}

bool fpgz_place_add(struct fpgz_place *place, uint64_t offset, uint64_t bytes, uint64_t number)
{
    return fpgz_place_add_run(place, &(struct fpgz_run){0, 1, bytes, offset, bytes, number});
}

bool fpgz_place_add_run(struct fpgz_place *place, const struct fpgz_run *run)
{
    struct fpgz_run *last = place->count ? &place->run[place->count - 1] : NULL;
    uint64_t total;
    if (!run_valid(run, last ? run_end(last) : 0, UINT64_MAX) || !fpgz_mul(run->count, run->bytes, &total) ||
        !fpgz_add(place->bytes, total, &total))
        return false;
    if (last && run_takes(last, run)) {
        if (last->count == 1)
            last->step = run->offset - last->offset;
        last->count += run->count;
    } else {
        struct fpgz_run *const larger = fpgz_room(place->run, place->count, sizeof *larger);
        if (!larger)
            return false;
        place->run = larger;
        place->run[place->count] = *run;
        place->run[place->count++].at = place->bytes;
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

uint64_t fpgz_place_end(const struct fpgz_place *place)
{
    return run_end(&place->run[place->count - 1]);
}

uint64_t fpgz_place_spans(const struct fpgz_place *place)
{
    uint64_t spans = 0;
    for (size_t i = 0; i < place->count; i++) {
        const struct fpgz_run *run = &place->run[i];
        spans += !i || run_end(run - 1) < run->offset;
        spans += run->step > run->bytes ? run->count - 1 : 0;
    }
    return spans;
}

bool fpgz_extents_bytes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t *bytes)
{
    *bytes = fpgz_dtype_size(dtype);
    for (unsigned d = 0; d < dims; d++)
        if (!extent[d] || !fpgz_mul(*bytes, extent[d], bytes))
            return false;
    return *bytes <= INT64_MAX;
}

bool fpgz_array_row(const struct fpgz_array *array, uint64_t *values)
{
    *values = 1;
    for (unsigned d = 1; d < array->dims; d++)
        if (!fpgz_mul(*values, array->extent[d], values))
            return false;
    return true;
}

uint64_t fpgz_part_pieces(const struct fpgz_part *part, unsigned d)
{
    return (part->array.extent[d] - 1) / part->piece[d] + 1;
}

bool fpgz_part_has_all(const struct fpgz_part *part)
{
    const struct fpgz_place *place = &part->place;
    uint64_t number = 0, pieces = 1;
    for (unsigned d = 0; d < part->array.dims; d++)
        pieces *= fpgz_part_pieces(part, d);
    for (size_t i = 0; i < place->count; number += place->run[i++].count)
        if (place->run[i].number != number)
            return false;
    return number == pieces;
}

bool fpgz_part_in_order(const struct fpgz_part *part)
{
    bool whole = false; /* behind an axis along which pieces have several indexes, they must have all */
    if (part->layout != FPGZ_PIECES)
        return part->layout == FPGZ_DENSE;
    for (unsigned d = 0; d < part->array.dims; d++) {
        const uint64_t extent = part->array.extent[d], piece = part->piece[d];
        if ((whole && piece < extent) || extent % piece)
            return false;
        whole = whole || piece > 1;
    }
    return fpgz_part_has_all(part);
}

uint64_t fpgz_part_piece_bytes(const struct fpgz_part *part)
{
    return part->place.run->bytes;
}

uint64_t fpgz_part_stored(const struct fpgz_part *part, uint64_t at, uint64_t bytes)
{
    const uint64_t piece = fpgz_part_piece_bytes(part);
    uint64_t stored = 0;
    for (uint64_t i = at / piece; i < (at + bytes) / piece; i++)
        stored += part->stored[i].length;
    return stored;
}

/* Whether the file can hold the pieces, of `bytes` bytes each, so. */
static bool stored_valid(const struct fpgz_part *part, uint64_t bytes)
{
    const uint64_t most = bytes <= UINT32_MAX / 2 ? fpgz_refilter_bound(&part->filters, bytes) : 0;
    bool valid = fpgz_filters_valid(&part->filters) && part->stored;
    for (uint64_t i = 0; i < part->place.bytes / bytes && valid; i++) {
        const struct fpgz_stored *stored = &part->stored[i];
        valid = stored->length > 0 && stored->length <= most &&
                fpgz_refiltering_valid(&part->filters, &stored->how);
    }
    return valid;
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
    if (part->turned && !fpgz_part_turns(part))
        return false;
    switch (part->layout) {
    case FPGZ_DENSE:
        return part->place.count == 1 && place_valid(&part->place, bytes, 1, size);
    case FPGZ_PIECES:
        if (!fpgz_extents_bytes(array->dtype, part->piece, array->dims, &bytes))
            return false;
        for (unsigned d = 0; d < array->dims; d++)
            pieces *= fpgz_part_pieces(part, d); /* no more than there are values */
        return place_valid(&part->place, bytes, pieces, size) &&
               (!part->filters.count || stored_valid(part, bytes)) &&
               (!part->banded || (fpgz_part_has_all(part) && !part->kepts));
    case FPGZ_GROUP:
        return bytes == part->place.bytes && place_valid(&part->place, 0, UINT64_MAX, size);
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
    free(part->stored);
    free(part->filters.front);
    free(part->kept);
    for (size_t i = 0; i < part->fields; i++)
        free(part->field[i].name);
    free(part->field);
    memset(part, 0, sizeof *part);
}

uint64_t fpgz_part_row(const struct fpgz_part *part)
{
    uint64_t values = 1;
    for (unsigned d = 0; d < part->axes; d++)
        values *= part->axis[d];
    for (unsigned d = 1; d < part->array.dims && !part->axes; d++)
        values *= part->array.extent[d];
    return values;
}

uint64_t fpgz_part_rows(const struct fpgz_part *part)
{
    return part->axes ? part->place.bytes / fpgz_dtype_size(part->array.dtype) / fpgz_part_row(part)
                      : part->array.extent[0];
}

bool fpgz_part_turns(const struct fpgz_part *part)
{
    bool rows = fpgz_part_row(part) > 1 && fpgz_part_rows(part) > 1 && !part->column_major && !part->carrier;
    if (part->layout != FPGZ_PIECES)
        return rows && part->layout == FPGZ_DENSE;
    for (unsigned d = 0; d < part->array.dims && !part->axes; d++)
        rows = rows && part->piece[d] == (d ? part->array.extent[d] : 1);
    return rows && !part->filters.count && !part->fields &&
           (part->axes ? fpgz_part_has_all(part) : fpgz_part_in_order(part));
}

struct fpgz_part *fpgz_content_add(struct fpgz_content *content)
{
    struct fpgz_part *const larger = fpgz_room(content->part, content->count, sizeof *larger);
    if (!larger)
        return NULL;
    content->part = larger;
    return memset(&content->part[content->count++], 0, sizeof *content->part);
}

void fpgz_part_make_copy(struct fpgz_part *part, uint32_t of, struct fpgz_part *copy, uint32_t number)
{
    copy->carrier = of + 1;
    copy->copy = part->copy;
    part->copy = number + 1;
    part->copies++;
}

void fpgz_content_clear(struct fpgz_content *content)
{
    const struct fpgz_content empty = {.kind = content->kind, .size = content->size};
    fpgz_content_free(content);
    *content = empty;
}

uint64_t fpgz_content_bytes(const struct fpgz_content *content)
{
    return fpgz_image_place(&content->image, content->size);
}

struct fpgz_filtered *fpgz_content_add_filtered(struct fpgz_content *content)
{
    struct fpgz_filtered *const larger = fpgz_room(content->filtered, content->filtereds, sizeof *larger);
    if (!larger)
        return NULL;
    content->filtered = larger;
    return memset(&content->filtered[content->filtereds++], 0, sizeof *content->filtered);
}

void fpgz_filtered_free(struct fpgz_content *content)
{
    for (size_t i = 0; i < content->filtereds; i++) {
        fpgz_part_free(&content->filtered[i].part);
        free(content->filtered[i].piece);
    }
    free(content->filtered);
    content->filtered = NULL;
    content->filtereds = 0;
}

void fpgz_content_free(struct fpgz_content *content)
{
    for (size_t i = 0; i < content->count; i++)
        fpgz_part_free(&content->part[i]);
    fpgz_filtered_free(content);
    fpgz_image_free(&content->image);
    fpgz_buffer_free(&content->unfiltered);
    free(content->part);
    memset(content, 0, sizeof *content);
}

/* SPDX-License-Identifier: MIT
 * Describes what a damaged container lost, by index in its array, and fills it in the output. */
#include "archive/loss.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/pieces.h"
#include "core/bytes.h"
#include "core/text.h"
#include "core/walk.h"

enum {
    FILL_BYTES = 1 << 20,
    TUPLE_TEXT = 22 * FPGZ_MAX_DIMS + 3,
    MOST_LINES = 1000,  /* warnings for one container */
    SMALL_PIECE = 4096, /* bytes; smaller pieces are not reported one by one */
};

void fpgz_loss_tell(struct fpgz_loss *loss, const char *format, ...)
{
    char text[400];
    va_list args;
    if (loss->lines++ >= MOST_LINES) {
        loss->more_parts++;
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fpgz_warn(loss->listener, FPGZ_WARNING_LOST, loss->name, "%s", text);
}

/* Counts a warning about bytes `offset` to before `end` of the output. False when there were too many. */
static bool has_line(struct fpgz_loss *loss, uint64_t offset, uint64_t end)
{
    if (loss->lines++ < MOST_LINES)
        return true;
    loss->more_first = loss->more ? fpgz_min(loss->more_first, offset) : offset;
    loss->more_end = end > loss->more_end ? end : loss->more_end;
    loss->more++;
    return false;
}

/* The member's file in the output. */
static struct fpgz_area area_of(const struct fpgz_loss *loss)
{
    return (struct fpgz_area){-1, loss->base, loss->landing->image};
}

/* Reports lost bytes of the output that belong to no array, or to an array of bytes. */
static void tell_bytes(struct fpgz_loss *loss, uint64_t offset, uint64_t end)
{
    if (has_line(loss, offset, end))
        fpgz_warn(loss->listener, FPGZ_WARNING_LOST, loss->name,
                  "lost: bytes %" PRIu64 " to %" PRIu64 " of what is restored", offset, end - 1);
}

/* The index in its array of value `at` of a part's sequence. Pieces may reach beyond the array's edge;
 * such values get the index of the edge. */
static void index_of(const struct fpgz_part *part, uint64_t at, uint64_t index[FPGZ_MAX_DIMS])
{
    const struct fpgz_array *array = &part->array;
    const bool pieces = part->layout == FPGZ_PIECES;
    uint64_t number = 0, within = at;
    if (pieces) {
        const size_t size = fpgz_dtype_size(array->dtype);
        const struct fpgz_run *run = fpgz_place_run(&part->place, at * size);
        number = run->number + (at * size - run->at) / run->bytes;
        within = (at * size - run->at) % run->bytes / size;
    }
    for (unsigned d = array->dims; d-- > 0;) {
        const uint64_t extent = pieces ? part->piece[d] : array->extent[d];
        index[d] = d ? within % extent : within;
        within /= extent;
        if (pieces) {
            const uint64_t count = fpgz_part_pieces(part, d);
            index[d] = fpgz_min(number % count * extent + index[d], array->extent[d] - 1);
            number /= count;
        }
    }
}

/* The index as text, "(3, 0, 17)", in the order in which users give indexes. */
static const char *tuple(const struct fpgz_part *part, uint64_t at, char text[TUPLE_TEXT])
{
    uint64_t index[FPGZ_MAX_DIMS];
    const unsigned dims = part->array.dims;
    size_t used = 0;
    index_of(part, at, index);
    for (unsigned d = 0; d < dims; d++)
        used += (size_t)snprintf(text + used, TUPLE_TEXT - used, "%s%" PRIu64, d ? ", " : "(",
                                 index[part->column_major ? dims - 1 - d : d]);
    snprintf(text + used, TUPLE_TEXT - used, ")");
    return text;
}

/* Reports lost values, which stand in bytes `offset` to before `end` of the output or, where they are
 * `strewn`, among these. */
static void tell(struct fpgz_loss *loss, uint64_t first, uint64_t last, uint64_t offset, uint64_t end,
                 bool strewn)
{
    const struct fpgz_part *part = loss->part;
    char from[TUPLE_TEXT], to[TUPLE_TEXT], array[FPGZ_NAME_SHOWN + 5] = "";
    if (*part->name)
        snprintf(array, sizeof array, " of %.*s", fpgz_text_fit(part->name, FPGZ_NAME_SHOWN), part->name);
    if (!fpgz_part_is_array(part))
        tell_bytes(loss, offset, end);
    else if (has_line(loss, offset, end))
        fpgz_warn(loss->listener, FPGZ_WARNING_LOST, loss->name,
                  "lost: values %s to %s%s, %sbytes %" PRIu64 " to %" PRIu64 " of what is restored",
                  tuple(part, first, from), tuple(part, last, to), array, strewn ? "among " : "", offset,
                  end - 1);
}

void fpgz_loss_flush(struct fpgz_loss *loss)
{
    const struct fpgz_part *part = loss->part;
    if (!part)
        return;
    const size_t size = fpgz_dtype_size(part->array.dtype);
    const uint64_t end = loss->end * size;
    const struct fpgz_area area = area_of(loss);
    for (uint64_t at = loss->first * size; at < end;) {
        const struct fpgz_run *run = fpgz_place_run(&part->place, at);
        const struct fpgz_span span = fpgz_place_span(&part->place, at, end - at);
        uint64_t bytes = span.bytes;
        if (loss->lines >= MOST_LINES || part->banded) /* the remaining rows, and all between */
            bytes = end - at;
        else if (run->step > run->bytes && run->bytes < SMALL_PIECE) /* the field of many records */
            bytes = fpgz_min(end, run->at + run->count * run->bytes) - at;
        tell(loss, at / size, (at + bytes - 1) / size, fpgz_area_offset(&area, span.offset),
             fpgz_pieces_end(&area, part, at + bytes), bytes > span.bytes);
        at += bytes;
    }
    loss->part = NULL;
}

/* Writes NaN for the values, which are floating-point numbers. */
static enum fpgz_status fill(struct fpgz_loss *loss, const struct fpgz_part *part, uint64_t first,
                             uint64_t end, struct fpgz_error *error)
{
    const size_t size = fpgz_dtype_size(part->array.dtype), room = FILL_BYTES / size;
    const struct fpgz_grid grid = {part->array.dtype, 1, {room, 1, 1, 1}};
    if (!fpgz_buffer_reserve(&loss->fill, FILL_BYTES))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const struct fpgz_dtype_row *const dtype = &fpgz_dtypes[part->array.dtype];
    uint8_t nan[8]; /* a quiet one: all bits of the exponent, and the first of the mantissa */
    fpgz_store64(nan, ((UINT64_C(2) << dtype->exponent) - 1) << (dtype->mantissa - 1));
    for (size_t i = 0; i < room; i++)
        memcpy(loss->fill.data + i * size, nan, size);
    if (part->array.order == FPGZ_BIG)
        fpgz_grid_swap(&grid, loss->fill.data);
    for (uint64_t at = first; at < end && !error->status; at += room)
        fpgz_landing_write(loss->landing, part, at * size, loss->fill.data, fpgz_min(room, end - at) * size,
                           error);
    return error->status;
}

enum fpgz_status fpgz_loss_add(struct fpgz_loss *loss, const struct fpgz_part *part, uint64_t first,
                               uint64_t end, struct fpgz_error *error)
{
    const uint64_t size = fpgz_dtype_size(part->array.dtype), bytes = (end - first) * size;
    loss->bytes += part->filters.count ? fpgz_part_stored(part, first * size, bytes) : bytes;
    if (loss->part != part || loss->end != first) {
        fpgz_loss_flush(loss);
        loss->first = first;
    }
    loss->part = part;
    loss->end = end;
    /* What filters would make of them has another length. */
    const bool floats = fpgz_dtypes[part->array.dtype].kind == 'f' && !part->filters.count;
    return loss->not_a_number && floats ? fill(loss, part, first, end, error) : FPGZ_OK;
}

/* Bytes that the place of the part is of: those of a group's members are the group's. */
static uint64_t bytes_in_file(const struct fpgz_part *part)
{
    return part->grouped ? 0 : part->place.bytes;
}

enum fpgz_status fpgz_loss_of_gaps(struct fpgz_loss *loss, const struct fpgz_member *member,
                                   struct fpgz_error *error)
{
    uint64_t known = 0, end = 0;
    for (size_t i = 0; i < member->arrays; i++)
        known += bytes_in_file(&member->array[i].part);
    if (known >= member->file.image || member->file.kind == FPGZ_KIND_RAW)
        return FPGZ_OK;
    struct fpgz_walk walk;
    struct fpgz_span span;
    const struct fpgz_area area = area_of(loss);
    bool more = fpgz_walk_begin(&walk, member->arrays);
    if (!more)
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (size_t i = 0; i < member->arrays && more; i++)
        if (bytes_in_file(&member->array[i].part))
            fpgz_walk_add(&walk, i, &member->array[i].part.place);
    for (size_t i; more; end = span.offset + span.bytes > end ? span.offset + span.bytes : end) {
        more = fpgz_walk_next(&walk, &i, &span);
        if (!more)
            span = (struct fpgz_span){member->file.image, 0};
        if (span.offset > end) {
            loss->bytes += span.offset - end;
            tell_bytes(loss, fpgz_area_offset(&area, end), fpgz_area_offset(&area, span.offset));
        }
    }
    fpgz_walk_free(&walk);
    return error->status;
}

void fpgz_loss_end(struct fpgz_loss *loss)
{
    if (loss->more)
        fpgz_warn(loss->listener, FPGZ_WARNING_LOST, loss->name,
                  "lost: %" PRIu64 " more ranges, all in bytes %" PRIu64 " to %" PRIu64
                  " of what is restored",
                  loss->more, loss->more_first, loss->more_end - 1);
    if (loss->more_parts)
        fpgz_warn(loss->listener, FPGZ_WARNING_LOST, loss->name,
                  "lost: %" PRIu64 " more parts, whose place in what is restored is not known",
                  loss->more_parts);
}

void fpgz_loss_free(struct fpgz_loss *loss)
{
    fpgz_buffer_free(&loss->fill);
}

/* SPDX-License-Identifier: MIT
 * Writes and reads the table of arrays: each as its difference to those before. */
#include "container/table.h"

#include <inttypes.h>
#include <string.h>

#include "container/filters.h"
#include "container/runs.h"
#include "core/bytes.h"

/* Bytes at the beginning that both names have. */
static size_t shared(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

static void write_name(const char *name, const char *before, struct fpgz_numbers *numbers)
{
    const size_t same = shared(name, before), more = strlen(name) - same;
    fpgz_numbers_add(numbers, same);
    fpgz_numbers_add(numbers, more);
    fpgz_numbers_add_bytes(numbers, name + same, more);
}

static void write_extents(const uint64_t *extent, unsigned dims, uint64_t *before,
                          struct fpgz_numbers *numbers)
{
    for (unsigned d = 0; d < dims; d++)
        fpgz_numbers_add_change(numbers, &before[d], extent[d]);
}

static void write_runs(const struct fpgz_part *part, struct fpgz_table_before *before,
                       struct fpgz_numbers *numbers)
{
    if (part->layout == FPGZ_PIECES) {
        write_extents(part->piece, part->array.dims, before->piece, numbers);
        fpgz_numbers_add_bytes(numbers, part->fill, sizeof part->fill);
    }
    fpgz_numbers_add(numbers, part->place.count);
    fpgz_runs_add(part, numbers);
}

/* Where the array is. A copy is filtered as its source is. */
static void write_place(const struct fpgz_part *part, struct fpgz_table_before *before,
                        struct fpgz_numbers *numbers)
{
    if (part->layout == FPGZ_DENSE) {
        fpgz_numbers_add_change(numbers, &before->end, part->place.count ? part->place.run->offset : 0);
        before->end += part->place.bytes;
        return;
    }
    write_runs(part, before, numbers);
    if (part->filters.count && !part->carrier)
        fpgz_filters_add(part, numbers);
    if (part->layout == FPGZ_GROUP)
        fpgz_numbers_add(numbers, part->members);
}

/* A member of a group, which may be in pieces if the group is `pieced`. */
static void write_member(const struct fpgz_part *part, bool pieced, struct fpgz_table_before *before,
                         struct fpgz_numbers *numbers)
{
    if (pieced)
        fpgz_numbers_add(numbers, part->layout);
    fpgz_numbers_add(numbers, part->array.dims);
    write_extents(part->array.extent, part->array.dims, before->extent, numbers);
    if (part->layout == FPGZ_PIECES)
        write_runs(part, before, numbers);
    write_name(part->name, part[-1].name, numbers);
}

void fpgz_table_write(const struct fpgz_part *part, size_t count, const uint64_t *largest,
                      struct fpgz_numbers *numbers)
{
    struct fpgz_table_before before = {.end = 0};
    bool pieced = false; /* the last group */
    for (size_t i = 0; i < count; i++, part++) {
        const struct fpgz_array *const array = &part->array;
        const bool copy = fpgz_part_is_copy(part);
        if (part->grouped) {
            write_member(part, pieced, &before, numbers);
            continue;
        }
        pieced = part->pieced;
        fpgz_numbers_add(numbers, array->dtype);
        fpgz_numbers_add(numbers, 2 * (copy ? FPGZ_LAYOUT_COPY : fpgz_layout_id(part)) + array->order);
        if (copy) {
            fpgz_numbers_add(numbers, i + 1 - part->carrier);
            fpgz_numbers_add(numbers, fpgz_layout_id(part));
        }
        fpgz_numbers_add(numbers, array->dims);
        write_extents(array->extent, array->dims, before.extent, numbers);
        if (!copy)
            fpgz_numbers_add_change(numbers, &before.largest_chunk, largest[i]);
        if (!copy && part->turned && part->axes)
            fpgz_numbers_add(numbers, fpgz_part_row(part));
        write_place(part, &before, numbers);
        write_name(part->name, i ? part[-1].name : "", numbers);
    }
}

static bool read_name(struct fpgz_table *table)
{
    const uint64_t same = fpgz_number_take(&table->view), more = fpgz_number_take(&table->view);
    const uint8_t *const bytes = fpgz_number_take_bytes(&table->view, more);
    if (!bytes || same > table->name_length || more > FPGZ_MAX_NAME_BYTES - same || memchr(bytes, '\0', more))
        return false;
    memcpy(table->name + same, bytes, more);
    table->name_length = same + more;
    return true;
}

static void read_extents(struct fpgz_table *table, unsigned dims, uint64_t *before, uint64_t *extent)
{
    for (unsigned d = 0; d < dims; d++)
        extent[d] = fpgz_number_take_change(&table->view, &before[d]);
}

static enum fpgz_status read_runs(struct fpgz_table *table, struct fpgz_part *part, struct fpgz_error *error)
{
    if (part->layout == FPGZ_PIECES) {
        read_extents(table, part->array.dims, table->before.piece, part->piece);
        const uint8_t *const fill = fpgz_number_take_bytes(&table->view, sizeof part->fill);
        if (fill)
            memcpy(part->fill, fill, sizeof part->fill);
    }
    const uint64_t runs = fpgz_number_take(&table->view);
    return table->view.bad ? FPGZ_OK : fpgz_runs_take(&table->view, runs, part, error);
}

/* Where the array is. */
static enum fpgz_status read_place(struct fpgz_table *table, struct fpgz_array_head *head,
                                   struct fpgz_error *error)
{
    struct fpgz_part *const part = &head->part;
    uint64_t bytes;
    if (part->layout == FPGZ_DENSE) {
        head->file_offset = fpgz_number_take_change(&table->view, &table->before.end);
        if (fpgz_extents_bytes(part->array.dtype, part->array.extent, part->array.dims, &bytes))
            table->before.end += bytes;
        return FPGZ_OK;
    }
    if (read_runs(table, part, error) || table->view.bad ||
        (part->filters.count && !head->source && fpgz_filters_take(&table->view, part, error)))
        return error->status;
    for (size_t i = 0; i < part->place.count; i++)
        head->pieces += part->place.run[i].count; /* the places were added up before: no more than 2^64 */
    if (part->layout == FPGZ_GROUP) {
        const uint64_t members = fpgz_number_take(&table->view);
        table->view.bad |= members > UINT32_MAX;
        part->members = (uint32_t)members;
        table->members = part->members;
        table->first = 0;
        table->group =
            (struct fpgz_part){.array = part->array, .carrier = head->number + 1, .pieced = part->pieced};
    }
    head->file_offset = part->place.count ? part->place.run->offset : 0;
    return FPGZ_OK;
}

/* The next member of the last group: of the group's dtype, and dense unless members may be in pieces. */
static enum fpgz_status read_member(struct fpgz_table *table, struct fpgz_array_head *head,
                                    struct fpgz_error *error)
{
    struct fpgz_part *const part = &head->part;
    struct fpgz_array *const array = &part->array;
    const uint64_t layout = table->group.pieced ? fpgz_number_take(&table->view) : FPGZ_DENSE;
    const uint64_t dims = fpgz_number_take(&table->view);
    uint64_t bytes, room;
    table->view.bad |= layout > FPGZ_PIECES || dims < 1 || dims > FPGZ_MAX_DIMS;
    if (table->view.bad)
        return FPGZ_OK;
    table->members--;
    part->layout = (enum fpgz_layout)layout;
    part->carrier = table->group.carrier;
    part->grouped = true;
    part->first = table->first;
    *array = table->group.array;
    array->dims = (unsigned)dims;
    memset(array->extent, 0, sizeof array->extent);
    read_extents(table, array->dims, table->before.extent, array->extent);
    table->view.bad |= !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes);
    if (layout == FPGZ_PIECES) {
        if (read_runs(table, part, error))
            return error->status;
        bytes = part->place.bytes;
    }
    table->view.bad |=
        !fpgz_add(table->first, bytes / fpgz_dtype_size(array->dtype), &table->first) ||
        !fpgz_extents_bytes(array->dtype, table->group.array.extent, table->group.array.dims, &room) ||
        table->first > room / fpgz_dtype_size(array->dtype);
    return FPGZ_OK;
}

/* The source of a copy, and what layout the copy has itself. */
static void read_copy(struct fpgz_table *table, struct fpgz_array_head *head, uint64_t *layout)
{
    const uint64_t back = fpgz_number_take(&table->view);
    *layout = fpgz_number_take(&table->view);
    table->view.bad |= !back || back > head->number || !fpgz_layout_copied(*layout);
    if (!table->view.bad)
        head->source = head->number - (uint32_t)back + 1;
}

/* Reads the next array that is no member: all but its name. */
static enum fpgz_status read_array(struct fpgz_table *table, struct fpgz_array_head *head,
                                   struct fpgz_error *error)
{
    struct fpgz_number_view *const view = &table->view;
    struct fpgz_array *const array = &head->part.array;
    const uint64_t dtype = fpgz_number_take(view), form = fpgz_number_take(view);
    uint64_t layout = form / 2;
    if (layout == FPGZ_LAYOUT_COPY)
        read_copy(table, head, &layout);
    const uint64_t dims = fpgz_number_take(view);
    view->bad |= dims < 1 || dims > FPGZ_MAX_DIMS;
    if (view->bad || !fpgz_layout_set(&head->part, dtype, layout, form % 2, true, error))
        return error->status;
    array->dims = (unsigned)dims;
    read_extents(table, array->dims, table->before.extent, array->extent);
    if (!head->source)
        head->largest_chunk = fpgz_number_take_change(view, &table->before.largest_chunk);
    if (head->part.axes)
        head->part.axis[0] = fpgz_number_take(view);
    return read_place(table, head, error);
}

enum fpgz_status fpgz_table_next(struct fpgz_table *table, struct fpgz_array_head *head,
                                 struct fpgz_error *error)
{
    struct fpgz_number_view *const view = &table->view;
    *head = (struct fpgz_array_head){.number = table->read++};
    if ((table->members ? read_member : read_array)(table, head, error))
        return error->status;
    if (view->bad || !read_name(table))
        return fpgz_fail(error, FPGZ_CORRUPT, "the table of arrays ends within array %" PRIu32, head->number);
    head->name = table->name;
    head->name_length = table->name_length;
    table->names_bytes += table->name_length;
    return table->names_bytes <= FPGZ_MAX_TABLE_BYTES
               ? FPGZ_OK
               : fpgz_fail(error, FPGZ_LIMIT, "the names of its arrays exceed the limit of %d bytes",
                           FPGZ_MAX_TABLE_BYTES);
}

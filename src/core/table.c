/* SPDX-License-Identifier: MIT
 * Tables of records: checks that fields fill a record, and makes a part of each. */
#include "core/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/room.h"

static uint64_t record_bytes(const struct fpgz_part *table)
{
    return table->array.extent[table->array.dims - 1];
}

static uint64_t field_bytes(const struct fpgz_field *field)
{
    uint64_t bytes = 0;
    return fpgz_extents_bytes(field->array.dtype, field->array.extent, field->array.dims, &bytes) ? bytes : 0;
}

bool fpgz_table_add(struct fpgz_part *table, const char *name, const struct fpgz_array *array,
                    uint64_t offset)
{
    struct fpgz_field *const larger = fpgz_room(table->field, table->fields, sizeof *larger);
    if (!larger)
        return false;
    table->field = larger;
    char *const copy = strdup(name);
    if (copy)
        table->field[table->fields++] = (struct fpgz_field){copy, *array, offset};
    return copy != NULL;
}

static int by_offset(const void *a, const void *b)
{
    const struct fpgz_field *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Adds what lies between two fields, or behind the last one. */
static bool add_padding(struct fpgz_part *table, uint64_t from, uint64_t to)
{
    const struct fpgz_array array = {FPGZ_U8, FPGZ_LITTLE, 1, {to - from}};
    char name[40];
    snprintf(name, sizeof name, "(padding %" PRIu64 ")", from);
    return fpgz_table_add(table, name, &array, from);
}

enum fpgz_status fpgz_table_complete(struct fpgz_part *table)
{
    const uint64_t record = record_bytes(table);
    uint64_t end = 0;
    const size_t fields = table->fields;
    if (fields)
        qsort(table->field, fields, sizeof *table->field, by_offset);
    for (size_t i = 0; i <= fields; i++) {
        const uint64_t offset = i < fields ? table->field[i].offset : record;
        const uint64_t bytes = i < fields ? field_bytes(&table->field[i]) : 0;
        if (offset < end || offset > record || bytes > record - offset || (i < fields && !bytes))
            return FPGZ_CORRUPT;
        if (offset > end && !add_padding(table, end, offset))
            return FPGZ_MEMORY;
        end = offset + bytes;
    }
    qsort(table->field, table->fields, sizeof *table->field, by_offset);
    return FPGZ_OK;
}

/* The shape of a field's array: the table's, then that of a record. Axes that are too many become one. */
static void set_shape(const struct fpgz_part *table, const struct fpgz_field *field, struct fpgz_part *part)
{
    const unsigned outer = table->array.dims - 1;
    struct fpgz_array inner = field->array;
    if (inner.dims > FPGZ_MAX_DIMS - outer) {
        inner.dims = 1;
        inner.extent[0] = field_bytes(field) / fpgz_dtype_size(inner.dtype);
    }
    part->array = (struct fpgz_array){inner.dtype, inner.order, outer + inner.dims, {0}};
    for (unsigned d = 0; d < part->array.dims; d++) {
        part->array.extent[d] = d < outer ? table->array.extent[d] : inner.extent[d - outer];
        part->piece[d] = d < outer ? 1 : inner.extent[d - outer];
    }
}

bool fpgz_table_field(const struct fpgz_part *table, size_t number, struct fpgz_part *part)
{
    const struct fpgz_field *field = &table->field[number];
    const uint64_t record = record_bytes(table), bytes = field_bytes(field);
    *part = (struct fpgz_part){.layout = FPGZ_PIECES};
    set_shape(table, field, part);
    const bool named = *table->name;
    bool ok = asprintf(&part->name, "%s%s%s", table->name, named ? "." : "", field->name) >= 0;
    for (size_t i = 0; i < table->place.count && ok; i++) {
        const struct fpgz_run *run = &table->place.run[i];
        const struct fpgz_run own = {.count = run->count * (run->bytes / record),
                                     .bytes = bytes,
                                     .offset = run->offset + field->offset,
                                     .step = record,
                                     .number = run->number};
        ok = fpgz_place_add_run(&part->place, &own);
    }
    if (!ok)
        fpgz_part_free(part);
    return ok;
}

bool fpgz_content_split(struct fpgz_content *content)
{
    struct fpgz_content split = *content;
    split.part = NULL;
    split.count = 0;
    bool ok = true;
    for (size_t i = 0; i < content->count && ok; i++) {
        struct fpgz_part *const from = &content->part[i], *to;
        for (size_t field = 0; field < from->fields && ok; field++) {
            to = fpgz_content_add(&split);
            ok = to && fpgz_table_field(from, field, to);
        }
        if (from->fields || !ok)
            continue;
        to = fpgz_content_add(&split);
        ok = to != NULL;
        if (ok) {
            *to = *from;
            *from = (struct fpgz_part){.name = NULL};
        }
    }
    content->image = (struct fpgz_image){0};
    content->unfiltered = (struct fpgz_buffer){0};
    content->filtered = NULL;
    content->filtereds = 0;
    fpgz_content_free(content);
    *content = split;
    return ok;
}

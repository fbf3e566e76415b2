/* SPDX-License-Identifier: MIT
 * The array of NumPy data: what its header tells, and where its values are. */
#include "source/npy_array.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/table.h"
#include "source/npy_header.h"

enum { MAGIC_BYTES = 8, HEADER_LIMIT = 1 << 16 }; /* NumPy reads no longer headers by default */

static bool begins(const char *magic)
{
    return !memcmp(magic, "\x93NUMPY", 6) && magic[6] >= 1 && magic[6] <= 3;
}

bool fpgz_npy_begins(int fd, uint64_t offset)
{
    char magic[MAGIC_BYTES];
    size_t got;
    return fpgz_read_at(fd, magic, sizeof magic, offset, &got) && got == sizeof magic && begins(magic);
}

/* Reads the header at the beginning of `got` bytes, behind which is one more. *end receives its length. */
static bool read_header(char *text, size_t got, struct fpgz_npy_header *header, size_t *end)
{
    const bool wide = got > MAGIC_BYTES && text[6] > 1; /* version 2 and 3 */
    const size_t prefix = MAGIC_BYTES + (wide ? 4 : 2);
    const size_t length = got < prefix ? SIZE_MAX
                          : wide       ? fpgz_load32(text + MAGIC_BYTES)
                                       : fpgz_load16(text + MAGIC_BYTES);
    text[got] = '\0';
    if (got < prefix || length > got - prefix)
        return false;
    text[prefix + length] = '\0';
    *end = prefix + length;
    return fpgz_npy_read_header(text + prefix, header);
}

/* The table for an array of records. False where that is in column-major order, which pieces cannot be. */
static bool make_table(struct fpgz_npy_header *header, struct fpgz_part *part)
{
    struct fpgz_array *array = &part->array;
    if ((header->column_major && header->dims > 1) || header->dims == FPGZ_MAX_DIMS)
        return false;
    array->dtype = FPGZ_U8;
    array->dims = header->dims;
    memcpy(array->extent, header->extent, sizeof header->extent);
    if (!array->dims)
        array->extent[array->dims++] = 1;
    array->extent[array->dims++] = header->record;
    part->field = header->table.field;
    part->fields = header->table.fields;
    header->table = (struct fpgz_part){.fields = 0};
    return !fpgz_table_complete(part);
}

/* The part for an array of numbers. False where that cannot be one. */
static bool make_array(const struct fpgz_npy_header *header, struct fpgz_part *part)
{
    struct fpgz_array *array = &part->array;
    const unsigned inner = header->value.dims;
    part->column_major = header->column_major && header->dims > 1;
    /* Real and imaginary part become a last axis, which column-major order cannot express. */
    if (!header->value.dtype || (inner && (part->column_major || header->dims + inner > FPGZ_MAX_DIMS)))
        return false;
    array->dtype = header->value.dtype;
    array->order = header->value.order;
    for (unsigned d = 0; d < header->dims; d++)
        array->extent[array->dims++] = header->extent[part->column_major ? header->dims - 1 - d : d];
    for (unsigned d = 0; d < inner; d++)
        array->extent[array->dims++] = header->value.extent[d];
    if (!array->dims)
        array->extent[array->dims++] = 1;
    return true;
}

/* The part for an array of `header` whose values begin at `offset`. False where these are no numbers. */
static bool make_part(struct fpgz_npy_header *header, const char *name, uint64_t offset,
                      struct fpgz_part *part)
{
    uint64_t bytes;
    return (header->table.fields ? make_table(header, part) : make_array(header, part)) &&
           fpgz_extents_bytes(part->array.dtype, part->array.extent, part->array.dims, &bytes) &&
           fpgz_place_add(&part->place, offset, bytes, 0) && (part->name = strdup(name));
}

/* As values in a row. */
static void put_in_row(struct fpgz_part *part, uint64_t bytes)
{
    struct fpgz_array *const array = &part->array;
    if (!array->dtype || bytes % fpgz_dtype_size(array->dtype))
        *array = (struct fpgz_array){.dtype = FPGZ_U8};
    array->dims = 1;
    array->extent[0] = bytes / fpgz_dtype_size(array->dtype);
}

/* The same of a column-major array, whose axes are then those of its chunks. */
static void put_columns_in_row(struct fpgz_part *part, uint64_t bytes)
{
    if (part->array.dims <= FPGZ_MAX_CODING_DIMS) {
        part->axes = part->array.dims - 1;
        memcpy(part->axis, part->array.extent + 1, part->axes * sizeof *part->axis);
    }
    put_in_row(part, bytes);
    part->column_major = false;
}

bool fpgz_npy_front(char *text, size_t got, uint64_t bytes, struct fpgz_part *part, size_t *front)
{
    struct fpgz_npy_header header = {0};
    size_t end;
    uint64_t values;
    *part = (struct fpgz_part){0};
    const bool read = got >= MAGIC_BYTES && begins(text) && read_header(text, got, &header, &end),
               known = read && !header.table.fields && make_array(&header, part),
               whole = known &&
                       fpgz_extents_bytes(part->array.dtype, part->array.extent, part->array.dims, &values) &&
                       end < bytes && values == bytes - end;
    *front = whole ? end : 0;
    if (!whole)
        put_in_row(part, bytes);
    else if (part->column_major)
        put_columns_in_row(part, bytes - end);
    fpgz_part_free(&header.table);
    return read;
}

enum fpgz_status fpgz_npy_add(int fd, uint64_t offset, uint64_t bytes, const char *name,
                              struct fpgz_content *content, struct fpgz_error *remark,
                              struct fpgz_error *error)
{
    char *text = malloc(HEADER_LIMIT + 1);
    struct fpgz_npy_header header = {0};
    size_t got, end;
    if (!text)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (!fpgz_read_at(fd, text, fpgz_min(bytes, HEADER_LIMIT), offset, &got))
        got = 0;
    if (!read_header(text, got, &header, &end)) {
        fpgz_fail(remark, FPGZ_UNSUPPORTED,
                  "its NumPy header is not one of numbers or records of numbers; archived as bytes");
    } else {
        struct fpgz_part *part = fpgz_content_add(content);
        const bool made = part && make_part(&header, name, offset + end, part);
        const bool fits = made && part->place.bytes <= bytes - end;
        if (!part)
            fpgz_fail(error, FPGZ_MEMORY, "no memory");
        else if (made && !fits)
            fpgz_fail(remark, FPGZ_CORRUPT, "it ends before the last value that its NumPy header promises");
        if (part && !fits)
            fpgz_part_free(&content->part[--content->count]);
    }
    fpgz_part_free(&header.table);
    free(text);
    return error->status;
}

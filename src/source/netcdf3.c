/* SPDX-License-Identifier: MIT
 * netCDF-3 files, classic, with 64-bit offsets, and CDF-5: lists of dimensions, attributes and variables, and
 * the values. Variables along the record dimension stand record by record, beside each other. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/arrays.h"
#include "source/cursor.h"
#include "source/source.h"
#include "source/stored.h"

enum {
    DIMENSIONS = 10, /* tags of lists */
    VARIABLES = 11,
    ATTRIBUTES = 12,
    LIST_LIMIT = 1 << 16, /* dimensions: sixty times what the netCDF library takes */
    NAME_BYTES = 1024,
};

/* What is known of the file before its variables. */
struct header {
    struct fpgz_cursor cursor;
    size_t wide, offset; /* bytes of a count, and of a place in the file */
    uint64_t records;    /* FPGZ_UNKNOWN: as many as the file has room for */
    uint64_t *dimension; /* the length of each; 0: that of the records */
    uint64_t dimensions;
    /* Of all record variables together. */
    uint64_t record_bytes, record_first, record_variables;
    bool padded; /* records of a variable end at a multiple of 4 bytes */
    /* What is kept of attributes, of this variable; NULL: none. */
    const char *wanted;
    struct fpgz_attributes *kept;
    struct fpgz_attributes_left *left;
    bool failed; /* no memory */
};

struct variable {
    char name[NAME_BYTES];
    struct fpgz_array array; /* without the axis of the records */
    bool along_records;
    uint64_t begin, bytes; /* of all values, or of one record's; FPGZ_UNKNOWN: they are too many */
};

static const enum fpgz_dtype types[] = {0,        FPGZ_I8, FPGZ_U8,  FPGZ_I16, FPGZ_I32, FPGZ_F32,
                                        FPGZ_F64, FPGZ_U8, FPGZ_U16, FPGZ_U32, FPGZ_I64, FPGZ_U64};
enum type { TEXT = 2, TYPES = sizeof types / sizeof *types };

static bool netcdf3_probe(int fd, uint64_t size)
{
    char magic[4];
    size_t got;
    return size >= 8 && fpgz_read_at(fd, magic, sizeof magic, 0, &got) && got == sizeof magic &&
           !memcmp(magic, "CDF", 3) && magic[3] && strchr("\1\2\5", magic[3]);
}

static uint64_t count_of(struct header *h)
{
    return fpgz_cursor_number(&h->cursor, h->wide);
}

/* Reads a list's tag and length. False where it is another list. */
static bool begin_list(struct header *h, uint64_t tag, uint64_t *length)
{
    const uint64_t found = fpgz_cursor_number(&h->cursor, 4);
    *length = count_of(h);
    return !h->cursor.failed && (found == tag || (!found && !*length));
}

/* Passes over as many bytes, and what fills them up to a multiple of 4. */
static bool skip_padded(struct header *h, uint64_t bytes)
{
    return bytes <= INT64_MAX && fpgz_cursor_skip(&h->cursor, fpgz_round_up(bytes, 4));
}

static bool read_name(struct header *h, char name[NAME_BYTES])
{
    const uint64_t length = count_of(h);
    if (length >= NAME_BYTES || !fpgz_cursor_take(&h->cursor, name, length))
        return false;
    name[length] = '\0';
    return fpgz_cursor_skip(&h->cursor, fpgz_round_up(length, 4) - length);
}

/* Keeps an attribute whose values come next; what cannot be read is not kept. False without memory. */
static bool keep_attribute(struct header *h, const char *name, enum type type, uint64_t values, size_t bytes)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[types[type]];
    const struct fpgz_grid grid = {types[type], 1, {values, 1, 1, 1}};
    uint8_t *const data = bytes <= FPGZ_ATTRIBUTES_LIMIT ? malloc(bytes + 1) : NULL;
    const struct fpgz_attribute attribute = {.name = name,
                                             .name_length = strlen(name),
                                             .type = row->kind == 'f'   ? FPGZ_FLOAT
                                                     : row->kind == 'i' ? FPGZ_SIGNED
                                                                        : FPGZ_UNSIGNED,
                                             .size = row->size,
                                             .dims = values != 1,
                                             .extent = {values},
                                             .values = data,
                                             .length = bytes};
    bool kept = data || bytes > FPGZ_ATTRIBUTES_LIMIT;
    if (!data)
        fpgz_attributes_leave(h->left, name, "more than is kept");
    else if (!fpgz_cursor_take(&h->cursor, data, bytes))
        kept = true;
    else if (type == TEXT)
        kept = fpgz_attributes_add_text(h->kept, name, (const char *)data, bytes, h->left);
    else {
        fpgz_grid_swap(&grid, data);
        kept = fpgz_attributes_add(h->kept, &attribute);
    }
    free(data);
    return kept;
}

/* Passes over a list of attributes; with `keep` they are kept. */
static bool pass_attributes(struct header *h, bool keep)
{
    char name[NAME_BYTES];
    uint64_t left, bytes;
    bool ok = begin_list(h, ATTRIBUTES, &left);
    for (; left && ok; left--) {
        ok = read_name(h, name);
        const uint64_t type = fpgz_cursor_number(&h->cursor, 4), values = count_of(h);
        ok = ok && type && type < TYPES && fpgz_mul(values, fpgz_dtype_size(types[type]), &bytes);
        if (!ok)
            break;
        const struct fpgz_cursor at = h->cursor;
        h->failed = keep && !keep_attribute(h, name, (enum type)type, values, bytes);
        h->cursor = at;
        ok = !h->failed && skip_padded(h, bytes);
    }
    return ok;
}

/* Reads all up to the list of variables. False where that cannot be, and without memory. */
static bool read_front(struct header *h)
{
    char magic[4] = "", name[NAME_BYTES];
    fpgz_cursor_take(&h->cursor, magic, sizeof magic);
    h->wide = magic[3] == 5 ? 8 : 4;
    h->offset = magic[3] == 1 ? 4 : 8;
    h->records = count_of(h);
    if (h->records == (h->wide == 4 ? UINT32_MAX : UINT64_MAX))
        h->records = FPGZ_UNKNOWN;
    if (!begin_list(h, DIMENSIONS, &h->dimensions) || h->dimensions > LIST_LIMIT)
        return false;
    h->dimension = calloc(h->dimensions + 1, sizeof *h->dimension);
    for (uint64_t i = 0; i < h->dimensions && h->dimension; i++) {
        if (!read_name(h, name))
            return false;
        h->dimension[i] = count_of(h);
    }
    return h->dimension && pass_attributes(h, false);
}

/* Reads the shape of a variable. Axes that are more than an array has become one. */
static bool read_shape(struct header *h, struct variable *v)
{
    struct fpgz_array *const array = &v->array;
    const uint64_t dims = count_of(h);
    for (uint64_t d = 0; d < dims; d++) {
        const uint64_t id = count_of(h);
        if (h->cursor.failed || id >= h->dimensions)
            return false;
        const uint64_t length = h->dimension[id];
        if (!length && d)
            return false; /* records are the slowest axis */
        v->along_records = v->along_records || !length;
        if (!length)
            continue;
        if (array->dims < FPGZ_MAX_DIMS - 1)
            array->extent[array->dims++] = length;
        else if (!fpgz_mul(array->extent[array->dims - 1], length, &array->extent[array->dims - 1]))
            return false;
    }
    return true;
}

static bool read_variable(struct header *h, struct variable *v)
{
    *v = (struct variable){.array = {.order = FPGZ_BIG}};
    if (!read_name(h, v->name) || !read_shape(h, v) ||
        !pass_attributes(h, h->wanted && !strcmp(h->wanted, v->name)))
        return false;
    const uint64_t type = fpgz_cursor_number(&h->cursor, 4);
    fpgz_cursor_skip(&h->cursor, h->wide); /* its size, which is told wrongly where it is large */
    v->begin = fpgz_cursor_number(&h->cursor, h->offset);
    if (h->cursor.failed || !type || type >= TYPES)
        return false;
    v->array.dtype = types[type];
    if (!fpgz_extents_bytes(v->array.dtype, v->array.extent, v->array.dims, &v->bytes))
        v->bytes = FPGZ_UNKNOWN;
    return true;
}

/* Goes over the list of variables, and calls each() for those that can be. False where the list is wrong. */
static bool each_variable(struct header *h, bool (*each)(struct header *h, struct variable *v, void *context),
                          void *context)
{
    struct variable v;
    uint64_t left;
    bool ok = begin_list(h, VARIABLES, &left);
    for (; left && ok; left--)
        ok = read_variable(h, &v) && each(h, &v, context);
    return ok;
}

/* What a variable has of each record, with what is put behind it. */
static uint64_t in_record(const struct header *h, const struct variable *v)
{
    return h->padded ? fpgz_round_up(v->bytes, 4) : v->bytes;
}

/* Adds up the records. */
static bool measure(struct header *h, struct variable *v, void *context)
{
    (void)context;
    if (!v->along_records)
        return true;
    if (v->bytes == FPGZ_UNKNOWN || !fpgz_add(h->record_bytes, in_record(h, v), &h->record_bytes))
        return false;
    h->record_first = fpgz_min(h->record_first, v->begin);
    h->record_variables++;
    return true;
}

struct adding {
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
};

static bool add(struct header *h, struct variable *v, void *context)
{
    const struct adding *const a = context;
    struct fpgz_array array = v->array;
    struct fpgz_run run = {.count = 1, .bytes = v->bytes, .offset = v->begin, .step = v->bytes};
    if (v->along_records) {
        memmove(array.extent + 1, array.extent, array.dims * sizeof *array.extent);
        array.extent[0] = run.count = h->records;
        array.dims++;
        run.step = h->record_bytes;
    }
    return !fpgz_arrays_add(a->content, v->name, &array, &run, a->remark, a->error);
}

/* Reads the list of variables twice: first for the length of a record, then for the arrays. */
static bool read_variables(struct header *h, struct adding *a)
{
    const struct fpgz_cursor list = h->cursor;
    h->record_first = UINT64_MAX;
    h->padded = true;
    if (!each_variable(h, measure, NULL))
        return false;
    if (h->record_variables == 1) { /* a lone one is not padded */
        h->cursor = list;
        h->padded = false;
        h->record_bytes = h->record_variables = 0;
        each_variable(h, measure, NULL);
    }
    if (h->records == FPGZ_UNKNOWN)
        h->records = h->record_bytes && h->cursor.size > h->record_first
                         ? (h->cursor.size - h->record_first) / h->record_bytes
                         : 0;
    h->cursor = list;
    return each_variable(h, add, a);
}

static enum fpgz_status netcdf3_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                         struct fpgz_error *error)
{
    struct header h = {.cursor = {.fd = fd, .size = content->size, .big_endian = true}};
    struct adding a = {content, remark, error};
    if ((!read_front(&h) || !read_variables(&h, &a)) && !error->status) {
        fpgz_content_clear(content);
        *remark = (struct fpgz_error){0};
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "its netCDF header is cut off, or contradicts itself; archived as bytes");
    }
    free(h.dimension);
    return error->status;
}

static bool pass(struct header *h, struct variable *v, void *context)
{
    (void)h;
    (void)v;
    (void)context;
    return true;
}

static bool netcdf3_attributes_of(int fd, uint64_t size, const char *name, struct fpgz_attributes *attributes,
                                  struct fpgz_attributes_left *left)
{
    struct header h = {.cursor = {.fd = fd, .size = size, .big_endian = true}};
    if (read_front(&h)) {
        h.wanted = name;
        h.kept = attributes;
        h.left = left;
        each_variable(&h, pass, NULL);
    }
    free(h.dimension);
    return !h.failed;
}

const struct fpgz_source fpgz_source_netcdf3 = {
    .name = "netCDF-3",
    .summary = "netCDF classic, 64-bit offset, CDF-5: each variable",
    .kind = 5,
    .probe = netcdf3_probe,
    .attributes = true,
    .describe = netcdf3_describe,
    .attributes_of = netcdf3_attributes_of,
    FPGZ_STORED,
};

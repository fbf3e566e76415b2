/* SPDX-License-Identifier: MIT
 * Reads the dictionary of a NumPy header: a type, or a list of fields for records, the order and the shape.
 * Each function returns the place behind what it read, or NULL for a form that it does not know. */
#include "source/npy_header.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/table.h"

enum { NAME_BYTES = 256, DEPTH_LIMIT = 8 };

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Reads one character, between spaces. */
static const char *expect(const char *at, char wanted)
{
    at = at ? skip_space(at) : "";
    return *at == wanted ? skip_space(at + 1) : NULL;
}

/* Reads a quoted word of fewer than `capacity` characters, without escapes. */
static const char *read_word(const char *at, char *word, size_t capacity)
{
    const char quote = *at;
    const char *end = quote == '\'' || quote == '"' ? strchr(at + 1, quote) : NULL;
    if (!end || (size_t)(end - at) > capacity || memchr(at, '\\', (size_t)(end - at)))
        return NULL;
    memcpy(word, at + 1, (size_t)(end - at - 1));
    word[end - at - 1] = '\0';
    return end + 1;
}

/* Reads "(3, 4)". */
static const char *read_shape(const char *at, unsigned *dims, uint64_t extents[FPGZ_MAX_DIMS])
{
    *dims = 0;
    if (*at++ != '(')
        return NULL;
    for (at = skip_space(at); *at != ')'; at = skip_space(at)) {
        uint64_t extent = 0;
        if (!isdigit((unsigned char)*at) || *dims == FPGZ_MAX_DIMS)
            return NULL;
        for (; isdigit((unsigned char)*at); at++)
            if (!fpgz_mul(extent, 10, &extent) || !fpgz_add(extent, (uint64_t)(*at - '0'), &extent))
                return NULL;
        extents[(*dims)++] = extent;
        at += *at == 'L'; /* long integers of Python 2 */
        at = skip_space(at);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return NULL;
    }
    return at + 1;
}

/* The array that one element of the type "<f4" is, without an axis for most. The parts of a complex number
 * are two values; times are what they count. False for what is no numbers. */
static bool number_type(const char *type, struct fpgz_array *array)
{
    static const char theirs[] = "fciubMm", ours[] = "ffiuuii";
    const char *const kind = *type ? strchr(theirs, type[1]) : NULL;
    char *end, name[24];
    if (!kind || !*kind || !strchr("<>=|", *type) || !isdigit((unsigned char)type[2]))
        return false;
    const unsigned long bytes = strtoul(type + 2, &end, 10);
    const bool complex = *kind == 'c';
    snprintf(name, sizeof name, "%c%lu", ours[kind - theirs], bytes < 100 ? (complex ? 4 : 8) * bytes : 0);
    *array =
        (struct fpgz_array){.order = *type == '>' ? FPGZ_BIG : FPGZ_LITTLE, .dims = complex, .extent = {2}};
    return *end == (strchr("Mm", *kind) ? '[' : '\0') && fpgz_dtype_parse(name, &array->dtype) &&
           (*type != '|' || fpgz_dtype_size(array->dtype) == 1);
}

/* The bytes that one element of the type "|S7" or "<U3" is. False for other types. */
static bool bytes_type(const char *type, struct fpgz_array *array)
{
    char *end;
    if (!*type || !strchr("SaUV", type[1]) || !isdigit((unsigned char)type[2]))
        return false;
    const uint64_t count = strtoul(type + 2, &end, 10);
    *array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {(type[1] == 'U' ? 4 : 1) * count}};
    return !*end && count < UINT32_MAX;
}

/* Puts the extents of a field's shape in front of those of its elements. */
static bool put_in_front(struct fpgz_array *array, const uint64_t *extent, unsigned dims)
{
    if (array->dims + dims > FPGZ_MAX_DIMS)
        return false;
    memmove(array->extent + dims, array->extent, array->dims * sizeof *extent);
    memcpy(array->extent, extent, dims * sizeof *extent);
    array->dims += dims;
    return true;
}

/* Reads the shape that may follow a field's type, and adds the field behind those that the record has. */
static const char *add_field(const char *at, const char *name, struct fpgz_array *array,
                             struct fpgz_npy_header *header)
{
    uint64_t extent[FPGZ_MAX_DIMS], bytes;
    unsigned dims = 0;
    const char *const shape = expect(at, ',');
    if (shape)
        at = read_shape(shape, &dims, extent);
    if (!at || !put_in_front(array, extent, dims) ||
        !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) ||
        (*name && !fpgz_table_add(&header->table, name, array, header->record)) ||
        !fpgz_add(header->record, bytes, &header->record))
        return NULL;
    return at;
}

static const char *read_fields(const char *at, const char *prefix, unsigned depth,
                               struct fpgz_npy_header *header);

/* Reads the type of a field, and its shape. */
static const char *read_field(const char *at, const char *name, unsigned depth,
                              struct fpgz_npy_header *header)
{
    struct fpgz_array array;
    char type[24];
    if (at && *at == '[') {
        at = read_fields(at, name, depth + 1, header);
        return at && !expect(at, ',') ? at : NULL; /* arrays of records are not known */
    }
    at = at ? read_word(at, type, sizeof type) : NULL;
    if (!at || (!number_type(type, &array) && !bytes_type(type, &array)))
        return NULL;
    return add_field(at, name, &array, header);
}

/* Reads a field's name, or a pair of its title and its name. */
static const char *read_name(const char *at, char *name)
{
    const char *const pair = at ? expect(at, '(') : NULL;
    if (!pair)
        return at ? read_word(at, name, NAME_BYTES) : NULL;
    at = expect(read_word(pair, name, NAME_BYTES), ',');
    return at ? expect(read_word(at, name, NAME_BYTES), ')') : NULL;
}

/* Reads "[('a', '<f4'), ('b', '<i2', (3,))]". The fields of a record in a record are "outer.inner"; one
 * without a name is padding. */
static const char *read_fields(const char *at, const char *prefix, unsigned depth,
                               struct fpgz_npy_header *header)
{
    at = depth < DEPTH_LIMIT ? expect(at, '[') : NULL;
    while (at && *at != ']') {
        char own[NAME_BYTES], name[DEPTH_LIMIT * NAME_BYTES];
        at = read_name(expect(at, '('), own);
        if (at)
            snprintf(name, sizeof name, "%s%s%s", prefix, *prefix && *own ? "." : "", *own ? own : "");
        at = at ? expect(read_field(expect(at, ','), *own ? name : "", depth, header), ')') : NULL;
        if (at && *at == ',')
            at = skip_space(at + 1);
    }
    return at ? at + 1 : NULL;
}

/* Reads one value of the dictionary. */
static const char *read_value(const char *at, const char *key, struct fpgz_npy_header *header)
{
    char type[24];
    if (!strcmp(key, "descr") && *at == '[')
        return read_fields(at, "", 0, header);
    if (!strcmp(key, "descr")) {
        at = read_word(at, type, sizeof type);
        if (at && !number_type(type, &header->value))
            header->value.dtype = 0;
        return at;
    }
    if (!strcmp(key, "shape"))
        return read_shape(at, &header->dims, header->extent);
    header->column_major = !strncmp(at, "True", 4);
    if (!strcmp(key, "fortran_order") && (header->column_major || !strncmp(at, "False", 5)))
        return at + (header->column_major ? 4 : 5);
    return NULL;
}

bool fpgz_npy_read_header(const char *at, struct fpgz_npy_header *header)
{
    char key[16];
    unsigned found = 0;
    at = expect(at, '{');
    while (at && *at != '}') {
        at = expect(read_word(at, key, sizeof key), ':');
        at = at ? read_value(at, key, header) : NULL;
        found |= !strcmp(key, "descr") ? 1 : !strcmp(key, "shape") ? 2 : 4;
        at = at ? skip_space(at) : NULL;
        if (at && *at == ',')
            at = skip_space(at + 1);
    }
    return at && found == 7;
}

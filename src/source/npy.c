/* SPDX-License-Identifier: MIT
 * NumPy files: a Python dictionary with the type and shape of one array, and the array's values. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/source.h"

enum { MAGIC_BYTES = 8, HEADER_LIMIT = 1 << 16 }; /* NumPy reads no longer headers by default */

static bool npy_probe(int fd, uint64_t size)
{
    char magic[MAGIC_BYTES];
    size_t got;
    return size >= MAGIC_BYTES && fpgz_read_at(fd, magic, sizeof magic, 0, &got) && got == sizeof magic &&
           !memcmp(magic, "\x93NUMPY", 6) && magic[6] >= 1 && magic[6] <= 3;
}

/* The contents of the header's dictionary. */
struct header {
    char type[12]; /* of `descr`: byte order and type; empty where that is longer */
    bool column_major;
    unsigned dims;
    uint64_t extent[FPGZ_MAX_DIMS];
};

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Reads a quoted word of fewer than `capacity` characters; the place behind it, or NULL. */
static const char *read_word(const char *at, char *word, size_t capacity)
{
    const char quote = *at;
    const char *end = quote == '\'' || quote == '"' ? strchr(at + 1, quote) : NULL;
    if (!end || (size_t)(end - at) > capacity)
        return NULL;
    memcpy(word, at + 1, (size_t)(end - at - 1));
    word[end - at - 1] = '\0';
    return end + 1;
}

/* Reads "(3, 4)"; the place behind it, or NULL. */
static const char *read_shape(const char *at, struct header *header)
{
    if (*at++ != '(')
        return NULL;
    for (at = skip_space(at); *at != ')'; at = skip_space(at)) {
        uint64_t extent = 0;
        if (!isdigit((unsigned char)*at) || header->dims == FPGZ_MAX_DIMS)
            return NULL;
        for (; isdigit((unsigned char)*at); at++)
            if (!fpgz_mul(extent, 10, &extent) || !fpgz_add(extent, (uint64_t)(*at - '0'), &extent))
                return NULL;
        header->extent[header->dims++] = extent;
        at += *at == 'L'; /* long integers of Python 2 */
        at = skip_space(at);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return NULL;
    }
    return at + 1;
}

/* Reads one value of the dictionary; the place behind it, or NULL. */
static const char *read_value(const char *at, const char *key, struct header *header)
{
    if (!strcmp(key, "descr"))
        return read_word(at, header->type, sizeof header->type);
    if (!strcmp(key, "shape"))
        return read_shape(at, header);
    header->column_major = !strncmp(at, "True", 4);
    if (!strcmp(key, "fortran_order") && (header->column_major || !strncmp(at, "False", 5)))
        return at + (header->column_major ? 4 : 5);
    return NULL;
}

/* Reads the whole dictionary. False where it has another form: each of the three keys must be there. */
static bool read_header(const char *at, struct header *header)
{
    char key[16];
    unsigned found = 0;
    at = skip_space(at);
    if (*at++ != '{')
        return false;
    for (at = skip_space(at); *at != '}'; at = skip_space(at)) {
        at = read_word(at, key, sizeof key);
        at = at ? skip_space(at) : "";
        if (*at != ':')
            return false;
        at = read_value(skip_space(at + 1), key, header);
        if (!at)
            return false;
        found |= !strcmp(key, "descr") ? 1 : !strcmp(key, "shape") ? 2 : 4;
        at = skip_space(at);
        at += *at == ',';
    }
    return found == 7;
}

/* Reads "<f4". Real and imaginary part of a complex number are two values; times are what they count. False
 * for what is no numbers. */
static bool read_type(const char *type, struct fpgz_array *array, bool *complex)
{
    static const char theirs[] = "fciubMm", ours[] = "ffiuuii";
    const char *const kind = *type ? strchr(theirs, type[1]) : NULL;
    char *end, name[24];
    if (!kind || !*kind || !strchr("<>=|", *type) || !isdigit((unsigned char)type[2]))
        return false;
    const unsigned long bytes = strtoul(type + 2, &end, 10);
    *complex = *kind == 'c';
    snprintf(name, sizeof name, "%c%lu", ours[kind - theirs], bytes < 100 ? (*complex ? 4 : 8) * bytes : 0);
    array->order = *type == '>' ? FPGZ_BIG : FPGZ_LITTLE;
    return *end == (strchr("Mm", *kind) ? '[' : '\0') && fpgz_dtype_parse(name, &array->dtype) &&
           (*type != '|' || fpgz_dtype_size(array->dtype) == 1);
}

/* The part for an array of `header` whose values begin at `offset`. False where these are no numbers. */
static bool make_part(const struct header *header, uint64_t offset, struct fpgz_part *part)
{
    struct fpgz_array *array = &part->array;
    bool complex;
    if (!read_type(header->type, array, &complex))
        return false;
    part->column_major = header->column_major && header->dims > 1;
    /* Real and imaginary part become a last axis, which column-major order cannot express. */
    if (complex && (part->column_major || header->dims == FPGZ_MAX_DIMS))
        return false;
    array->dims = header->dims;
    for (unsigned d = 0; d < header->dims; d++)
        array->extent[d] = header->extent[part->column_major ? header->dims - 1 - d : d];
    if (complex)
        array->extent[array->dims++] = 2;
    if (!array->dims)
        array->extent[array->dims++] = 1;
    uint64_t bytes;
    return fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) &&
           fpgz_place_add(&part->place, offset, bytes, 0) && (part->name = strdup(""));
}

static enum fpgz_status npy_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                     struct fpgz_error *error)
{
    char *text = malloc(HEADER_LIMIT + 1);
    struct header header = {0};
    size_t got;
    if (!text)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (!fpgz_read_at(fd, text, HEADER_LIMIT, 0, &got))
        got = 0;
    const bool wide = got > MAGIC_BYTES && text[6] > 1; /* version 2 and 3 */
    const size_t prefix = MAGIC_BYTES + (wide ? 4 : 2);
    const size_t length = got < prefix ? SIZE_MAX
                          : wide       ? fpgz_load32(text + MAGIC_BYTES)
                                       : fpgz_load16(text + MAGIC_BYTES);
    text[got] = '\0';
    if (got >= prefix && length <= got - prefix)
        text[prefix + length] = '\0';
    if (got < prefix || length > got - prefix || !read_header(text + prefix, &header)) {
        fpgz_fail(remark, FPGZ_UNSUPPORTED,
                  "its NumPy header is not one of plain numbers; archived as bytes");
    } else {
        struct fpgz_part *part = fpgz_content_add(content);
        if (!part)
            fpgz_fail(error, FPGZ_MEMORY, "no memory");
        else if (!make_part(&header, prefix + length, part))
            fpgz_part_free(&content->part[--content->count]);
        else if (!fpgz_part_valid(part, content->size))
            fpgz_fail(remark, FPGZ_CORRUPT, "it ends before the last value that its NumPy header promises");
    }
    free(text);
    return error->status;
}

const struct fpgz_source fpgz_source_npy = {
    .name = "npy",
    .kind = 2,
    .probe = npy_probe,
    .describe = npy_describe,
};

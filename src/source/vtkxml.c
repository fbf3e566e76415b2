/* SPDX-License-Identifier: MIT
 * VTK's files in XML (.vti, .vtr, .vts, .vtu, .vtp): elements tell of each array its type and where it
 * begins, behind the mark of appended data or in the element itself. It stands there as it is, or in base64,
 * or deflated. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/encoded.h"
#include "core/io.h"
#include "core/text.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"
#include "source/tags.h"
#include "source/vtk_shape.h"

enum {
    FRONT_BYTES = 1024, /* in which the first element begins */
    SPACES = 4096,      /* in front of data */
    NAME_BYTES = 512,
    FRONT_MOST = 64 << 20, /* bytes of the lengths of blocks */
};

/* What the elements around an array tell. */
struct place {
    char section[24]; /* "PointData" */
    unsigned piece;   /* from 1 on */
    struct fpgz_vtk_grid grid;
    uint64_t cells; /* 0: not known */
};

struct file {
    int fd;
    struct fpgz_tags tags;
    enum fpgz_order order;
    unsigned head;            /* bytes in front of each array, which hold its length */
    bool compressed, foreign; /* by zlib, and otherwise */
    bool text;                /* appended data is base64 */
    uint64_t base;            /* byte that offsets count from; 0: there is no appended data */
    size_t arrays;            /* that are not ASCII */
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
};

static bool vtkxml_probe(int fd, uint64_t size)
{
    char front[FRONT_BYTES];
    size_t got, at = 0;
    (void)size;
    if (!fpgz_read_at(fd, front, sizeof front, 0, &got))
        return false;
    while (at < got && isspace((unsigned char)front[at]))
        at++;
    return at < got && front[at] == '<' && memmem(front, got, "<VTKFile", 8);
}

/* Reads what the first element says of all arrays. */
static void read_file(const struct fpgz_tag *tag, struct file *file)
{
    const struct fpgz_tag_value order = fpgz_tag_value(tag, "byte_order");
    const struct fpgz_tag_value head = fpgz_tag_value(tag, "header_type");
    file->order = fpgz_tag_is(order, "BigEndian") ? FPGZ_BIG : FPGZ_LITTLE;
    file->head = fpgz_tag_is(head, "UInt64") ? 8 : 4;
    const struct fpgz_tag_value compressor = fpgz_tag_value(tag, "compressor");
    file->compressed = fpgz_tag_is(compressor, "vtkZLibDataCompressor");
    file->foreign = compressor.length > 0 && !file->compressed;
}

/* The first byte from `offset` on that is no space. */
static uint64_t skip_spaces(const struct file *file, uint64_t offset)
{
    char text[SPACES];
    size_t got, at = 0;
    if (!fpgz_read_at(file->fd, text, sizeof text, offset, &got))
        got = 0;
    while (at < got && isspace((unsigned char)text[at]))
        at++;
    return offset + at;
}

/* Finds appended data behind all elements. */
static void find_data(struct file *file)
{
    const struct fpgz_tag *const tag = &file->tags.tag;
    char mark;
    size_t got;
    while (fpgz_tags_next(&file->tags)) {
        if (fpgz_tag_named(tag, "VTKFile"))
            read_file(tag, file);
        if (!fpgz_tag_named(tag, "AppendedData"))
            continue;
        const uint64_t offset = skip_spaces(file, fpgz_tags_offset(&file->tags, tag->end));
        file->text = fpgz_tag_is(fpgz_tag_value(tag, "encoding"), "base64");
        if ((file->text || fpgz_tag_is(fpgz_tag_value(tag, "encoding"), "raw")) &&
            fpgz_read_at(file->fd, &mark, 1, offset, &got) && got && mark == '_')
            file->base = offset + 1;
        return;
    }
}

/* Reads what a piece tells of its arrays' shapes. */
static void read_piece(const struct fpgz_tag *tag, struct place *place)
{
    const struct fpgz_tag_value extent = fpgz_tag_value(tag, "Extent");
    struct fpgz_vtk_grid *const grid = &place->grid;
    char text[200] = "", *at = text;
    if (extent.length && extent.length < sizeof text)
        memcpy(text, extent.text, extent.length);
    grid->structured = true;
    for (unsigned d = 0; d < 3; d++) {
        char *const begin = at;
        const long long first = strtoll(at, &at, 10), last = strtoll(at, &at, 10);
        grid->cells[d] = (uint64_t)last - (uint64_t)first;
        grid->structured &= at != begin && last >= first && grid->cells[d] < UINT32_MAX;
    }
    place->piece++;
    if (!fpgz_tag_count(fpgz_tag_value(tag, "NumberOfCells"), &place->cells))
        place->cells = 0;
}

/* Sets the axes of an array of `count` times `parts` values. */
static void set_shape(const struct place *place, uint64_t count, uint64_t parts, struct fpgz_array *array)
{
    const struct fpgz_vtk_grid none = {.structured = false};
    const bool apart = !strcmp(place->section, "FieldData");
    /* Mostly all cells have as many points. */
    if (!strcmp(place->section, "Cells") && parts == 1 && place->cells && !(count % place->cells)) {
        parts = count / place->cells;
        count = place->cells;
    }
    fpgz_vtk_shape(apart ? &none : &place->grid, !strcmp(place->section, "CellData"), count, parts, array);
}

/* The dtype that VTK calls "Float32", "UInt8". */
static bool read_type(struct fpgz_tag_value type, enum fpgz_dtype *dtype)
{
    static const char *const theirs[] = {"Float", "Int", "UInt"};
    static const char ours[] = "fiu";
    char name[8];
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        const size_t length = strlen(theirs[i]);
        if (type.length > length && type.length < length + 3 && !memcmp(type.text, theirs[i], length)) {
            snprintf(name, sizeof name, "%c%.*s", ours[i], (int)(type.length - length), type.text + length);
            return fpgz_dtype_parse(name, dtype);
        }
    }
    return false;
}

/* Reads how many bytes the array at the offset has. */
static bool read_length(const struct file *file, uint64_t offset, uint64_t *bytes)
{
    uint8_t head[8];
    size_t got;
    if (offset > INT64_MAX || !fpgz_read_at(file->fd, head, file->head, offset, &got) || got < file->head)
        return false;
    *bytes = file->head == 8 ? fpgz_load64(head) : fpgz_load32(head);
    if (file->order == FPGZ_BIG)
        *bytes = file->head == 8 ? __builtin_bswap64(*bytes) : __builtin_bswap32((uint32_t)*bytes);
    return true;
}

/* Reads bytes in front of an array, behind base64 or not. NULL where there are none, or without memory. */
static uint8_t *read_front(const struct file *file, uint64_t offset, bool text, uint64_t bytes)
{
    const uint64_t size = file->content->size, length = bytes > FRONT_MOST ? UINT64_MAX
                                                        : text             ? fpgz_base64_length(bytes)
                                                                           : bytes;
    size_t got;
    if (offset > size || length > size - offset)
        return NULL;
    uint8_t *const stored = malloc(length), *const front = malloc(bytes);
    const bool read =
        stored && front && fpgz_read_at(file->fd, stored, length, offset, &got) && got == length;
    if (read && !text)
        memcpy(front, stored, bytes);
    const bool ok = read && (!text || fpgz_base64_decode(stored, bytes, front));
    free(stored);
    if (!ok)
        free(front);
    return ok ? front : NULL;
}

/* An array that does not stand in the file as it is. */
struct encoded {
    enum fpgz_filter filter;
    uint32_t value; /* how it is encoded (core/encoded.h) */
    uint64_t bytes; /* of its values */
    uint64_t length;
};

/* Adds up the lengths of blocks. */
static bool measure_blocks(const struct file *file, uint64_t offset, struct encoded *encoded)
{
    const bool text = encoded->value & FPGZ_ENCODED_TEXT;
    const uint64_t head = fpgz_encoded_head(encoded->value, encoded->bytes);
    uint8_t *const front = read_front(file, offset, text, head);
    uint64_t sum = 0;
    bool ok = front;
    for (uint64_t at = 3 * file->head; at < head && ok; at += file->head)
        ok = fpgz_add(sum, fpgz_encoded_word(encoded->value, front + at), &sum) && sum <= UINT32_MAX;
    free(front);
    encoded->length = text ? fpgz_base64_length(head) + fpgz_base64_length(sum) : head + sum;
    return ok;
}

/* Reads how much there is of an array that is encoded. */
static bool measure(const struct file *file, uint64_t offset, bool text, struct encoded *encoded)
{
    const uint64_t head = file->head,
                   whole = text ? fpgz_round_up(head, 3) : head; /* letters hold three bytes */
    uint8_t *const front = read_front(file, offset, text, file->compressed ? 3 * head : whole);
    encoded->value = (head == 8 ? FPGZ_ENCODED_WIDE : 0) | (file->order == FPGZ_BIG ? FPGZ_ENCODED_BIG : 0) |
                     (text ? FPGZ_ENCODED_TEXT : 0);
    if (!front)
        return false;
    const uint64_t first = fpgz_encoded_word(encoded->value, front),
                   block = file->compressed ? fpgz_encoded_word(encoded->value, front + head) : 0,
                   last = file->compressed ? fpgz_encoded_word(encoded->value, front + 2 * head) : 0;
    free(front);
    encoded->bytes = first;
    if (!file->compressed) {
        encoded->length = first > UINT32_MAX ? UINT64_MAX : fpgz_base64_length(first + head);
    } else {
        if (!first)
            return true;
        if (first > UINT32_MAX || block > FPGZ_CHUNK_LIMIT / 2 || last > block)
            return false;
        encoded->filter = last == block ? FPGZ_FILTER_ENCODED_LAST : FPGZ_FILTER_ENCODED;
        encoded->bytes = (first - (last > 0)) * block + last;
        encoded->value |= (uint32_t)block << FPGZ_ENCODED_SHIFT;
        if (!fpgz_encoded_valid(encoded->value) || !measure_blocks(file, offset, encoded))
            return false;
    }
    return encoded->length <= UINT32_MAX && encoded->length <= file->content->size - offset;
}

/* Sets what all arrays have, however they stand in the file: the values of each point or cell, or whatever it
 * is. */
static void set_array(const struct fpgz_tag *tag, const struct place *place, uint64_t bytes,
                      struct fpgz_array *array)
{
    const uint64_t values = bytes / fpgz_dtype_size(array->dtype);
    uint64_t parts;
    if (!fpgz_tag_count(fpgz_tag_value(tag, "NumberOfComponents"), &parts) || !parts || values % parts)
        parts = 1;
    set_shape(place, values / parts, parts, array);
}

/* Where the array begins, and whether that is text. False where that is not told. */
static bool find_array(const struct file *file, uint64_t *offset, bool *encoded)
{
    const struct fpgz_tag *const tag = &file->tags.tag;
    if (fpgz_tag_is(fpgz_tag_value(tag, "format"), "appended")) {
        *encoded = file->text;
        return fpgz_tag_count(fpgz_tag_value(tag, "offset"), offset) && fpgz_add(*offset, file->base, offset);
    }
    *encoded = true;
    *offset = skip_spaces(file, fpgz_tags_offset(&file->tags, tag->end));
    return true;
}

static void add_array(struct file *file, const struct place *place)
{
    const struct fpgz_tag *const tag = &file->tags.tag;
    const struct fpgz_tag_value name = fpgz_tag_value(tag, "Name"), format = fpgz_tag_value(tag, "format");
    const bool appended = fpgz_tag_is(format, "appended") && file->base;
    struct fpgz_array array = {.order = file->order};
    struct encoded encoded = {.filter = FPGZ_FILTER_ENCODED};
    char called[NAME_BYTES], front[16] = "";
    bool in_text;
    uint64_t offset;
    if ((!appended && !fpgz_tag_is(format, "binary")) ||
        !read_type(fpgz_tag_value(tag, "type"), &array.dtype))
        return;
    if (place->piece > 1)
        snprintf(front, sizeof front, "%u/", place->piece);
    snprintf(called, sizeof called, "%s%s%s%.*s", front, place->section, *place->section ? "/" : "",
             (int)fpgz_min(name.length, NAME_BYTES), name.length ? name.text : "");
    const bool there = find_array(file, &offset, &in_text), dense = !in_text && !file->compressed;
    file->arrays++;
    if (!there ||
        !(dense ? read_length(file, offset, &encoded.bytes) : measure(file, offset, in_text, &encoded)) ||
        encoded.bytes % fpgz_dtype_size(array.dtype)) {
        fpgz_fail(file->remark, FPGZ_CORRUPT, "array %.*s is not where the file says; archived as bytes",
                  fpgz_text_fit(called, FPGZ_NAME_SHOWN), called);
        return;
    }
    set_array(tag, place, encoded.bytes, &array);
    if (dense)
        fpgz_arrays_add_dense(file->content, called, &array, offset + file->head, file->remark, file->error);
    else if (encoded.bytes)
        fpgz_arrays_add_filtered(
            file->content, called, &array,
            &(struct fpgz_filters){.count = 1, .step = {{encoded.filter, encoded.value}}}, 0,
            &(struct fpgz_kept){.offset = offset, .length = (uint32_t)encoded.length}, file->error);
}

static void add_arrays(struct file *file)
{
    static const char *const sections[] = {"PointData",   "CellData", "FieldData", "Points", "Cells",
                                           "Coordinates", "Verts",    "Lines",     "Strips", "Polys"};
    const struct fpgz_tag *const tag = &file->tags.tag;
    struct place place = {.piece = 0};
    fpgz_tags_go(&file->tags, 0);
    while (!file->error->status && fpgz_tags_next(&file->tags) &&
           (!file->base || fpgz_tags_offset(&file->tags, tag->end) < file->base)) {
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
            if (fpgz_tag_named(tag, sections[i]))
                snprintf(place.section, sizeof place.section, "%s", sections[i]);
        if (fpgz_tag_named(tag, "Piece"))
            read_piece(tag, &place);
        else if (fpgz_tag_named(tag, "DataArray"))
            add_array(file, &place);
    }
}

static enum fpgz_status vtkxml_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                        struct fpgz_error *error)
{
    struct file file = {.fd = fd, .content = content, .remark = remark, .error = error};
    if (fpgz_tags_begin(&file.tags, fd, content->size))
        find_data(&file);
    else
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (error->status)
        return error->status;
    if (!file.head)
        fpgz_fail(remark, FPGZ_CORRUPT, "has no element of VTK's; archived as bytes");
    else if (file.foreign)
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "its data is compressed, and not by zlib; archived as bytes");
    else
        add_arrays(&file);
    if (!file.arrays && !remark->status)
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "its data is digits; archived as bytes");
    fpgz_tags_free(&file.tags);
    return error->status;
}

const struct fpgz_source fpgz_source_vtkxml = {
    .name = "vtkxml",
    .summary = "VTK's files in XML with binary data (.vti, .vtr, .vts, .vtu, .vtp): each array",
    .kind = 8,
    .probe = vtkxml_probe,
    .describe = vtkxml_describe,
    FPGZ_STORED,
};

/* SPDX-License-Identifier: MIT
 * GRIB files of edition 1 and 2: messages in sections. Of each field whose values are packed simply, the
 * integers are an array; where they have not 8, 16 or 32 bits, they are unpacked. */
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/packed.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"

enum {
    HEAD = 8,          /* of a message, up to its edition */
    SECTION_MOST = 96, /* bytes that are read of a section */
    GAP_MOST = 1 << 16 /* bytes between messages */
};

/* What the sections of a message tell of its next field. */
struct field {
    uint64_t values;
    unsigned bits;
    bool floats, known;
    uint64_t rows, row; /* of the grid */
};

struct file {
    int fd;
    uint64_t size;
    size_t messages, fields, strange; /* strange: fields that are packed otherwise */
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
};

/* A section, as far as it is read; behind that are zeros. */
struct section {
    uint64_t at, length;
    uint8_t byte[SECTION_MOST];
};

static uint64_t number(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* Reads the section at `at`, whose length has so many bytes. False where it does not end before `end`. */
static bool read_section(const struct file *file, uint64_t at, uint64_t end, unsigned bytes,
                         struct section *section)
{
    size_t got;
    memset(section, 0, sizeof *section);
    section->at = at;
    if (at > end || !fpgz_read_at(file->fd, section->byte, fpgz_min(SECTION_MOST, end - at), at, &got) ||
        got <= bytes)
        return false;
    section->length = number(section->byte, bytes);
    if (section->length < SECTION_MOST)
        memset(section->byte + section->length, 0, SECTION_MOST - section->length);
    return section->length > bytes && section->length <= end - at;
}

static bool grib_probe(int fd, uint64_t size)
{
    uint8_t head[HEAD];
    size_t got;
    return size > HEAD && fpgz_read_at(fd, head, HEAD, 0, &got) && got == HEAD && !memcmp(head, "GRIB", 4) &&
           (head[7] == 1 || head[7] == 2);
}

/* Adds the values at `offset`, of which the file has `bytes` bytes. */
static void add_field(struct file *file, const struct field *field, uint64_t offset, uint64_t bytes,
                      unsigned in_message)
{
    const uint64_t length = fpgz_packed_length(field->bits, field->values);
    struct fpgz_array array = {.order = FPGZ_BIG};
    char name[60];
    file->fields++;
    if (!field->known || !field->values || !field->bits || field->bits > 64 || !length || length > bytes) {
        file->strange += !field->known || field->bits;
        return;
    }
    array.dtype = field->floats       ? field->bits == 64 ? FPGZ_F64 : FPGZ_F32
                  : field->bits <= 8  ? FPGZ_U8
                  : field->bits <= 16 ? FPGZ_U16
                                      : FPGZ_U32;
    if (field->row && field->rows && field->values % field->row == 0 &&
        field->values / field->row == field->rows)
        array.extent[array.dims++] = field->rows;
    array.extent[array.dims] = array.dims ? field->row : field->values;
    array.dims++;
    snprintf(name, sizeof name, in_message > 1 ? "message.%zu.%u" : "message.%zu", file->messages,
             in_message);
    if (fpgz_packed_valid(field->bits)) {
        const struct fpgz_filters packed = {.count = 1, .step = {{FPGZ_FILTER_PACKED, field->bits}}};
        const struct fpgz_kept piece = {.offset = offset, .length = (uint32_t)length};
        array.order = FPGZ_LITTLE;
        if (length <= UINT32_MAX)
            fpgz_arrays_add_filtered(file->content, name, &array, &packed, 0, &piece, file->error);
    } else {
        fpgz_arrays_add_dense(file->content, name, &array, offset, file->remark, file->error);
    }
}

/* Sets the axes of the grid: the first of the two counts is of points along x, which mostly are neighbours.
 */
static void set_grid(struct field *field, uint64_t x, uint64_t y, bool columns)
{
    field->row = columns ? y : x;
    field->rows = columns ? x : y;
}

/* Section 3 of edition 2. */
static void read_grid(const struct section *section, struct field *field)
{
    static const struct {
        uint8_t template, modes; /* the byte of flags */
    } known[] = {{0, 71},  {1, 71},  {2, 71},  {3, 71},  {10, 59}, {20, 64},
                 {30, 64}, {31, 64}, {40, 71}, {41, 71}, {42, 71}, {43, 71}};
    const uint8_t *const byte = section->byte;
    field->rows = field->row = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (number(byte + 12, 2) == known[i].template)
            set_grid(field, number(byte + 30, 4), number(byte + 34, 4), byte[known[i].modes] & 0x20);
}

/* Section 5 of edition 2. */
static void read_packing(const struct section *section, struct field *field)
{
    enum { SIMPLE = 0, IEEE = 4 };
    const uint8_t *const byte = section->byte;
    const uint64_t template = number(byte + 9, 2);
    field->values = number(byte + 5, 4);
    field->floats = template == IEEE;
    field->bits = field->floats ? 32u * byte[11] : byte[19];
    field->known = field->floats ? byte[11] == 1 || byte[11] == 2 : template == SIMPLE && field->bits <= 32;
}

/* The sections of a message of edition 2, which may have several fields. False where they do not fit it. */
static bool read_second(struct file *file, uint64_t at, uint64_t end)
{
    enum { NUMBER = 4, DATA = 5 };
    struct field field = {.known = false};
    struct section section;
    unsigned fields = 0;
    while (at < end && !file->error->status) {
        if (!read_section(file, at, end, 4, &section))
            return false;
        if (section.byte[NUMBER] == 3)
            read_grid(&section, &field);
        else if (section.byte[NUMBER] == 5)
            read_packing(&section, &field);
        else if (section.byte[NUMBER] == 7)
            add_field(file, &field, at + DATA, section.length - DATA, ++fields);
        at += section.length;
    }
    return at == end;
}

/* The sections of a message of edition 1. */
static bool read_first(struct file *file, uint64_t at, uint64_t end)
{
    enum {
        FLAGS = 7,
        GRID = 0x80,
        BITMAP = 0x40,
        X = 6,
        Y = 8,
        MODES = 27,
        UNUSED = 3,
        BITS = 10,
        DATA = 11,
        OTHERWISE = 0xD0
    };
    struct field field = {.known = false};
    struct section section;
    if (!read_section(file, at, end, 3, &section))
        return false;
    const unsigned flags = section.byte[FLAGS];
    at += section.length;
    if (flags & GRID) {
        if (!read_section(file, at, end, 3, &section))
            return false;
        set_grid(&field, number(section.byte + X, 2), number(section.byte + Y, 2),
                 section.byte[MODES] & 0x20);
        at += section.length;
    }
    if (flags & BITMAP) {
        if (!read_section(file, at, end, 3, &section))
            return false;
        at += section.length;
    }
    if (!read_section(file, at, end, 3, &section) || section.length < DATA)
        return false;
    const uint64_t bytes = section.length - DATA;
    field.bits = section.byte[BITS];
    field.known = !(section.byte[UNUSED] & OTHERWISE) && field.bits <= 32;
    if (field.bits)
        field.values = (8 * bytes - fpgz_min(8 * bytes, section.byte[UNUSED] & 15)) / field.bits;
    add_field(file, &field, at + DATA, bytes, 1);
    return at + section.length == end;
}

/* Finds where the next message begins. False where there is none near. */
static bool find_message(const struct file *file, uint64_t *at)
{
    uint8_t window[4096];
    size_t got;
    for (uint64_t passed = 0; passed < GAP_MOST && *at < file->size;
         passed += sizeof window - 3, *at += sizeof window - 3) {
        if (!fpgz_read_at(file->fd, window, sizeof window, *at, &got))
            return false;
        const uint8_t *const found = memmem(window, got, "GRIB", 4);
        if (found) {
            *at += (uint64_t)(found - window);
            return true;
        }
    }
    return false;
}

/* Reads the message at *at, and moves behind it. False where it does not lie in the file. */
static bool read_message(struct file *file, uint64_t *at)
{
    enum { LONG_HEAD = 16, TAIL = 4 };
    uint8_t head[LONG_HEAD] = {0}, tail[TAIL];
    size_t got;
    if (!fpgz_read_at(file->fd, head, LONG_HEAD, *at, &got) || got < HEAD)
        return false;
    const bool second = head[7] == 2;
    const uint64_t length = second ? number(head + 8, 8) : number(head + 4, 3),
                   begin = second ? LONG_HEAD : HEAD;
    if (head[7] < 1 || head[7] > 2 || length < begin + TAIL || length > file->size - *at ||
        !fpgz_read_at(file->fd, tail, TAIL, *at + length - TAIL, &got) || got < TAIL ||
        memcmp(tail, "7777", TAIL) != 0)
        return false;
    file->messages++;
    if (!(second ? read_second : read_first)(file, *at + begin, *at + length - TAIL))
        fpgz_fail(file->remark, FPGZ_CORRUPT, "the sections of message %zu do not fit it; archived as bytes",
                  file->messages);
    *at += length;
    return true;
}

static enum fpgz_status grib_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    struct file file = {
        .fd = fd, .size = content->size, .content = content, .remark = remark, .error = error};
    uint64_t at = 0;
    bool whole = true;
    while (whole && !error->status && find_message(&file, &at))
        whole = read_message(&file, &at);
    if (!whole || !file.messages)
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "behind %zu messages is none that is whole; the rest is archived as bytes", file.messages);
    else if (file.strange && !remark->status)
        fpgz_fail(remark, FPGZ_UNSUPPORTED,
                  "%zu of its %zu fields are not packed simply; these are archived as bytes", file.strange,
                  file.fields);
    return error->status;
}

const struct fpgz_source fpgz_source_grib = {
    .name = "grib",
    .summary = "GRIB: the integers of each field with simple packing",
    .kind = 15,
    .probe = grib_probe,
    .describe = grib_describe,
    FPGZ_STORED,
};

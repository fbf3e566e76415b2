/* SPDX-License-Identifier: MIT
 * VTK's legacy files (.vtk) with binary data: lines of text, each of which tells of the values behind it.
 * Those are big-endian. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/text.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"
#include "source/vtk_shape.h"

enum { LINE_BYTES = 1024, WORD_BYTES = 256, WORDS = 5 };

static const char magic[] = "# vtk DataFile Version ";

/* The words of a line: empty ones behind the last. */
struct line {
    char word[WORDS][WORD_BYTES];
};

struct file {
    int fd;
    uint64_t at;  /* of what is not read yet */
    bool offsets; /* version 5 and later: cells are two arrays */
    struct fpgz_vtk_grid grid;
    bool of_cells; /* data of cells, not of points */
    const char *section;
    uint64_t count; /* points or cells that have data */
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
};

static bool vtk_probe(int fd, uint64_t size)
{
    char front[sizeof magic - 1];
    size_t got;
    (void)size;
    return fpgz_read_at(fd, front, sizeof front, 0, &got) && got == sizeof front &&
           !memcmp(front, magic, sizeof front);
}

/* Reads the next line. False at the end, and for what is longer than lines are. */
static bool read_line(struct file *file, struct line *line)
{
    char text[LINE_BYTES + 1];
    size_t got;
    if (!fpgz_read_at(file->fd, text, LINE_BYTES, file->at, &got))
        return false;
    const char *const end = memchr(text, '\n', got);
    if (!end && (!got || got == LINE_BYTES))
        return false;
    const size_t length = end ? (size_t)(end - text) : got;
    file->at += length + (end != NULL);
    text[length] = '\0';
    memset(line, 0, sizeof *line);
    sscanf(text, "%255s %255s %255s %255s %255s", line->word[0], line->word[1], line->word[2], line->word[3],
           line->word[4]);
    return true;
}

/* The same, of those with a word. */
static bool read_words(struct file *file, struct line *line)
{
    while (read_line(file, line))
        if (*line->word[0])
            return true;
    return false;
}

static bool is(const char *word, const char *name)
{
    return !strcasecmp(word, name);
}

static bool read_count(const char *word, uint64_t *count)
{
    char *end;
    *count = strtoull(word, &end, 10);
    return *word >= '0' && *word <= '9' && !*end;
}

static bool read_type(const char *word, enum fpgz_dtype *dtype)
{
    static const struct {
        const char *name;
        enum fpgz_dtype dtype;
    } types[] = {{"float", FPGZ_F32},          {"double", FPGZ_F64},
                 {"unsigned_char", FPGZ_U8},   {"char", FPGZ_I8},
                 {"unsigned_short", FPGZ_U16}, {"short", FPGZ_I16},
                 {"unsigned_int", FPGZ_U32},   {"int", FPGZ_I32},
                 {"unsigned_long", FPGZ_U64},  {"long", FPGZ_I64},
                 {"vtkIdType", FPGZ_I32},      {"vtktypeint64", FPGZ_I64},
                 {"vtktypeuint64", FPGZ_U64},  {"vtktypeint32", FPGZ_I32},
                 {"signed_char", FPGZ_I8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(word, types[i].name)) {
            *dtype = types[i].dtype;
            return true;
        }
    return false;
}

/* Adds an array that begins here, and moves behind it. False where it does not lie in the file. */
static bool add_array(struct file *file, const char *name, struct fpgz_array *array)
{
    char text[WORD_BYTES + 16];
    uint64_t bytes = fpgz_dtype_size(array->dtype);
    bool fits = true;
    for (unsigned d = 0; d < array->dims && fits; d++)
        fits = fpgz_mul(bytes, array->extent[d], &bytes);
    snprintf(text, sizeof text, "%s/%s", file->section, name);
    if (!fits || bytes > file->content->size - file->at) {
        fpgz_fail(file->remark, FPGZ_CORRUPT, "array %.*s does not lie in the file; archived as bytes",
                  fpgz_text_fit(text, FPGZ_NAME_SHOWN), text);
        return false;
    }
    array->order = FPGZ_BIG;
    fpgz_arrays_add_dense(file->content, text, array, file->at, file->remark, file->error);
    file->at += bytes;
    return true;
}

/* An array of `count` times `parts` values, as the word `type` tells. */
static bool add_values(struct file *file, const char *name, const char *type, uint64_t count, uint64_t parts)
{
    struct fpgz_array array = {0};
    fpgz_vtk_shape(&file->grid, file->of_cells, count, parts, &array);
    return read_type(type, &array.dtype) && add_array(file, name, &array);
}

/* Passes over lines that tell of the array before, up to an empty one. */
static void skip_metadata(struct file *file)
{
    struct line line;
    while (read_line(file, &line) && *line.word[0])
        ;
}

/* "FIELD name n": arrays, each behind a line "name parts tuples type". */
static bool read_field(struct file *file, const char *number)
{
    struct line line;
    uint64_t arrays, parts, tuples;
    if (!read_count(number, &arrays))
        return false;
    while (arrays > 0 && !file->error->status) {
        if (!read_words(file, &line))
            return false;
        if (is(line.word[0], "METADATA")) {
            skip_metadata(file);
            continue;
        }
        if (!read_count(line.word[1], &parts) || !read_count(line.word[2], &tuples) ||
            !add_values(file, line.word[0], line.word[3], tuples, parts))
            return false;
        arrays--;
    }
    return true;
}

/* "SCALARS name type [parts]", and mostly a line "LOOKUP_TABLE name". */
static bool read_scalars(struct file *file, const struct line *line)
{
    struct line next;
    uint64_t parts = 1;
    const uint64_t at = file->at;
    if (*line->word[3] && !read_count(line->word[3], &parts))
        return false;
    if (!read_words(file, &next) || !is(next.word[0], "LOOKUP_TABLE"))
        file->at = at;
    return add_values(file, line->word[1], line->word[2], file->count, parts);
}

/* "CELLS n size": as many integers; of later versions "OFFSETS type", n integers, "CONNECTIVITY type", and
 * the others. */
static bool read_cells(struct file *file, const struct line *line)
{
    const struct fpgz_vtk_grid grid = file->grid;
    const char *const section = file->section;
    struct line next;
    uint64_t cells, size;
    bool ok = read_count(line->word[1], &cells) && read_count(line->word[2], &size);
    file->section = line->word[0];
    file->grid.structured = false; /* cells are in a row */
    if (ok && file->offsets) {
        ok = read_words(file, &next) && add_values(file, "offsets", next.word[1], cells, 1) &&
             read_words(file, &next) && add_values(file, "connectivity", next.word[1], size, 1);
    } else if (ok) {
        const bool alike = cells && !(size % cells); /* mostly all cells have as many points */
        ok = add_values(file, "cells", "int", alike ? cells : size, alike ? size / cells : 1);
    }
    file->section = section;
    file->grid = grid;
    return ok;
}

/* What is behind the line "POINT_DATA n" or "CELL_DATA n". */
static bool read_data(struct file *file, const struct line *line)
{
    static const struct {
        const char *word;
        unsigned parts, type; /* 0: which word tells the parts; the type's word */
        const char *dtype;    /* NULL: that of the word */
    } known[] = {{"VECTORS", 3, 2, NULL},
                 {"NORMALS", 3, 2, NULL},
                 {"TENSORS", 9, 2, NULL},
                 {"TENSORS6", 6, 2, NULL},
                 {"GLOBAL_IDS", 1, 2, NULL},
                 {"PEDIGREE_IDS", 1, 2, NULL},
                 {"EDGE_FLAGS", 1, 2, NULL},
                 {"COLOR_SCALARS", 0, 2, "unsigned_char"},
                 {"TEXTURE_COORDINATES", 0, 3, NULL}};
    uint64_t parts, count;
    if (is(line->word[0], "SCALARS"))
        return read_scalars(file, line);
    if (is(line->word[0], "LOOKUP_TABLE"))
        return read_count(line->word[2], &count) &&
               add_values(file, line->word[1], "unsigned_char", count, 4);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is(line->word[0], known[i].word)) {
            parts = known[i].parts;
            return (parts || read_count(line->word[2], &parts)) &&
                   add_values(file, line->word[1],
                              known[i].dtype ? known[i].dtype : line->word[known[i].type], file->count,
                              parts);
        }
    return false;
}

/* Reads "DIMENSIONS x y z", in points. */
static bool read_dimensions(struct file *file, const struct line *line)
{
    file->grid.structured = true;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t points;
        if (!read_count(line->word[d + 1], &points) || points > UINT32_MAX)
            return false;
        file->grid.structured &= points > 0;
        file->grid.cells[d] = points - 1;
    }
    return true;
}

/* Follows a line, and moves behind its values. False where that cannot be. */
static bool follow(struct file *file, const struct line *line)
{
    const char *const word = line->word[0];
    uint64_t count;
    if (is(word, "DATASET") || is(word, "SPACING") || is(word, "ORIGIN") || is(word, "ASPECT_RATIO"))
        return true;
    if (is(word, "METADATA")) {
        skip_metadata(file);
        return true;
    }
    if (is(word, "DIMENSIONS"))
        return read_dimensions(file, line);
    if (is(word, "FIELD"))
        return read_field(file, line->word[2]);
    if (is(word, "CELLS") || is(word, "POLYGONS") || is(word, "LINES") || is(word, "VERTICES") ||
        is(word, "TRIANGLE_STRIPS"))
        return read_cells(file, line);
    if (!read_count(line->word[1], &count))
        return read_data(file, line);
    file->count = count;
    if (is(word, "POINT_DATA") || is(word, "CELL_DATA")) {
        file->of_cells = is(word, "CELL_DATA");
        file->section = file->of_cells ? "CellData" : "PointData";
        return true;
    }
    if (is(word, "POINTS"))
        return add_values(file, "points", line->word[2], count, 3);
    if (is(word, "X_COORDINATES") || is(word, "Y_COORDINATES") || is(word, "Z_COORDINATES"))
        return add_values(file, word, line->word[2], count, 1);
    if (is(word, "CELL_TYPES"))
        return add_values(file, word, "int", count, 1);
    return read_data(file, line);
}

static enum fpgz_status vtk_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                     struct fpgz_error *error)
{
    struct file file = {.fd = fd, .section = "Grid", .content = content, .remark = remark, .error = error};
    struct line line, title;
    if (!read_line(&file, &line) || !is(line.word[1], "vtk") || !read_line(&file, &title) ||
        !read_words(&file, &title)) {
        fpgz_fail(remark, FPGZ_CORRUPT, "does not begin as VTK's files do; archived as bytes");
        return FPGZ_OK;
    }
    file.offsets = strtod(line.word[4], NULL) >= 5;
    if (!is(title.word[0], "BINARY")) {
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "its values are not binary; archived as bytes");
        return FPGZ_OK;
    }
    while (!error->status && read_words(&file, &line)) {
        if (follow(&file, &line))
            continue;
        fpgz_fail(remark, FPGZ_UNSUPPORTED,
                  "the line that begins with %.*s is not known; the rest is archived as bytes",
                  fpgz_text_fit(line.word[0], FPGZ_NAME_SHOWN), line.word[0]);
        break;
    }
    return error->status;
}

const struct fpgz_source fpgz_source_vtk = {
    .name = "vtk",
    .summary = "VTK's legacy files with binary data: each array",
    .kind = 9,
    .probe = vtk_probe,
    .describe = vtk_describe,
    FPGZ_STORED,
};

/* SPDX-License-Identifier: MIT
 * Codes an index as numbers, and makes its entries of these again. */
#include "container/coded_index.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { TELLS_ERRORS = 8 }; /* added to the number of a chunk's coding extents */

/* What a chunk is told relative to. */
struct before {
    uint64_t array, number, first; /* of the chunk that would follow the last one */
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
};

/* Makes *before that of the chunk behind this one; the extents are there already. */
static void step(struct before *before, const struct fpgz_chunk_head *chunk)
{
    before->number = chunk->number + 1;
    before->first = chunk->first + fpgz_grid_values(&chunk->grid);
}

/* Begins to tell a chunk of this array. */
static void turn_to(struct before *before, uint64_t array)
{
    if (array != before->array)
        before->number = before->first = 0;
    before->array = array;
}

static bool any_kind(unsigned kind)
{
    (void)kind;
    return true;
}

static void write_file(const struct fpgz_section *section, struct fpgz_numbers *numbers,
                       struct fpgz_error *error)
{
    struct fpgz_file_head file;
    if (fpgz_unpack_file(section, any_kind, &file, error))
        return;
    const uint8_t *const head = fpgz_section_head(section);
    const size_t name = strlen(file.name);
    fpgz_numbers_add(numbers, head[0]);
    fpgz_numbers_add(numbers, head[1]);
    fpgz_numbers_add(numbers, file.mode);
    fpgz_numbers_add(numbers, file.size);
    if (head[1] & FPGZ_FILE_HAS_IMAGE)
        fpgz_numbers_add(numbers, file.image);
    fpgz_numbers_add(numbers, fpgz_zigzag((uint64_t)file.mtime));
    fpgz_numbers_add(numbers, file.mtime_ns);
    fpgz_numbers_add(numbers, name);
    fpgz_numbers_add_bytes(numbers, file.name, name);
    if (file.table_length) {
        fpgz_numbers_add(numbers, file.table_length);
        fpgz_numbers_add_bytes(numbers, file.table, file.table_length);
    }
}

static void read_file(struct fpgz_number_view *view, struct fpgz_section *section)
{
    struct fpgz_file_head file = {.kind = 0};
    const uint64_t kind = fpgz_number_take(view), flags = fpgz_number_take(view);
    file.mode = (uint32_t)fpgz_number_take(view);
    file.size = fpgz_number_take(view);
    file.image = flags & FPGZ_FILE_HAS_IMAGE ? fpgz_number_take(view) : file.size;
    file.mtime = (int64_t)fpgz_unzigzag(fpgz_number_take(view));
    file.mtime_ns = (uint32_t)fpgz_number_take(view);
    const uint64_t length = fpgz_number_take(view);
    const uint8_t *const name = fpgz_number_take_bytes(view, length);
    file.table_length = flags & FPGZ_FILE_HAS_TABLE ? fpgz_number_take(view) : 0;
    file.table = fpgz_number_take_bytes(view, file.table_length);
    if (!name || length >= sizeof file.name || !file.table || file.table_length > FPGZ_MAX_ARRAY_BYTES) {
        view->bad = true;
        return;
    }
    memcpy(file.name, name, length);
    fpgz_pack_file(&file, section);
    section->bytes[FPGZ_SECTION_BYTES] = (uint8_t)kind;
    section->bytes[FPGZ_SECTION_BYTES + 1] = (uint8_t)flags;
}

static void write_chunk(const struct fpgz_section *section, struct before *before,
                        struct fpgz_numbers *numbers, struct fpgz_numbers *checks, struct fpgz_error *error)
{
    struct fpgz_chunk_head chunk;
    if (fpgz_unpack_chunk(section, &chunk, error))
        return;
    fpgz_numbers_add(numbers, fpgz_zigzag(chunk.array - before->array));
    turn_to(before, chunk.array);
    fpgz_numbers_add(numbers, chunk.codec);
    fpgz_numbers_add(numbers, chunk.grid.dims + (chunk.has_errors ? TELLS_ERRORS : 0));
    fpgz_numbers_add(numbers, chunk.param_count);
    fpgz_numbers_add_change(numbers, &before->number, chunk.number);
    fpgz_numbers_add_change(numbers, &before->first, chunk.first);
    for (unsigned d = 0; d < chunk.grid.dims; d++)
        fpgz_numbers_add_change(numbers, &before->extent[d], chunk.grid.extent[d]);
    for (unsigned i = 0; i < chunk.param_count; i++)
        fpgz_numbers_add(numbers, chunk.params.value[i]);
    if (chunk.has_errors) {
        fpgz_numbers_add_bytes(numbers, &chunk.absolute_error, 8);
        fpgz_numbers_add_bytes(numbers, &chunk.relative_error, 8);
    }
    fpgz_numbers_add_bytes(checks, &chunk.raw_checksum, 8);
    step(before, &chunk);
}

static void read_chunk(struct fpgz_number_view *view, struct fpgz_number_view *checks, struct before *before,
                       bool coded, struct fpgz_section *section)
{
    struct fpgz_chunk_head chunk = {.param_count = 0};
    turn_to(before, before->array + fpgz_unzigzag(fpgz_number_take(view)));
    chunk.array = (uint32_t)before->array;
    chunk.codec = (uint16_t)fpgz_number_take(view);
    const uint64_t form = fpgz_number_take(view), params = fpgz_number_take(view);
    chunk.has_errors = form & TELLS_ERRORS;
    if (form >= 2 * TELLS_ERRORS || form % TELLS_ERRORS > FPGZ_MAX_CODING_DIMS || params > FPGZ_MAX_PARAMS) {
        view->bad = true;
        return;
    }
    chunk.grid.dims = form % TELLS_ERRORS;
    chunk.param_count = (unsigned)params;
    chunk.number = fpgz_number_take_change(view, &before->number);
    chunk.first = fpgz_number_take_change(view, &before->first);
    for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
        chunk.grid.extent[d] = d < chunk.grid.dims ? fpgz_number_take_change(view, &before->extent[d]) : 1;
    for (unsigned i = 0; i < chunk.param_count; i++)
        chunk.params.value[i] = (uint32_t)fpgz_number_take(view);
    const uint8_t *const errors = fpgz_number_take_bytes(view, chunk.has_errors ? 16 : 0);
    const uint8_t *const check = fpgz_number_take_bytes(checks, 8);
    if (!check || !errors) {
        view->bad = true;
        return;
    }
    if (chunk.has_errors) {
        memcpy(&chunk.absolute_error, errors, 8);
        memcpy(&chunk.relative_error, errors + 8, 8);
    }
    chunk.raw_checksum = fpgz_load64(check);
    fpgz_pack_chunk(&chunk, coded, section);
    step(before, &chunk);
}

/* The head of a section of any other type, byte by byte. */
static void write_head(const struct fpgz_section *section, struct fpgz_numbers *numbers)
{
    fpgz_numbers_add(numbers, section->head_length);
    fpgz_numbers_add_bytes(numbers, fpgz_section_head(section), section->head_length);
}

static void read_head(struct fpgz_number_view *view, uint16_t type, struct fpgz_section *section)
{
    const uint64_t length = fpgz_number_take(view);
    const uint8_t *const head = fpgz_number_take_bytes(view, length);
    if (!head || length > FPGZ_MAX_HEAD_BYTES) {
        view->bad = true;
        return;
    }
    memcpy(fpgz_head_begin(section, type, length), head, length);
}

enum fpgz_status fpgz_index_code(const struct fpgz_index *index, const void *table, size_t reserve,
                                 struct fpgz_numbers *body, struct fpgz_coded_head *head,
                                 struct fpgz_error *error)
{
    struct fpgz_section *const section = malloc(sizeof *section);
    struct fpgz_numbers numbers = {.failed = !section};
    struct fpgz_arrays_head arrays;
    struct before before = {0};
    const size_t start = body->length;
    for (size_t at = 0; at < index->length && !numbers.failed && !error->status;) {
        if (fpgz_index_next(index, &at, section, error))
            break;
        fpgz_numbers_add(&numbers, section->coded ? FPGZ_SECTION_CODED_CHUNK : section->type);
        if (section->type != FPGZ_SECTION_FILE)
            fpgz_numbers_add(&numbers, section->body_length);
        if (section->type == FPGZ_SECTION_FILE) {
            write_file(section, &numbers, error);
            continue;
        }
        fpgz_numbers_add_bytes(body, &section->body_checksum, 8);
        if (section->type == FPGZ_SECTION_ARRAYS && !fpgz_unpack_arrays(section, &arrays, error))
            fpgz_numbers_add(&numbers, arrays.bytes);
        else if (section->type == FPGZ_SECTION_CHUNK)
            write_chunk(section, &before, &numbers, body, error);
        else
            write_head(section, &numbers);
    }
    *head = (struct fpgz_coded_head){(uint32_t)numbers.length, (uint32_t)((body->length - start) / 8),
                                     (uint32_t)reserve};
    fpgz_numbers_add_bytes(body, table, reserve);
    fpgz_numbers_pack(&numbers, body);
    fpgz_numbers_free(&numbers);
    free(section);
    if (body->failed)
        fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
    return error->status;
}

/* Adds the sections that the numbers tell to the index. */
static enum fpgz_status take_entries(struct fpgz_number_view *view, struct fpgz_number_view *checks,
                                     const uint8_t *table, size_t reserve, struct fpgz_index *index,
                                     struct fpgz_error *error)
{
    struct fpgz_section *const section = malloc(sizeof *section);
    struct before before = {0};
    uint64_t offset = FPGZ_HEADER_BYTES;
    if (!section)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
    memset(section, 0, offsetof(struct fpgz_section, bytes)); /* of which the most are never used */
    for (; view->at < view->end && !view->bad && !error->status;) {
        const uint64_t type = fpgz_number_take(view);
        const bool empty = type == FPGZ_SECTION_FILE; /* which has no body */
        section->body_length = empty ? 0 : fpgz_number_take(view);
        const uint8_t *const checksum = fpgz_number_take_bytes(checks, empty ? 0 : 8);
        view->bad |= !checksum || type > UINT16_MAX || (empty && index->sections);
        if (view->bad)
            break;
        section->number = (uint32_t)index->sections;
        section->body_checksum = empty ? fpgz_checksum("", 0) : fpgz_load64(checksum);
        section->offset = offset;
        if (empty)
            read_file(view, section);
        else if (type == FPGZ_SECTION_ARRAYS)
            fpgz_pack_arrays(&(struct fpgz_arrays_head){(uint32_t)fpgz_number_take(view)}, section);
        else if (type == FPGZ_SECTION_CHUNK || type == FPGZ_SECTION_CODED_CHUNK)
            read_chunk(view, checks, &before, type == FPGZ_SECTION_CODED_CHUNK, section);
        else
            read_head(view, (uint16_t)type, section);
        view->bad |=
            !fpgz_add(offset, FPGZ_SECTION_BYTES + section->head_length, &offset) ||
            !fpgz_add(offset, section->body_length, &offset) ||
            (type == FPGZ_SECTION_ARRAYS && reserve &&
             (reserve != section->body_length || section->body_checksum != fpgz_checksum(table, reserve)));
        if (view->bad)
            break;
        fpgz_pack_section(section);
        if (!fpgz_index_add(index, section))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
    }
    free(section);
    return view->bad || checks->at < checks->end ? fpgz_fail(error, FPGZ_CORRUPT, "the index is none")
                                                 : error->status;
}

enum fpgz_status fpgz_index_decode(const struct fpgz_section *section, const uint8_t *body,
                                   struct fpgz_index *index, struct fpgz_error *error)
{
    struct fpgz_coded_head head;
    struct fpgz_buffer numbers = {0};
    if (fpgz_unpack_coded(section, &head, error))
        return error->status;
    const uint8_t *const table = body + 8 * (size_t)head.checks, *const packed = table + head.reserve;
    struct fpgz_number_view checks = {body, table, false};
    const enum fpgz_status status =
        fpgz_numbers_unpack(packed, (size_t)(body + section->body_length - packed), head.bytes, &numbers);
    if (status)
        fpgz_fail(error, status, status == FPGZ_MEMORY ? "no memory for the index" : "the index is none");
    else if (numbers.data)
        take_entries(&(struct fpgz_number_view){numbers.data, numbers.data + head.bytes, false}, &checks,
                     table, head.reserve, index, error);
    fpgz_buffer_free(&numbers);
    return error->status;
}

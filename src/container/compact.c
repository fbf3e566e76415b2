/* SPDX-License-Identifier: MIT
 * Writes and reads the fronts of compact members. */
#include "container/compact.h"

#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { HAS_MODE = 1, HAS_MTIME = 2, SAME_EXTENTS = 4, FLAGS = 7 };
enum { LAYOUT_FOLDED = 10 }; /* of arrays that tell how many values a row has */

/* The array of a raw file, which is all of it. */
struct own_array {
    uint64_t dtype, layout; /* twice, plus its order of bytes */
    uint64_t dims, extent[FPGZ_MAX_DIMS];
    uint64_t row; /* values, where the layout tells */
};

static bool has_row(const struct own_array *array)
{
    return array->layout / 2 == LAYOUT_FOLDED;
}

/* Bytes of the array; 0 where there is none such. */
static uint64_t bytes_of(const struct own_array *array)
{
    uint64_t bytes;
    return array->dtype < FPGZ_DTYPES && fpgz_dtype_known((unsigned)array->dtype) &&
                   fpgz_extents_bytes((enum fpgz_dtype)array->dtype, array->extent, (unsigned)array->dims,
                                      &bytes)
               ? bytes
               : 0;
}

/* Writes a table of this array alone, which has one chunk and no name; returns its bytes. */
static size_t write_table(const struct own_array *array, uint8_t *table)
{
    uint8_t *at = table;
    at += fpgz_number_put(array->dtype, at);
    at += fpgz_number_put(array->layout, at);
    at += fpgz_number_put(array->dims, at);
    for (unsigned d = 0; d < array->dims; d++)
        at += fpgz_number_put(fpgz_zigzag(array->extent[d]), at);
    at += fpgz_number_put(fpgz_zigzag(bytes_of(array)), at);
    if (has_row(array))
        at += fpgz_number_put(array->row, at);
    memset(at, 0, 3); /* the place, and the lengths of the name */
    return (size_t)(at + 3 - table);
}

/* Reads such a table. False where it is of another kind. */
static bool read_table(const struct fpgz_file_head *file, struct own_array *array)
{
    uint8_t again[sizeof((struct fpgz_compact *)NULL)->table];
    struct fpgz_number_view view = {file->table, file->table + file->table_length, false};
    *array = (struct own_array){.dtype = fpgz_number_take(&view)};
    array->layout = fpgz_number_take(&view);
    array->dims = fpgz_number_take(&view);
    for (unsigned d = 0; d < array->dims && d < FPGZ_MAX_DIMS; d++)
        array->extent[d] = fpgz_unzigzag(fpgz_number_take(&view));
    fpgz_number_take(&view); /* the bytes of a chunk */
    array->row = has_row(array) ? fpgz_number_take(&view) : 0;
    return !view.bad && array->dims && array->dims <= FPGZ_MAX_DIMS && bytes_of(array) == file->size &&
           write_table(array, again) == file->table_length && !memcmp(again, file->table, file->table_length);
}

static bool is_same(const struct own_array *array, const struct fpgz_grid *grid)
{
    return grid->dims == array->dims && !memcmp(grid->extent, array->extent, grid->dims * sizeof(uint64_t));
}

bool fpgz_compact_takes(const struct fpgz_compact *member)
{
    const struct fpgz_file_head *const file = &member->file;
    struct own_array array;
    return file->kind == FPGZ_KIND_RAW && file->size != FPGZ_UNKNOWN && read_table(file, &array) &&
           !member->chunk.array && !member->chunk.number && !member->chunk.first &&
           member->length < UINT32_MAX - FPGZ_HEADER_BYTES - 2 * FPGZ_COMPACT_NUMBERS;
}

/* What the front tells of the file, its array, and the stream; then of the chunk. */
static void write_numbers(const struct fpgz_compact *member, struct fpgz_numbers *n)
{
    const struct fpgz_file_head *const file = &member->file;
    const size_t name = strlen(file->name);
    struct own_array array;
    read_table(file, &array);
    const bool same = is_same(&array, &member->chunk.grid);
    fpgz_numbers_add(n, (file->has_mode ? HAS_MODE : 0) | (file->has_mtime ? HAS_MTIME : 0) |
                            (same ? SAME_EXTENTS : 0));
    if (file->has_mode)
        fpgz_numbers_add(n, file->mode);
    if (file->has_mtime) {
        fpgz_numbers_add(n, fpgz_zigzag((uint64_t)file->mtime));
        fpgz_numbers_add(n, file->mtime_ns);
    }
    fpgz_numbers_add(n, name);
    fpgz_numbers_add_bytes(n, file->name, name);
    fpgz_numbers_add(n, array.dtype);
    fpgz_numbers_add(n, array.layout);
    fpgz_numbers_add(n, array.dims);
    for (unsigned d = 0; d < array.dims; d++)
        fpgz_numbers_add(n, array.extent[d]);
    if (has_row(&array))
        fpgz_numbers_add(n, array.row);
    fpgz_numbers_add(n, member->length);
    fpgz_lone_chunk_write(&member->chunk, same ? array.extent : NULL, n);
}

void fpgz_compact_write(const struct fpgz_compact *member, struct fpgz_numbers *front)
{
    uint8_t header[FPGZ_HEADER_BYTES], checks[FPGZ_COMPACT_CHECKS];
    struct fpgz_numbers n = {0};
    write_numbers(member, &n);
    fpgz_pack_header(header, FPGZ_VERSION_COMPACT);
    fpgz_numbers_add_bytes(front, header, sizeof header);
    fpgz_numbers_add(front, n.length);
    fpgz_numbers_add_bytes(front, n.bytes.data, n.length);
    front->failed |= n.failed;
    fpgz_numbers_free(&n);
    if (front->failed)
        return;
    fpgz_store64(checks, member->checksum);
    fpgz_numbers_add_bytes(front, checks, 8);
    fpgz_store32(checks,
                 (uint32_t)fpgz_checksum(front->bytes.data + sizeof header, front->length - sizeof header));
    fpgz_numbers_add_bytes(front, checks, 4);
}

size_t fpgz_compact_length(const uint8_t *bytes, size_t have, size_t *numbers)
{
    *numbers = 0;
    for (size_t i = 0; i < have && i < FPGZ_COMPACT_LENGTH_MOST; i++) {
        *numbers |= (size_t)(bytes[i] & 0x7F) << 7 * i;
        if (bytes[i] < 0x80)
            return *numbers <= FPGZ_COMPACT_NUMBERS ? i + 1 : FPGZ_COMPACT_LENGTH_MOST + 1;
    }
    return have < FPGZ_COMPACT_LENGTH_MOST ? 0 : FPGZ_COMPACT_LENGTH_MOST + 1;
}

/* Takes a number that must not exceed `most`. */
static uint64_t take_up_to(struct fpgz_number_view *view, uint64_t most)
{
    const uint64_t number = fpgz_number_take(view);
    view->bad |= number > most;
    return number;
}

/* Takes the fields of the file's head but for the table. */
static void take_file(struct fpgz_number_view *view, unsigned flags, struct fpgz_file_head *file)
{
    *file = (struct fpgz_file_head){
        .kind = FPGZ_KIND_RAW, .has_mode = flags & HAS_MODE, .has_mtime = flags & HAS_MTIME};
    if (file->has_mode)
        file->mode = (uint32_t)take_up_to(view, UINT32_MAX);
    if (file->has_mtime) {
        file->mtime = (int64_t)fpgz_unzigzag(fpgz_number_take(view));
        file->mtime_ns = (uint32_t)take_up_to(view, UINT32_MAX);
    }
    const uint64_t name = take_up_to(view, sizeof file->name - 1);
    const uint8_t *const bytes = fpgz_number_take_bytes(view, name);
    view->bad |= !bytes || memchr(bytes, '\0', name);
    if (!view->bad)
        memcpy(file->name, bytes, name);
}

/* Takes the array, and makes the table of it. */
static void take_array(struct fpgz_number_view *view, struct own_array *array, struct fpgz_compact *member)
{
    struct fpgz_file_head *const file = &member->file;
    *array = (struct own_array){.dtype = fpgz_number_take(view)};
    array->layout = fpgz_number_take(view);
    array->dims = take_up_to(view, FPGZ_MAX_DIMS);
    for (unsigned d = 0; d < array->dims && d < FPGZ_MAX_DIMS; d++)
        array->extent[d] = fpgz_number_take(view);
    if (has_row(array))
        array->row = fpgz_number_take(view);
    file->image = file->size = bytes_of(array);
    view->bad |= !array->dims;
    file->table = member->table;
    file->table_length = view->bad ? 0 : write_table(array, member->table);
}

enum fpgz_status fpgz_compact_read(const uint8_t *front, size_t length, struct fpgz_section *section,
                                   struct fpgz_compact *member, struct fpgz_error *error)
{
    size_t numbers;
    const uint8_t *const checks = front + length - FPGZ_COMPACT_CHECKS;
    struct fpgz_number_view view = {front + fpgz_compact_length(front, length, &numbers), checks, false};
    if (fpgz_load32(checks + 8) != (uint32_t)fpgz_checksum(front, length - 4))
        return fpgz_fail(error, FPGZ_CORRUPT, "the container's front is damaged");
    const uint64_t flags = fpgz_number_take(&view);
    struct own_array array;
    if (flags > FLAGS)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "a compact container has flags that this fpgz does not know: use a newer fpgz");
    section->type = FPGZ_SECTION_FILE;
    section->number = FPGZ_COMPACT_FILE;
    take_file(&view, (unsigned)flags, &member->file);
    take_array(&view, &array, member);
    member->length = fpgz_number_take(&view);
    member->checksum = fpgz_load64(checks);
    if (view.bad)
        return fpgz_head_bad(section, error);
    section->type = FPGZ_SECTION_CHUNK;
    section->number = FPGZ_COMPACT_CHUNK;
    return fpgz_lone_chunk_read(&view, section, flags & SAME_EXTENTS ? array.extent : NULL, &member->chunk,
                                error);
}

void fpgz_compact_section(const struct fpgz_compact *member, enum fpgz_compact_section which, uint64_t body,
                          struct fpgz_section *section)
{
    const bool chunk = which == FPGZ_COMPACT_CHUNK;
    if (chunk)
        fpgz_pack_chunk(&member->chunk, true, section);
    else
        fpgz_pack_file(&member->file, section);
    section->number = which;
    section->body_length = chunk ? member->length : 0;
    section->body_checksum = chunk ? member->checksum : fpgz_checksum("", 0);
    section->offset = body - FPGZ_SECTION_BYTES - section->head_length; /* modulo 2^64: there is no header */
    fpgz_pack_section(section);
}

void fpgz_compact_end(const struct fpgz_compact *member, uint64_t length, struct fpgz_section *section)
{
    uint8_t checks[3 * 8];
    for (unsigned which = FPGZ_COMPACT_FILE; which < FPGZ_COMPACT_SHORT_END; which++) {
        fpgz_compact_section(member, which, 0, section);
        fpgz_store64(checks + 8 * which, section->check);
    }
    fpgz_store64(checks + 8 * FPGZ_COMPACT_SHORT_END, length);
    fpgz_pack_end(&(struct fpgz_end_head){.member_length = length,
                                          .content_check = fpgz_checksum(checks, sizeof checks)},
                  section);
    section->number = FPGZ_COMPACT_SHORT_END;
    section->body_length = 0;
    section->body_checksum = fpgz_checksum("", 0);
    fpgz_pack_section(section);
}

/* SPDX-License-Identifier: MIT
 * Follows a member's sections as they are read: its arrays, their chunks, and whether all chunks came. */
#include "container/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container/runs.h"
#include "container/table.h"
#include "core/bytes.h"
#include "core/room.h"

enum fpgz_status fpgz_member_file(struct fpgz_member *member, const struct fpgz_section *section,
                                  bool (*has_kind)(unsigned kind), struct fpgz_error *error)
{
    if (member->has_file || section->number != 0 || section->body_length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a file section is the first one, and has no body",
                         section->number);
    member->has_file = true;
    return fpgz_unpack_file(section, has_kind, &member->file, error);
}

/* Values in one step along the array's slowest axis; false when they cannot be counted. */
static bool row_values(const struct fpgz_array *array, uint64_t *values)
{
    *values = 1;
    for (unsigned d = 1; d < array->dims; d++)
        if (!fpgz_mul(*values, array->extent[d], values))
            return false;
    return true;
}

/* The array of a raw file. It is the whole file, so it has no table of places. */
static bool take_raw(struct fpgz_member_array *taken, const struct fpgz_array_head *head)
{
    const struct fpgz_array *array = &head->part.array;
    const bool open = array->extent[0] == FPGZ_UNKNOWN;
    uint64_t row, values, bytes;
    if (head->number || head->file_offset || head->part.layout != FPGZ_DENSE || head->part.column_major ||
        !row_values(array, &row) || !row || !fpgz_mul(row, open ? 1 : array->extent[0], &values) ||
        !fpgz_mul(values, fpgz_dtype_size(array->dtype), &bytes) || bytes > INT64_MAX)
        return false;
    taken->due = open ? FPGZ_UNKNOWN : values;
    return fpgz_place_add(&taken->part.place, 0, INT64_MAX, 0);
}

/* Whether the runs that were read are those of the array. Others are dropped: nothing may go to their places,
 * even where the rest of the member is restored. */
static bool place_fits(const struct fpgz_member *member, struct fpgz_member_array *taken)
{
    struct fpgz_part *const part = &taken->part;
    const bool fits = fpgz_part_valid(part, member->file.image) &&
                      part->place.bytes == taken->due * fpgz_dtype_size(part->array.dtype);
    if (!fits) {
        free(part->place.run);
        part->place = (struct fpgz_place){0};
    }
    return fits;
}

enum fpgz_status fpgz_member_table(struct fpgz_member *member, size_t array, const uint8_t *table,
                                   size_t length, struct fpgz_error *error)
{
    struct fpgz_member_array *const taken = &member->array[array];
    struct fpgz_part *const part = &taken->part;
    struct fpgz_error inner = {0};
    struct fpgz_number_view view = {table, length ? table + length : table, false};
    if (!fpgz_runs_take(&view, UINT64_MAX, part, &inner) && place_fits(member, taken))
        return FPGZ_OK;
    return fpgz_fail(error, inner.status == FPGZ_MEMORY ? FPGZ_MEMORY : FPGZ_CORRUPT,
                     "the table of runs of array %zu contradicts it", array);
}

/* An array of a file of another kind. */
static bool take_part(struct fpgz_member *member, struct fpgz_member_array *taken,
                      const struct fpgz_array_head *head)
{
    struct fpgz_part *const part = &taken->part;
    const struct fpgz_array *array = &part->array;
    uint64_t bytes;
    if (head->number != member->arrays - 1 ||
        !fpgz_extents_bytes(array->dtype, part->layout == FPGZ_PIECES ? part->piece : array->extent,
                            array->dims, &bytes) ||
        (part->layout == FPGZ_PIECES && !fpgz_mul(bytes, head->pieces, &bytes)) ||
        !fpgz_add(member->due_bytes, bytes, &member->due_bytes) || member->due_bytes > member->file.image)
        return false;
    taken->due = bytes / fpgz_dtype_size(array->dtype);
    return part->layout != FPGZ_DENSE || (fpgz_place_add(&part->place, head->file_offset, bytes, 0) &&
                                          fpgz_part_valid(part, member->file.image));
}

/* Whether arrays may be described in this section. */
static enum fpgz_status expect_arrays(const struct fpgz_member *member, const struct fpgz_section *section,
                                      bool body, struct fpgz_error *error)
{
    const bool raw = member->file.kind == FPGZ_KIND_RAW;
    if (!member->has_file || (raw && (member->arrays || body)))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a raw file has one array, behind its file section",
                         section->number);
    if (member->chunks)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": an array behind chunks", section->number);
    return FPGZ_OK;
}

/* A member of the group that came last, in which its values are. */
static bool take_grouped(const struct fpgz_member *member, struct fpgz_member_array *taken)
{
    const struct fpgz_array *const array = &taken->part.array;
    uint64_t bytes = 0;
    const bool ok = fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes);
    taken->due = bytes / fpgz_dtype_size(array->dtype);
    taken->largest_chunk = member->array[taken->part.group - 1].largest_chunk;
    return ok;
}

/* Adds the array, whose runs it takes over. */
static enum fpgz_status add_array(struct fpgz_member *member, const struct fpgz_section *section,
                                  const struct fpgz_array_head *head, bool body, struct fpgz_error *error)
{
    const bool raw = member->file.kind == FPGZ_KIND_RAW;
    struct fpgz_part part = head->part;
    struct fpgz_member_array *const larger = fpgz_room(member->array, member->arrays, sizeof *larger);
    if (!larger) {
        fpgz_part_free(&part);
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", member->arrays + 1);
    }
    member->array = larger;
    struct fpgz_member_array *taken = &member->array[member->arrays++];
    *taken = (struct fpgz_member_array){.part = head->part, .largest_chunk = head->largest_chunk};
    taken->part.name = strndup(head->name, head->name_length);
    if (!taken->part.name)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", member->arrays);
    if (head->largest_chunk > FPGZ_CHUNK_LIMIT)
        return fpgz_fail(error, FPGZ_LIMIT,
                         "its chunks are of up to %" PRIu64 " bytes, more than the limit of %" PRIu64,
                         head->largest_chunk, FPGZ_CHUNK_LIMIT);
    if ((head->part.layout == FPGZ_DENSE && body) || (head->part.group ? !take_grouped(member, taken)
                                                      : raw            ? !take_raw(taken, head)
                                                                       : !take_part(member, taken, head)))
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": its array cannot be that of %s",
                         section->number, raw ? "a raw file" : "its file");
    return FPGZ_OK;
}

enum fpgz_status fpgz_member_array(struct fpgz_member *member, const struct fpgz_section *section,
                                   const uint8_t *body, struct fpgz_error *error)
{
    struct fpgz_array_head head;
    if (expect_arrays(member, section, section->body_length, error) ||
        fpgz_unpack_array(section, &head, error))
        return error->status;
    member->table_bytes += section->body_length;
    if (add_array(member, section, &head, section->body_length, error))
        return error->status;
    return head.part.layout != FPGZ_DENSE && body
               ? fpgz_member_table(member, member->arrays - 1, body, section->body_length, error)
               : FPGZ_OK;
}

/* Takes the arrays of an unpacked table. */
static enum fpgz_status take_table(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_table *table, struct fpgz_error *error)
{
    while (table->view.at < table->view.end && !error->status) {
        struct fpgz_array_head head;
        if (table->read == FPGZ_MAX_ARRAYS || (table->read && member->file.kind == FPGZ_KIND_RAW))
            return fpgz_fail(error, table->read == FPGZ_MAX_ARRAYS ? FPGZ_LIMIT : FPGZ_CORRUPT,
                             "section %" PRIu32 ": its arrays are too many", section->number);
        if (fpgz_table_next(table, &head, error)) {
            fpgz_part_free(&head.part);
        } else if (!add_array(member, section, &head, false, error) && head.part.layout != FPGZ_DENSE &&
                   !place_fits(member, &member->array[member->arrays - 1])) {
            fpgz_fail(error, FPGZ_CORRUPT, "the table of runs of array %zu contradicts it",
                      member->arrays - 1);
        }
    }
    if (table->members)
        fpgz_fail(error, FPGZ_CORRUPT, "the table of arrays ends within a group");
    return error->status;
}

enum fpgz_status fpgz_member_arrays(struct fpgz_member *member, const struct fpgz_section *section,
                                    const uint8_t *body, struct fpgz_error *error)
{
    struct fpgz_arrays_head head;
    struct fpgz_buffer unpacked = {0};
    if (expect_arrays(member, section, false, error) || fpgz_unpack_arrays(section, &head, error))
        return error->status;
    if (member->arrays)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": a second table of arrays",
                         section->number);
    if (head.bytes > FPGZ_MAX_TABLE_BYTES)
        return fpgz_fail(error, FPGZ_LIMIT, "its table of arrays exceeds the limit of %d bytes",
                         FPGZ_MAX_TABLE_BYTES);
    const enum fpgz_status status = fpgz_numbers_unpack(body, section->body_length, head.bytes, &unpacked);
    struct fpgz_table *const table = calloc(1, sizeof *table);
    if (status == FPGZ_CORRUPT) {
        fpgz_fail(error, status, "section %" PRIu32 ": the table of arrays is none", section->number);
    } else if (status || !table) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory for a table of %" PRIu32 " bytes", head.bytes);
    } else {
        table->view = (struct fpgz_number_view){unpacked.data, unpacked.data + head.bytes, false};
        take_table(member, section, table, error);
    }
    free(table);
    fpgz_buffer_free(&unpacked);
    return error->status;
}

/* Whether the chunk begins and ends with a piece of the part. */
static bool whole_pieces(const struct fpgz_part *part, const struct fpgz_chunk_head *head)
{
    uint64_t piece = 1;
    for (unsigned d = 0; d < part->array.dims; d++)
        piece *= part->piece[d]; /* which take_part() has checked */
    return head->first % piece == 0 && fpgz_grid_values(&head->grid) % piece == 0;
}

enum fpgz_status fpgz_member_chunk(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_chunk_head *head, const struct fpgz_codec **codec,
                                   struct fpgz_error *error)
{
    if (!member->arrays)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": a chunk before its array",
                         section->number);
    if (fpgz_unpack_chunk(section, head, error))
        return error->status;
    if (head->array >= member->arrays)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a chunk of array %" PRIu32 ", but there are only %zu",
                         section->number, head->array, member->arrays);
    struct fpgz_member_array *array = &member->array[head->array];
    if (array->part.group)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": a chunk of an array that is in a group",
                         section->number);
    head->grid.dtype = array->part.array.dtype;
    if (head->number != array->chunks || head->first != array->values)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 " is chunk %" PRIu64 " from value %" PRIu64 ", but chunk %" PRIu64
                         " from value %" PRIu64 " is due",
                         section->number, head->number, head->first, array->chunks, array->values);
    *codec = fpgz_codec_by_id(head->codec);
    if (!*codec)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "chunk %" PRIu64 " was coded by codec %u, which is not in this fpgz: "
                         "use a newer or fuller one",
                         head->number, head->codec);
    if ((*codec)->missing)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "chunk %" PRIu64
                         " was coded by %s, which is not in this fpgz, for it was built without "
                         "%s: use a fuller one",
                         head->number, (*codec)->name, (*codec)->missing);
    if (fpgz_grid_valid(&head->grid) && !fpgz_grid_values(&head->grid))
        return fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " has no values", head->number);
    if (!fpgz_grid_valid(&head->grid) || fpgz_grid_bytes(&head->grid) > array->largest_chunk)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "chunk %" PRIu64 " is larger than the %" PRIu64 " bytes that its array allows",
                         head->number, array->largest_chunk);
    if (array->due != FPGZ_UNKNOWN && fpgz_grid_values(&head->grid) > array->due - array->values)
        return fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " reaches beyond the end of its array",
                         head->number);
    struct fpgz_error unfit = {0};
    if (head->grid.dims > (*codec)->max_dims || head->param_count != (*codec)->param_count ||
        head->has_errors == (*codec)->lossless ||
        fpgz_codec_check(*codec, head->grid.dtype, &head->params, &unfit) ||
        section->body_length > (*codec)->bound(&head->grid, &head->params))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "chunk %" PRIu64 " cannot have been coded by %s as its head says", head->number,
                         (*codec)->name);
    if (array->part.filters.count && !whole_pieces(&array->part, head))
        return fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " is not made of whole pieces", head->number);
    member->chunks++;
    member->chunk_bytes += fpgz_grid_bytes(&head->grid);
    array->chunks++;
    array->values += fpgz_grid_values(&head->grid);
    return FPGZ_OK;
}

/* Whether the chunks make up the array. Where its slowest extent is unknown, they must be whole rows. */
static bool whole(const struct fpgz_member_array *array)
{
    uint64_t row = 1;
    if (array->part.group)
        return true;
    row_values(&array->part.array, &row);
    return array->due == FPGZ_UNKNOWN ? array->values % row == 0 : array->values == array->due;
}

enum fpgz_status fpgz_member_end(const struct fpgz_member *member, struct fpgz_error *error)
{
    if (!member->arrays)
        return fpgz_fail(error, FPGZ_CORRUPT, "the container has no array");
    bool all = member->file.size == FPGZ_UNKNOWN || member->file.image == member->chunk_bytes;
    for (size_t i = 0; i < member->arrays && all; i++)
        all = whole(&member->array[i]);
    if (!all)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "its chunks restore %" PRIu64 " bytes, which is not the whole file",
                         member->chunk_bytes);
    return FPGZ_OK;
}

uint64_t fpgz_member_come(const struct fpgz_member *member)
{
    const struct fpgz_file_head *const file = &member->file;
    const uint64_t come = member->chunk_bytes;
    return file->image == file->size ? come : come == file->image ? file->size : fpgz_min(come, file->size);
}

uint64_t fpgz_member_bytes(const struct fpgz_member *member)
{
    const struct fpgz_member_array *const array = member->array;
    const uint64_t size = member->file.size;
    if (member->file.kind != FPGZ_KIND_RAW || !member->arrays || array->due == FPGZ_UNKNOWN)
        return size;
    const uint64_t due = array->due * fpgz_dtype_size(array->part.array.dtype);
    return size == FPGZ_UNKNOWN || size < due ? due : size;
}

void fpgz_member_shape(const struct fpgz_member_array *from, struct fpgz_array *array)
{
    uint64_t row = 1;
    *array = from->part.array;
    row_values(array, &row);
    if (array->extent[0] == FPGZ_UNKNOWN)
        array->extent[0] = from->values / row;
}

void fpgz_member_free(struct fpgz_member *member)
{
    for (size_t i = 0; i < member->arrays; i++)
        fpgz_part_free(&member->array[i].part);
    free(member->array);
    memset(member, 0, sizeof *member);
}

/* SPDX-License-Identifier: MIT
 * Takes a member's arrays, from their sections or from a table, and checks that they fit together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container/member.h"
#include "container/runs.h"
#include "container/table.h"
#include "core/band.h"
#include "core/bytes.h"
#include "core/room.h"

/* Whether rows of a raw file's array may be columns: of one that the file's head describes. */
static bool raw_turns(const struct fpgz_section *section, const struct fpgz_part *part, uint64_t values)
{
    const uint64_t row = fpgz_part_row(part);
    return section->type == FPGZ_SECTION_FILE && row > 1 && values / row > 1;
}

/* The array of a raw file. It is the whole file, so it has no table of places. */
static bool take_raw(const struct fpgz_section *section, struct fpgz_member_array *taken,
                     const struct fpgz_array_head *head)
{
    const struct fpgz_array *array = &head->part.array;
    const bool open = array->extent[0] == FPGZ_UNKNOWN;
    uint64_t row, values, bytes;
    if (head->number || head->file_offset || head->part.layout != FPGZ_DENSE || head->part.column_major ||
        !fpgz_array_row(array, &row) || !row || !fpgz_mul(row, open ? 1 : array->extent[0], &values) ||
        !fpgz_mul(values, fpgz_dtype_size(array->dtype), &bytes) || bytes > INT64_MAX ||
        (head->part.turned && (open || !raw_turns(section, &head->part, values))))
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

/* A member of the group that came last, in which its values are. Its pieces follow each other. */
static bool take_grouped(const struct fpgz_member *member, struct fpgz_member_array *taken)
{
    const struct fpgz_part *const part = &taken->part;
    const struct fpgz_array *const array = &part->array;
    uint64_t bytes = 0;
    bool ok = fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes);
    if (part->layout == FPGZ_PIECES) {
        bytes = part->place.bytes;
        ok = fpgz_part_valid(part, bytes);
    }
    taken->due = bytes / fpgz_dtype_size(array->dtype);
    taken->largest_chunk = member->array[part->carrier - 1].largest_chunk;
    return ok;
}

/* Makes the array a copy of an earlier one, whose bytes it has; a filtered copy is filtered in the same way.
 */
static enum fpgz_status take_copy(struct fpgz_member *member, uint32_t source, struct fpgz_error *error)
{
    const uint32_t number = (uint32_t)member->arrays - 1;
    struct fpgz_member_array *const from = &member->array[source - 1], *const taken = &member->array[number];
    struct fpgz_part *const part = &taken->part;
    const bool filtered = part->filters.count, filters = from->part.filters.count;
    if (!member->file.scattered || from->part.carrier || !fpgz_part_is_array(&from->part) ||
        filtered != filters || !fpgz_bands_alike(&from->part, part) || from->part.kepts ||
        part->array.dtype != from->part.array.dtype || part->array.order != from->part.array.order ||
        part->place.bytes != from->part.place.bytes ||
        (filtered && fpgz_part_piece_bytes(part) != fpgz_part_piece_bytes(&from->part)))
        return fpgz_fail(error, FPGZ_CORRUPT, "array %" PRIu32 " is a copy of one that it does not fit",
                         number);
    if (filtered) {
        const uint64_t bytes = part->place.bytes / fpgz_part_piece_bytes(part) * sizeof *part->stored;
        part->stored = malloc(bytes);
        if (!part->stored || !fpgz_filters_copy(&from->part.filters, &part->filters))
            return fpgz_fail(error, FPGZ_MEMORY, "no memory for a table of filtered pieces");
        memcpy(part->stored, from->part.stored, bytes);
    }
    taken->largest_chunk = from->largest_chunk;
    return FPGZ_OK;
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
    if ((head->part.layout == FPGZ_DENSE && body) || (head->part.carrier ? !take_grouped(member, taken)
                                                      : raw              ? !take_raw(section, taken, head)
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
            break;
        }
        if (add_array(member, section, &head, false, error) ||
            (head.source && take_copy(member, head.source, error)))
            break;
        struct fpgz_member_array *const taken = &member->array[member->arrays - 1];
        if (head.part.layout != FPGZ_DENSE && !place_fits(member, taken))
            fpgz_fail(error, FPGZ_CORRUPT, "the table of runs of array %" PRIu32 " contradicts it",
                      head.number);
        else if (head.source)
            fpgz_part_make_copy(&member->array[head.source - 1].part, head.source - 1, &taken->part,
                                head.number);
    }
    if (table->members)
        fpgz_fail(error, FPGZ_CORRUPT, "the table of arrays ends within a group");
    return error->status;
}

enum fpgz_status fpgz_member_own_array(struct fpgz_member *member, const struct fpgz_section *section,
                                       struct fpgz_error *error)
{
    struct fpgz_file_head *const file = &member->file;
    struct fpgz_table *const table = calloc(1, sizeof *table);
    if (!table)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for the description of an array");
    table->view = (struct fpgz_number_view){file->table, file->table + file->table_length, false};
    take_table(member, section, table, error);
    file->table = NULL; /* the section does not stay */
    file->table_length = 0;
    free(table);
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

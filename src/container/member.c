/* SPDX-License-Identifier: MIT
 * Follows a member's sections as they are read: its file, the chunks, and whether all of them came. */
#include "container/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/band.h"
#include "core/bytes.h"

enum fpgz_status fpgz_member_file(struct fpgz_member *member, const struct fpgz_section *section,
                                  bool (*has_kind)(unsigned kind), struct fpgz_error *error)
{
    if (member->has_file || section->number != 0 || section->body_length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a file section is the first one, and has no body",
                         section->number);
    member->has_file = true;
    return fpgz_unpack_file(section, has_kind, &member->file, error) || !member->file.table_length
               ? error->status
               : fpgz_member_own_array(member, section, error);
}

/* Whether the chunk begins and ends with a piece of the part. */
static bool whole_units(const struct fpgz_part *part, const struct fpgz_chunk_head *head)
{
    uint64_t extent[FPGZ_MAX_DIMS], unit = 1;
    fpgz_part_unit(part, extent);
    for (unsigned d = 0; d < part->array.dims; d++)
        unit *= extent[d]; /* which take_part() has checked */
    return head->first % unit == 0 && fpgz_grid_values(&head->grid) % unit == 0;
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
    if (array->part.carrier)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a chunk of an array that is in a group, or a copy",
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
    if (array->part.filters.count && !whole_units(&array->part, head))
        return fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " is not made of whole pieces", head->number);
    member->chunks++;
    member->chunk_bytes += fpgz_grid_bytes(&head->grid) * (1 + (uint64_t)array->part.copies);
    array->chunks++;
    array->values += fpgz_grid_values(&head->grid);
    return FPGZ_OK;
}

/* Whether the chunks make up the array. Where its slowest extent is unknown, they must be whole rows. */
static bool whole(const struct fpgz_member_array *array)
{
    uint64_t row = 1;
    if (array->part.carrier)
        return true;
    fpgz_array_row(&array->part.array, &row);
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

const struct fpgz_part *fpgz_member_copy(const struct fpgz_member *member, const struct fpgz_part *part)
{
    return part->copy ? &member->array[part->copy - 1].part : NULL;
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
    fpgz_array_row(array, &row);
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

/* SPDX-License-Identifier: MIT */
#include "container/member.h"

#include <inttypes.h>

#include "core/bytes.h"

enum fpgz_status fpgz_member_file(struct fpgz_member *member, const struct fpgz_section *section,
                                  struct fpgz_error *error)
{
    if (member->has_file || section->number != 0 || section->body_length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a file section is the first one, and has no body",
                         section->number);
    member->has_file = true;
    return fpgz_unpack_file(section, &member->file, error);
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

enum fpgz_status fpgz_member_array(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_error *error)
{
    uint64_t row, values, bytes;
    struct fpgz_array_head *head = &member->array;
    if (!member->has_file || member->has_array || section->body_length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 ": a raw file has one array, behind its file section",
                         section->number);
    if (fpgz_unpack_array(section, head, error))
        return error->status;
    member->has_array = true;
    const uint64_t slowest = head->array.extent[0] == FPGZ_UNKNOWN ? 1 : head->array.extent[0];
    if (head->number || head->file_offset || !row_values(&head->array, &row) || !row ||
        !fpgz_mul(row, slowest, &values) || !fpgz_mul(values, fpgz_dtype_size(head->array.dtype), &bytes) ||
        bytes > INT64_MAX)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": its array cannot be that of a raw file",
                         section->number);
    if (head->largest_chunk > FPGZ_CHUNK_LIMIT)
        return fpgz_fail(error, FPGZ_LIMIT,
                         "its chunks are of up to %" PRIu64 " bytes, more than the limit of %" PRIu64,
                         head->largest_chunk, FPGZ_CHUNK_LIMIT);
    return FPGZ_OK;
}

enum fpgz_status fpgz_member_chunk(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_chunk_head *head, const struct fpgz_codec **codec,
                                   struct fpgz_error *error)
{
    if (!member->has_array)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ": a chunk before its array",
                         section->number);
    if (fpgz_unpack_chunk(section, head, error))
        return error->status;
    const struct fpgz_array *array = &member->array.array;
    head->grid.dtype = array->dtype;
    if (head->array != 0 || head->number != member->chunks || head->first != member->values)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "section %" PRIu32 " is chunk %" PRIu64 " from value %" PRIu64 ", but chunk %" PRIu64
                         " from value %" PRIu64 " is due",
                         section->number, head->number, head->first, member->chunks, member->values);
    *codec = fpgz_codec_by_id(head->codec);
    if (!*codec)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "chunk %" PRIu64 " was coded by codec %u, which is not in this fpgz: "
                         "use a newer or fuller one",
                         head->number, head->codec);
    if (!fpgz_grid_valid(&head->grid) || !fpgz_grid_values(&head->grid) ||
        fpgz_grid_bytes(&head->grid) > member->array.largest_chunk)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "chunk %" PRIu64 " is larger than the %" PRIu64 " bytes that its array allows",
                         head->number, member->array.largest_chunk);
    struct fpgz_error unfit = {0};
    if (head->grid.dims > (*codec)->max_dims || head->param_count != (*codec)->param_count ||
        fpgz_codec_check(*codec, array->dtype, &head->params, &unfit) ||
        section->body_length > (*codec)->bound(&head->grid, &head->params))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "chunk %" PRIu64 " cannot have been coded by %s as its head says", head->number,
                         (*codec)->name);
    member->chunks++;
    member->values += fpgz_grid_values(&head->grid);
    return FPGZ_OK;
}

enum fpgz_status fpgz_member_end(const struct fpgz_member *member, struct fpgz_error *error)
{
    uint64_t row = 1;
    if (!member->has_array)
        return fpgz_fail(error, FPGZ_CORRUPT, "the container has no array");
    const struct fpgz_array *array = &member->array.array;
    row_values(array, &row);
    const bool whole = array->extent[0] == FPGZ_UNKNOWN ? member->values % row == 0
                                                        : member->values == array->extent[0] * row;
    const uint64_t bytes = fpgz_member_raw_bytes(member);
    if (!whole || (member->file.size != FPGZ_UNKNOWN && member->file.size != bytes))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "its chunks restore %" PRIu64 " bytes, which is not the whole file", bytes);
    return FPGZ_OK;
}

uint64_t fpgz_member_raw_bytes(const struct fpgz_member *member)
{
    return member->has_array ? member->values * fpgz_dtype_size(member->array.array.dtype) : 0;
}

void fpgz_member_shape(const struct fpgz_member *member, struct fpgz_array *array)
{
    uint64_t row = 1;
    *array = member->array.array;
    row_values(array, &row);
    if (array->extent[0] == FPGZ_UNKNOWN)
        array->extent[0] = member->values / row;
}

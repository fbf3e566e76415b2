/* SPDX-License-Identifier: MIT
 * Reads a regular file from its back: the member that ends at a byte, and its index. */
#include <inttypes.h>

#include "container/reader.h"
#include "core/bytes.h"

/* Reads `size` bytes before byte `stop`, if there are so many. Whether they are an end section. */
static bool is_end_section(struct fpgz_reader *reader, uint64_t stop, size_t size, struct fpgz_end_head *head,
                           struct fpgz_error *error)
{
    struct fpgz_section *const section = &reader->section;
    struct fpgz_error inner = {0};
    if (stop < FPGZ_HEADER_BYTES + size)
        return false;
    reader->position = stop - size;
    return !fpgz_reader_take(reader, section->bytes, size, error) &&
           !fpgz_unpack_head_length(section->bytes, &section->head_length, &inner) &&
           section->head_length == size - FPGZ_SECTION_BYTES && !fpgz_unpack_section(section, &inner) &&
           fpgz_section_is_end(section) && !fpgz_unpack_end(section, head, &inner);
}

/* Whether a compact member ends at byte `stop`, by the length at its end and its front. Reads this, and makes
 * its end section. */
static bool is_compact(struct fpgz_reader *reader, uint64_t stop, struct fpgz_end_head *head,
                       struct fpgz_error *error)
{
    uint8_t end[FPGZ_COMPACT_END];
    struct fpgz_error inner = {0};
    bool more;
    reader->position = stop - sizeof end;
    if (fpgz_reader_take(reader, end, sizeof end, error) || fpgz_load32(end) > stop ||
        fpgz_load32(end) < FPGZ_HEADER_BYTES)
        return false;
    reader->position = stop - fpgz_load32(end);
    if (fpgz_reader_member(reader, &more, &inner) || !more || !reader->is_compact ||
        reader->stream + reader->member.length + sizeof end != fpgz_load32(end))
        return false;
    fpgz_compact_end(&reader->member, fpgz_load32(end), &reader->section);
    return !fpgz_unpack_end(&reader->section, head, error);
}

/* Reads the end section that ends at byte `stop`, of either type, or the end of a compact member. */
static enum fpgz_status find_end(struct fpgz_reader *reader, uint64_t stop, struct fpgz_end_head *head,
                                 struct fpgz_error *error)
{
    struct fpgz_section *const section = &reader->section;
    if (stop < FPGZ_HEADER_BYTES + FPGZ_COMPACT_CHECKS + FPGZ_COMPACT_END)
        return fpgz_fail(error, FPGZ_TRUNCATED, "there is no complete container before byte %" PRIu64, stop);
    reader->is_compact = false;
    if (!is_end_section(reader, stop, FPGZ_END_BYTES, head, error) && !error->status &&
        !is_end_section(reader, stop, FPGZ_SHORT_END_BYTES, head, error) && !error->status &&
        !is_compact(reader, stop, head, error) && !error->status)
        fpgz_fail(error, FPGZ_CORRUPT,
                  "no end section stands before byte %" PRIu64 ": cut off or damaged; fpgz -t tells more",
                  stop);
    if (error->status || reader->is_compact)
        return error->status;
    const uint64_t end = FPGZ_SECTION_BYTES + section->head_length, before = head->member_length - end;
    if (head->member_length > stop || head->member_length < FPGZ_HEADER_BYTES + end ||
        (section->type == FPGZ_SECTION_END &&
         (before < FPGZ_SECTION_BYTES || head->index_offset > before - FPGZ_SECTION_BYTES)))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the end section before byte %" PRIu64 " points outside the file", stop);
    return FPGZ_OK;
}

/* Loads the index that an end section tells of. */
static enum fpgz_status load_index(struct fpgz_reader *reader, const struct fpgz_end_head *head,
                                   struct fpgz_error *error)
{
    struct fpgz_section *const section = &reader->section;
    struct fpgz_error inner = {0};
    const uint64_t room = head->member_length - FPGZ_END_BYTES - FPGZ_SECTION_BYTES - head->index_offset;
    reader->position = reader->member_start + head->index_offset;
    if (fpgz_reader_take(reader, section->bytes, FPGZ_SECTION_BYTES, error))
        return error->status;
    if (fpgz_unpack_head_length(section->bytes, &section->head_length, &inner) ||
        section->head_length > room ||
        fpgz_reader_take(reader, section->bytes + FPGZ_SECTION_BYTES, section->head_length, &inner) ||
        fpgz_unpack_section(section, &inner) || !fpgz_section_is_index(section) ||
        section->body_length != room - section->head_length)
        return fpgz_fail(error, FPGZ_CORRUPT, "the index at byte %" PRIu64 " is damaged; fpgz -t tells more",
                         reader->member_start + head->index_offset);
    return fpgz_reader_index(reader, error);
}

/* Makes the index of the sections before a short end that ends at byte `stop`, or of a compact member. */
static enum fpgz_status make_index(struct fpgz_reader *reader, uint64_t stop, struct fpgz_error *error)
{
    struct fpgz_index *const index = &reader->index;
    uint64_t passed;
    reader->position = reader->member_start + (reader->is_compact ? reader->stream : FPGZ_HEADER_BYTES);
    reader->index_offset = 0;
    index->length = 0;
    index->sections = 0;
    while (!fpgz_reader_section(reader, error) && !fpgz_section_is_end(&reader->section) &&
           index->sections <= FPGZ_SHORT_SECTIONS)
        fpgz_reader_skip(reader, &passed);
    if (error->status)
        return error->status;
    if (reader->section.type != FPGZ_SECTION_SHORT_END || reader->position != stop)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the sections before byte %" PRIu64 " do not lead to their end; fpgz -t tells more",
                         stop);
    index->sections--;
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_last_member(struct fpgz_reader *reader, uint64_t *end,
                                         struct fpgz_end_head *head, struct fpgz_error *error)
{
    /* Members are found from their ends backwards, but are read as if from their starts. */
    reader->member_start = 0;
    if (find_end(reader, *end, head, error))
        return error->status;
    reader->member_start = *end - head->member_length;
    if (reader->section.type == FPGZ_SECTION_END ? load_index(reader, head, error)
                                                 : make_index(reader, *end, error))
        return error->status;
    *end = reader->member_start;
    return FPGZ_OK;
}

/* SPDX-License-Identifier: MIT
 * Writes the sections of a member, and notes them for the index at its end. */
#include "container/writer.h"

#include <errno.h>
#include <string.h>

#include "container/coded_index.h"
#include "container/table.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

static enum fpgz_status write_bytes(struct fpgz_writer *writer, const void *data, size_t length,
                                    struct fpgz_error *error)
{
    const struct fpgz_out *out = &writer->out;
    if (!(out->write ? out->write(out->context, data, length) : fpgz_write(out->fd, data, length)))
        return fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
    writer->position += length;
    return FPGZ_OK;
}

/* Writes writer->section, whose type and head are set, and notes it for the index. */
static enum fpgz_status write_section(struct fpgz_writer *writer, const void *body, size_t length,
                                      uint64_t checksum, struct fpgz_error *error)
{
    struct fpgz_section *section = &writer->section;
    section->number = (uint32_t)writer->index.sections;
    section->body_length = length;
    section->body_checksum = checksum;
    section->offset = writer->position;
    fpgz_pack_section(section);
    if (write_bytes(writer, section->bytes, FPGZ_SECTION_BYTES + section->head_length, error) ||
        write_bytes(writer, body, length, error))
        return error->status;
    if (!fpgz_section_is_index(section) && !fpgz_section_is_end(section) &&
        !fpgz_index_add(&writer->index, section))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for the index of %llu sections",
                         (unsigned long long)writer->index.sections);
    return FPGZ_OK;
}

/* Writes what a member of sections begins with, if that is not done yet. */
static enum fpgz_status begin_sections(struct fpgz_writer *writer, struct fpgz_error *error)
{
    uint8_t header[FPGZ_HEADER_BYTES];
    if (!writer->held)
        return error->status;
    writer->held = false;
    fpgz_pack_header(header, FPGZ_VERSION);
    if (write_bytes(writer, header, sizeof header, error))
        return error->status;
    fpgz_pack_file(&writer->member.file, &writer->section);
    writer->table.length = 0;
    return write_section(writer, "", 0, fpgz_checksum("", 0), error);
}

enum fpgz_status fpgz_writer_begin(struct fpgz_writer *writer, struct fpgz_out out,
                                   const struct fpgz_file_head *file, const struct fpgz_part *array,
                                   uint64_t largest, bool lone, struct fpgz_error *error)
{
    struct fpgz_numbers *const table = &writer->table;
    writer->out = out;
    writer->start = 0;
    writer->position = 0;
    writer->raw_bytes = 0;
    table->length = 0;
    if (array)
        fpgz_table_write(array, 1, &largest, table);
    if (table->failed)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for the description of an array");
    writer->member.file = *file;
    writer->member.file.table = table->bytes.data;
    writer->member.file.table_length = table->length;
    writer->held = true;
    writer->compact = false;
    return array && lone ? FPGZ_OK : begin_sections(writer, error);
}

enum fpgz_status fpgz_writer_arrays(struct fpgz_writer *writer, const struct fpgz_part *part, size_t count,
                                    const uint64_t *largest, struct fpgz_error *error)
{
    struct fpgz_numbers numbers = {0}, *const table = &writer->table;
    fpgz_table_write(part, count, largest, &numbers);
    fpgz_numbers_pack(&numbers, table);
    if (table->failed)
        fpgz_fail(error, FPGZ_MEMORY, "no memory for a table of %zu arrays", count);
    fpgz_pack_arrays(&(struct fpgz_arrays_head){(uint32_t)numbers.length}, &writer->section);
    fpgz_numbers_free(&numbers);
    if (error->status)
        return error->status;
    return write_section(writer, table->bytes.data, table->length,
                         fpgz_checksum(table->bytes.data, table->length), error);
}

enum fpgz_status fpgz_writer_attributes(struct fpgz_writer *writer, uint32_t array, const void *body,
                                        size_t length, struct fpgz_error *error)
{
    if (begin_sections(writer, error))
        return error->status;
    fpgz_pack_attributes(array, &writer->section);
    return write_section(writer, body, length, fpgz_checksum(body, length), error);
}

enum fpgz_status fpgz_writer_xattrs(struct fpgz_writer *writer, const void *body, size_t length,
                                    struct fpgz_error *error)
{
    if (begin_sections(writer, error))
        return error->status;
    fpgz_pack_xattrs(&writer->section);
    return write_section(writer, body, length, fpgz_checksum(body, length), error);
}

/* Writes the front of a compact member and its stream. */
static enum fpgz_status write_compact(struct fpgz_writer *writer, const void *stream,
                                      struct fpgz_error *error)
{
    const struct fpgz_compact *const member = &writer->member;
    struct fpgz_numbers front = {0};
    writer->held = false;
    writer->compact = true;
    fpgz_compact_write(member, &front);
    if (front.failed)
        fpgz_fail(error, FPGZ_MEMORY, "no memory for the front of a container");
    else if (!write_bytes(writer, front.bytes.data, front.length, error))
        write_bytes(writer, stream, member->length, error);
    fpgz_numbers_free(&front);
    return error->status;
}

enum fpgz_status fpgz_writer_chunk(struct fpgz_writer *writer, const struct fpgz_chunk_head *head,
                                   const void *stream, size_t length, uint64_t checksum, uint64_t raw_bytes,
                                   struct fpgz_error *error)
{
    writer->member.chunk = *head;
    writer->member.length = length;
    writer->member.checksum = checksum;
    if (writer->compact)
        return fpgz_fail(error, FPGZ_INTERNAL, "a second chunk came where one was planned: a defect of fpgz");
    if (writer->held && fpgz_compact_takes(&writer->member)) {
        writer->raw_bytes += raw_bytes;
        return write_compact(writer, stream, error);
    }
    if (begin_sections(writer, error))
        return error->status;
    fpgz_pack_chunk(head, true, &writer->section);
    writer->raw_bytes += raw_bytes;
    return write_section(writer, stream, length, checksum, error);
}

/* Bytes of the table of arrays that stand in the index again: all of a table that is small. */
static size_t reserve(const struct fpgz_writer *writer)
{
    enum { SMALL = 4 << 10, PART = 1024 };
    const size_t length = writer->table.length;
    return length <= SMALL || length <= writer->position / PART ? length : 0;
}

/* Whether readers find the sections of a member without an index in no time, and it would be a noticeable
 * part of the member. */
static bool needs_no_index(const struct fpgz_writer *writer)
{
    enum { SMALL = 32 << 10 };
    return writer->position < SMALL && writer->index.sections <= FPGZ_SHORT_SECTIONS;
}

/* Writes the index. */
static enum fpgz_status write_index(struct fpgz_writer *writer, struct fpgz_error *error)
{
    struct fpgz_section *section = &writer->section;
    struct fpgz_index *index = &writer->index;
    struct fpgz_numbers body = {0};
    struct fpgz_coded_head head;
    if (index->sections > UINT32_MAX / 64)
        return fpgz_fail(error, FPGZ_LIMIT, "more than %u sections: use larger chunks", UINT32_MAX / 64);
    if (!fpgz_index_code(index, writer->table.bytes.data, reserve(writer), &body, &head, error)) {
        fpgz_pack_coded(&head, section);
        write_section(writer, body.bytes.data, body.length, fpgz_checksum(body.bytes.data, body.length),
                      error);
    }
    fpgz_numbers_free(&body);
    index->sections++;
    return error->status;
}

/* Writes the end of a compact member. Its section is what readers will see. */
static enum fpgz_status end_compact(struct fpgz_writer *writer, struct fpgz_error *error)
{
    uint8_t end[FPGZ_COMPACT_END];
    const uint64_t length = writer->position + sizeof end;
    fpgz_store32(end, (uint32_t)length);
    fpgz_compact_end(&writer->member, length, &writer->section);
    return write_bytes(writer, end, sizeof end, error);
}

enum fpgz_status fpgz_writer_end(struct fpgz_writer *writer, struct fpgz_error *error)
{
    if (writer->compact)
        return end_compact(writer, error);
    if (begin_sections(writer, error))
        return error->status;
    struct fpgz_index *const index = &writer->index;
    const bool is_short = needs_no_index(writer);
    struct fpgz_end_head end = {.index_offset = is_short ? 0 : writer->position,
                                .raw_bytes = writer->raw_bytes};
    if (!is_short && write_index(writer, error))
        return error->status;
    end.sections = index->sections;
    end.member_length = writer->position + (is_short ? FPGZ_SHORT_END_BYTES : FPGZ_END_BYTES);
    end.content_check = fpgz_index_content_check(index, is_short ? end.member_length : writer->section.check);
    fpgz_pack_end(&end, &writer->section);
    return write_section(writer, "", 0, fpgz_checksum("", 0), error);
}

void fpgz_writer_free(struct fpgz_writer *writer)
{
    fpgz_index_free(&writer->index);
    fpgz_numbers_free(&writer->table);
}

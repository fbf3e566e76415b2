/* SPDX-License-Identifier: MIT
 * Reads the bodies of sections that are no chunks, and verifies their checksums: tables, extended attributes,
 * the index. */
#include "container/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container/coded_index.h"
#include "core/bytes.h"
#include "core/checksum.h"

enum fpgz_status fpgz_reader_body(struct fpgz_reader *reader, void *body, struct fpgz_error *error)
{
    return fpgz_reader_take(reader, body, reader->section.body_length, error);
}

enum fpgz_status fpgz_reader_table(struct fpgz_reader *reader, size_t before, struct fpgz_buffer *table,
                                   struct fpgz_error *error)
{
    const struct fpgz_section *section = &reader->section;
    if (section->body_length > FPGZ_MAX_TABLE_BYTES - fpgz_min(before, FPGZ_MAX_TABLE_BYTES))
        return fpgz_fail(error, FPGZ_LIMIT,
                         "section %" PRIu32 ": its tables of runs exceed the limit of %d bytes",
                         section->number, FPGZ_MAX_TABLE_BYTES);
    if (!fpgz_buffer_reserve(table, section->body_length))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %" PRIu64 " bytes", section->body_length);
    if (fpgz_reader_body(reader, table->data, error))
        return error->status;
    if (fpgz_checksum(table->data, section->body_length) != section->body_checksum)
        return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ", before byte %" PRIu64 ", is damaged",
                         section->number, reader->position);
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_arrays(struct fpgz_reader *reader, struct fpgz_member *member,
                                    struct fpgz_error *error)
{
    struct fpgz_buffer table = {0};
    reader->position = fpgz_reader_body_offset(reader);
    if (!fpgz_reader_table(reader, 0, &table, error))
        fpgz_member_arrays(member, &reader->section, table.data, error);
    fpgz_buffer_free(&table);
    return error->status;
}

enum fpgz_status fpgz_reader_xattrs(struct fpgz_reader *reader, const struct fpgz_file_head *file,
                                    struct fpgz_xattrs *xattrs, struct fpgz_error *error)
{
    const struct fpgz_section *section = &reader->section;
    const size_t length = section->body_length;
    *xattrs = (struct fpgz_xattrs){0};
    if (fpgz_unpack_xattrs(section, error))
        return error->status;
    if (section->body_length > FPGZ_XATTRS_LIMIT)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the extended attributes of the file exceed the limit of %d bytes",
                         FPGZ_XATTRS_LIMIT);
    xattrs->data = malloc(length + 1);
    xattrs->length = length;
    if (!xattrs->data)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", length);
    if (!fpgz_reader_body(reader, xattrs->data, error) &&
        fpgz_checksum(xattrs->data, length) != section->body_checksum)
        fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ", before byte %" PRIu64 ", is damaged",
                  section->number, reader->position);
    if (error->status || fpgz_xattrs_check(xattrs, file, error))
        fpgz_xattrs_free(xattrs);
    return error->status;
}

/* Reads the body in pieces and verifies its checksum; with `expected`, also compares it with that many bytes.
 */
static enum fpgz_status pass_body(struct fpgz_reader *reader, const uint8_t *expected,
                                  struct fpgz_error *error)
{
    uint8_t piece[16384];
    struct fpgz_checksum_stream *sum = fpgz_checksum_begin();
    if (!sum)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (uint64_t done = 0; done < reader->section.body_length && !error->status;) {
        const size_t length = fpgz_min(sizeof piece, reader->section.body_length - done);
        if (!fpgz_reader_take(reader, piece, length, error) && expected &&
            memcmp(piece, expected + done, length) != 0)
            fpgz_fail(error, FPGZ_CORRUPT,
                      "the index, from byte %" PRIu64 " on, does not list what is before it",
                      reader->position - length);
        fpgz_checksum_add(sum, piece, length);
        done += length;
    }
    if (fpgz_checksum_end(sum) != reader->section.body_checksum)
        fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 ", before byte %" PRIu64 ", is damaged",
                  reader->section.number, reader->position);
    return error->status;
}

enum fpgz_status fpgz_reader_verify(struct fpgz_reader *reader, struct fpgz_error *error)
{
    return pass_body(reader, NULL, error);
}

/* Reads all of an index's body and verifies its checksum. */
static enum fpgz_status read_body(struct fpgz_reader *reader, struct fpgz_buffer *body,
                                  struct fpgz_error *error)
{
    const struct fpgz_section *const section = &reader->section;
    if (!fpgz_buffer_reserve(body, section->body_length))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for an index of %" PRIu64 " bytes",
                         section->body_length);
    if (fpgz_reader_body(reader, body->data, error))
        return error->status;
    if (section->body_checksum != fpgz_checksum(body->data, section->body_length))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the index before byte %" PRIu64 " is damaged; fpgz -t tells more",
                         reader->position);
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_index(struct fpgz_reader *reader, struct fpgz_error *error)
{
    struct fpgz_index *const index = &reader->index;
    struct fpgz_buffer body = {0};
    fpgz_index_free(index);
    if (reader->section.type == FPGZ_SECTION_INDEX) {
        if (!reader->section.head_length && !read_body(reader, &index->body, error))
            index->length = reader->section.body_length;
        return reader->section.head_length ? fpgz_fail(error, FPGZ_CORRUPT, "the index has a head")
                                           : error->status;
    }
    if (!read_body(reader, &body, error))
        fpgz_index_decode(&reader->section, body.data, index, error);
    fpgz_buffer_free(&body);
    return error->status;
}

/* Reads the body of a coded index and compares it with the sections that were seen. */
static enum fpgz_status pass_coded(struct fpgz_reader *reader, struct fpgz_error *error)
{
    const struct fpgz_index *const seen = &reader->index;
    struct fpgz_index told = {0};
    struct fpgz_buffer body = {0};
    struct fpgz_error inner = {0};
    /* No index of these sections is longer. */
    if (reader->section.body_length > 2 * seen->length + FPGZ_MAX_TABLE_BYTES ||
        read_body(reader, &body, &inner) || fpgz_index_decode(&reader->section, body.data, &told, &inner) ||
        told.length != seen->length || memcmp(told.body.data, seen->body.data, seen->length) != 0)
        fpgz_fail(error, inner.status && inner.status != FPGZ_LIMIT ? inner.status : FPGZ_CORRUPT,
                  "the index, from byte %" PRIu64 " on, does not list what is before it%s%s",
                  reader->member_start + reader->section.offset, inner.status ? ": " : "", inner.text);
    fpgz_index_free(&told);
    fpgz_buffer_free(&body);
    return error->status;
}

enum fpgz_status fpgz_reader_check_index(struct fpgz_reader *reader, struct fpgz_error *error)
{
    const struct fpgz_section *section = &reader->section;
    struct fpgz_index *index = &reader->index;
    if (section->type == FPGZ_SECTION_INDEX &&
        (section->body_length != index->length || section->head_length))
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "at byte %" PRIu64 ": the index does not list the sections before it",
                         reader->position);
    if (section->type == FPGZ_SECTION_INDEX ? pass_body(reader, index->body.data, error)
                                            : pass_coded(reader, error))
        return error->status;
    reader->index_offset = section->offset;
    reader->content_check = fpgz_index_content_check(index, section->check);
    return FPGZ_OK;
}

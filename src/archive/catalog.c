/* SPDX-License-Identifier: MIT
 * Random access to a container: its index is read and checked, and single sections are found through it. */
#include "archive/catalog.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/formats.h"

/* Takes all sections of the index, which checks that they fit together. */
static enum fpgz_status take_index(struct fpgz_catalog *archive, struct fpgz_error *error)
{
    struct fpgz_reader *reader = &archive->reader;
    struct fpgz_section *section = &reader->section;
    struct fpgz_member *member = &archive->member;
    struct fpgz_chunk_head head;
    const struct fpgz_codec *codec;
    for (size_t at = 0; at < reader->index.length && !error->status;) {
        if (fpgz_index_next(&reader->index, &at, section, error))
            break;
        if (section->type == FPGZ_SECTION_FILE)
            fpgz_member_file(member, section, fpgz_source_has_kind, error);
        else if (section->type == FPGZ_SECTION_ARRAY)
            fpgz_member_array(member, section, NULL, error);
        else if (section->type == FPGZ_SECTION_ARRAYS)
            fpgz_reader_arrays(reader, member, error);
        else if (section->type == FPGZ_SECTION_CHUNK)
            fpgz_member_chunk(member, section, &head, &codec, error);
        else if (section->type < FPGZ_SECTION_MAY_SKIP)
            fpgz_fail(error, FPGZ_UNSUPPORTED,
                      "section %" PRIu32 " is of type %u, which this fpgz does not know: use a newer one",
                      section->number, section->type);
    }
    return error->status ? error->status : fpgz_member_end(member, error);
}

enum fpgz_status fpgz_catalog_open(struct fpgz_catalog *archive, int fd, struct fpgz_error *error)
{
    struct fpgz_reader *reader = &archive->reader;
    struct fpgz_end_head end;
    memset(archive, 0, sizeof *archive);
    fpgz_reader_open(reader, fd);
    if (!reader->regular)
        return fpgz_fail(error, FPGZ_USAGE,
                         "a part of a container is found through the index at its end, which a pipe "
                         "cannot be sought to; use a file, or restore the whole");
    const uint64_t begin = reader->position;
    uint64_t at = reader->file_size;
    if (fpgz_reader_check_magic(reader, error) || fpgz_reader_last_member(reader, &at, &end, error))
        return error->status;
    if (at != begin)
        return fpgz_fail(error, FPGZ_USAGE,
                         "several containers follow each other in it; an array is taken from one alone");
    return take_index(archive, error);
}

enum fpgz_status fpgz_catalog_member(struct fpgz_catalog *archive, uint64_t *end, struct fpgz_error *error)
{
    struct fpgz_end_head head;
    return fpgz_reader_last_member(&archive->reader, end, &head, error) ? error->status
                                                                        : take_index(archive, error);
}

bool fpgz_catalog_next(struct fpgz_catalog *archive, enum fpgz_section_type type, uint32_t array)
{
    struct fpgz_section *section = &archive->reader.section;
    struct fpgz_error none = {0}; /* the index was read before */
    while (archive->at < archive->reader.index.length &&
           !fpgz_index_next(&archive->reader.index, &archive->at, section, &none))
        /* All three types begin with the array's number. */
        if (section->type == type && section->head_length >= 4 &&
            fpgz_load32(fpgz_section_head(section)) == array)
            return true;
    return false;
}

void fpgz_catalog_rewind(struct fpgz_catalog *archive)
{
    archive->at = 0;
}

enum fpgz_status fpgz_catalog_body(struct fpgz_catalog *archive, struct fpgz_buffer *body,
                                   struct fpgz_error *error)
{
    archive->reader.position = fpgz_reader_body_offset(&archive->reader);
    return fpgz_reader_table(&archive->reader, 0, body, error);
}

enum fpgz_status fpgz_catalog_body_xattrs(struct fpgz_catalog *archive, struct fpgz_xattrs *xattrs,
                                          struct fpgz_error *error)
{
    archive->reader.position = fpgz_reader_body_offset(&archive->reader);
    return fpgz_reader_xattrs(&archive->reader, &archive->member.file, xattrs, error);
}

enum fpgz_status fpgz_catalog_xattrs(struct fpgz_catalog *archive, struct fpgz_xattrs *xattrs,
                                     struct fpgz_error *error)
{
    struct fpgz_reader *reader = &archive->reader;
    struct fpgz_error none = {0}; /* the index was read before */
    *xattrs = (struct fpgz_xattrs){0};
    fpgz_catalog_rewind(archive);
    while (archive->at < reader->index.length &&
           !fpgz_index_next(&reader->index, &archive->at, &reader->section, &none)) {
        if (reader->section.type == FPGZ_SECTION_XATTRS)
            return fpgz_catalog_body_xattrs(archive, xattrs, error);
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_catalog_table(struct fpgz_catalog *archive, uint32_t array, struct fpgz_error *error)
{
    struct fpgz_buffer table = {0};
    const struct fpgz_part *const part = &archive->member.array[array].part;
    fpgz_catalog_rewind(archive);
    if (!part->place.count && fpgz_catalog_next(archive, FPGZ_SECTION_ARRAY, array) &&
        !fpgz_catalog_body(archive, &table, error))
        fpgz_member_table(&archive->member, array, table.data, archive->reader.section.body_length, error);
    fpgz_buffer_free(&table);
    return error->status;
}

void fpgz_catalog_chunk(const struct fpgz_catalog *archive, bool values, struct fpgz_chunk_job *job)
{
    struct fpgz_error none = {0};
    const struct fpgz_part *part;
    fpgz_unpack_chunk(&archive->reader.section, &job->head, &none);
    part = &archive->member.array[job->head.array].part;
    job->head.grid.dtype = part->array.dtype;
    fpgz_chunk_job_begin(job, &archive->reader, part, values);
}

void fpgz_catalog_close(struct fpgz_catalog *archive)
{
    fpgz_member_free(&archive->member);
    fpgz_reader_free(&archive->reader);
}

/* SPDX-License-Identifier: MIT
 * Reads sections and verifies their checks. Tells damaged containers from truncated ones and from files that
 * are none. */
#include "container/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

void fpgz_reader_open(struct fpgz_reader *reader, int fd)
{
    struct stat status;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    reader->fd = fd;
    reader->regular =
        at >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && fpgz_file_sized(fd, &status);
    reader->file_size = reader->regular ? (uint64_t)status.st_size : 0;
    reader->position = reader->regular ? (uint64_t)at : 0;
}

void fpgz_reader_open_memory(struct fpgz_reader *reader, const void *bytes, size_t length)
{
    reader->fd = -1;
    reader->memory = bytes;
    reader->regular = true;
    reader->file_size = length;
    reader->position = 0;
}

/* As fpgz_read_at(). */
static bool read_memory(const struct fpgz_reader *reader, void *data, size_t length, uint64_t offset,
                        size_t *got, struct fpgz_error *error)
{
    const uint64_t from = fpgz_min(offset, reader->file_size);
    *got = fpgz_min(length, reader->file_size - from);
    return !fpgz_fetch(reader->fetch, data, reader->memory + from, *got, NULL, error);
}

enum fpgz_status fpgz_reader_at(const struct fpgz_reader *reader, void *data, size_t length, uint64_t offset,
                                uint64_t *checksum, struct fpgz_error *error)
{
    size_t got;
    /* A claim that exceeds the file is refused before anything is read. */
    if (offset > reader->file_size || length > reader->file_size - offset)
        return fpgz_fail(error, FPGZ_TRUNCATED, "the container ends at byte %" PRIu64, reader->file_size);
    const bool ok = reader->memory ? read_memory(reader, data, length, offset, &got, error)
                                   : fpgz_read_at_summed(reader->fd, data, length, offset, &got, checksum);
    if (!ok)
        return fpgz_fail(error, FPGZ_IO, "cannot read at byte %" PRIu64 ": %s", offset + got,
                         strerror(errno));
    if (reader->memory)
        *checksum = fpgz_checksum(data, got);
    return got == length
               ? FPGZ_OK
               : fpgz_fail(error, FPGZ_TRUNCATED, "the container ends at byte %" PRIu64, offset + got);
}

/* Reads up to `length` bytes at the position; *got tells how many there were. Bytes that were added to the
 * file after it was opened do not count. */
static enum fpgz_status read_some(struct fpgz_reader *reader, void *data, size_t length, size_t *got,
                                  struct fpgz_error *error)
{
    if (reader->regular)
        length = fpgz_min(length, reader->file_size - fpgz_min(reader->position, reader->file_size));
    const bool ok = reader->memory    ? read_memory(reader, data, length, reader->position, got, error)
                    : reader->regular ? fpgz_read_at(reader->fd, data, length, reader->position, got)
                                      : fpgz_read(reader->fd, data, length, got);
    if (!ok)
        return fpgz_fail(error, FPGZ_IO, "cannot read at byte %" PRIu64 ": %s", reader->position,
                         strerror(errno));
    reader->position += *got;
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_take(struct fpgz_reader *reader, void *data, size_t length,
                                  struct fpgz_error *error)
{
    size_t got;
    if (read_some(reader, data, length, &got, error))
        return error->status;
    if (got < length)
        return fpgz_fail(error, FPGZ_TRUNCATED,
                         "the container ends at byte %" PRIu64
                         ", within a section: it was cut off; get a whole copy",
                         reader->position);
    return FPGZ_OK;
}

/* Puts the position in front of a parser's message. */
static enum fpgz_status at_byte(uint64_t position, struct fpgz_error *from, struct fpgz_error *error)
{
    return fpgz_fail(error, from->status, "at byte %" PRIu64 ": %s", position, from->text);
}

/* Reads the front of a compact member. */
static enum fpgz_status read_front(struct fpgz_reader *reader, struct fpgz_error *error)
{
    uint8_t bytes[FPGZ_COMPACT_LENGTH_MOST];
    size_t have = 0, numbers, own;
    struct fpgz_error inner = {0};
    while (!(own = fpgz_compact_length(bytes, have, &numbers)))
        if (fpgz_reader_take(reader, bytes + have++, 1, error))
            return error->status;
    if (own > FPGZ_COMPACT_LENGTH_MOST)
        return fpgz_fail(error, FPGZ_CORRUPT, "at byte %" PRIu64 ": the container's front is damaged",
                         reader->member_start + FPGZ_HEADER_BYTES);
    const size_t length = own + numbers + FPGZ_COMPACT_CHECKS;
    struct fpgz_buffer front = {0};
    if (!fpgz_buffer_reserve(&front, length))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", length);
    memcpy(front.data, bytes, own);
    reader->stream = FPGZ_HEADER_BYTES + length;
    if (!fpgz_reader_take(reader, front.data + own, length - own, error) &&
        fpgz_compact_read(front.data, length, &reader->section, &reader->member, &inner))
        at_byte(reader->member_start + FPGZ_HEADER_BYTES, &inner, error);
    fpgz_buffer_free(&front);
    return error->status;
}

enum fpgz_status fpgz_reader_member(struct fpgz_reader *reader, bool *more, struct fpgz_error *error)
{
    uint8_t *const header = reader->header;
    size_t got = 0;
    const uint64_t start = reader->position;
    *more = false;
    reader->header_bytes = 0;
    if (read_some(reader, header, sizeof reader->header, &got, error) || (!got && start))
        return error->status;
    reader->header_bytes = got;
    if (got < sizeof reader->header) {
        const bool ours = got && !memcmp(header, FPGZ_MAGIC, fpgz_min(got, 8));
        const char *const words = ours ? "the container ends within its header" : "not an fpgz container";
        if (start)
            return fpgz_fail(error, ours ? FPGZ_TRUNCATED : FPGZ_CORRUPT,
                             "at byte %" PRIu64 ", behind a complete container: %s", start, words);
        return fpgz_fail(error, ours ? FPGZ_TRUNCATED : FPGZ_FOREIGN, "%s", words);
    }
    struct fpgz_error inner = {0};
    unsigned version;
    if (fpgz_unpack_header(header, &version, &inner))
        return start ? fpgz_fail(error, inner.status == FPGZ_FOREIGN ? FPGZ_CORRUPT : inner.status,
                                 "at byte %" PRIu64 ", behind a complete container: %s", start, inner.text)
                     : fpgz_fail(error, inner.status, "%s", inner.text);
    reader->member_start = start;
    reader->index.length = 0;
    reader->index.sections = 0;
    reader->index_offset = 0;
    reader->is_compact = version == FPGZ_VERSION_COMPACT;
    if (reader->is_compact && read_front(reader, error))
        return error->status;
    *more = true;
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_check_magic(struct fpgz_reader *reader, struct fpgz_error *error)
{
    bool more;
    const uint64_t position = reader->position;
    fpgz_reader_member(reader, &more, error);
    reader->position = position;
    return error->status;
}

/* FPGZ_TRUNCATED where a regular file ends before the body of the section that stands at byte `start`. */
static enum fpgz_status check_room(const struct fpgz_reader *reader, uint64_t start, struct fpgz_error *error)
{
    const struct fpgz_section *const section = &reader->section;
    if (reader->regular &&
        section->body_length > reader->file_size - fpgz_min(reader->position, reader->file_size))
        fpgz_fail(error, FPGZ_TRUNCATED,
                  "at byte %" PRIu64 ": section %" PRIu32 " has a body of %" PRIu64
                  " bytes, but only %" PRIu64 " follow: the container was cut off; get a whole copy",
                  start, section->number, section->body_length, reader->file_size - reader->position);
    return error->status;
}

/* Adds the section to the index. */
static enum fpgz_status note(struct fpgz_reader *reader, struct fpgz_error *error)
{
    return fpgz_index_add(&reader->index, &reader->section)
               ? FPGZ_OK
               : fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
}

/* The next section that a compact member stands for. */
static enum fpgz_status next_of_compact(struct fpgz_reader *reader, struct fpgz_error *error)
{
    const enum fpgz_compact_section which = (enum fpgz_compact_section)reader->index.sections;
    const uint64_t start = reader->position;
    uint8_t end[FPGZ_COMPACT_END];
    if (which < FPGZ_COMPACT_SHORT_END) {
        fpgz_compact_section(&reader->member, which, reader->stream, &reader->section);
        return check_room(reader, start, error) ? error->status : note(reader, error);
    }
    if (fpgz_reader_take(reader, end, sizeof end, error))
        return error->status;
    fpgz_compact_end(&reader->member, fpgz_load32(end), &reader->section);
    reader->section.offset = start - reader->member_start;
    reader->index.sections++;
    return FPGZ_OK;
}

enum fpgz_status fpgz_reader_section(struct fpgz_reader *reader, struct fpgz_error *error)
{
    struct fpgz_section *section = &reader->section;
    const uint64_t start = reader->position;
    struct fpgz_error inner = {0};
    if (reader->is_compact)
        return next_of_compact(reader, error);
    if (fpgz_reader_take(reader, section->bytes, FPGZ_SECTION_BYTES, error))
        return error->status;
    section->offset = start - reader->member_start;
    if (fpgz_unpack_head_length(section->bytes, &section->head_length, &inner))
        return at_byte(start, &inner, error);
    if (fpgz_reader_take(reader, section->bytes + FPGZ_SECTION_BYTES, section->head_length, error))
        return error->status;
    if (fpgz_unpack_section(section, &inner))
        return at_byte(start, &inner, error);
    if (section->number != (uint32_t)reader->index.sections)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "at byte %" PRIu64 ": section %" PRIu32 " stands where section %" PRIu64 " should",
                         start, section->number, reader->index.sections);
    if (reader->index_offset && section->type != FPGZ_SECTION_END)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "at byte %" PRIu64 ": section %" PRIu32
                         " stands behind the index, where the end should",
                         start, section->number);
    if (check_room(reader, start, error))
        return error->status;
    if (fpgz_section_is_index(section) || fpgz_section_is_end(section)) {
        reader->index.sections++;
        return FPGZ_OK;
    }
    return note(reader, error);
}

uint64_t fpgz_reader_body_offset(const struct fpgz_reader *reader)
{
    const struct fpgz_section *section = &reader->section;
    return reader->member_start + section->offset + FPGZ_SECTION_BYTES + section->head_length;
}

void fpgz_reader_skip(struct fpgz_reader *reader, uint64_t *where)
{
    *where = reader->position;
    reader->position += reader->section.body_length;
}

enum fpgz_status fpgz_reader_check_end(struct fpgz_reader *reader, uint64_t raw_bytes,
                                       struct fpgz_error *error)
{
    struct fpgz_end_head end;
    if (fpgz_unpack_end(&reader->section, &end, error))
        return error->status;
    const uint64_t length = reader->position - reader->member_start, sections = reader->index.sections - 1;
    const bool is_short = reader->section.type == FPGZ_SECTION_SHORT_END;
    if (is_short)
        reader->content_check = fpgz_index_content_check(&reader->index, length);
    else if (end.raw_bytes != raw_bytes)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the container promises %" PRIu64 " bytes, its chunks hold %" PRIu64, end.raw_bytes,
                         raw_bytes);
    if ((is_short ? sections > FPGZ_SHORT_SECTIONS : !reader->index_offset) ||
        end.index_offset != reader->index_offset || end.content_check != reader->content_check ||
        end.sections != sections || end.member_length != length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the end section at byte %" PRIu64 " does not close what is before it",
                         reader->member_start + reader->section.offset);
    return FPGZ_OK;
}

void fpgz_reader_free(struct fpgz_reader *reader)
{
    fpgz_index_free(&reader->index);
}

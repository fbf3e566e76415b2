/* SPDX-License-Identifier: MIT */
#include "container/format.h"

#include <inttypes.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { FILE_BYTES = 32, ARRAY_BYTES = 32, CHUNK_BYTES = 32, ERRORS_BYTES = 16, END_BYTES = 40 };
enum { FILE_HAS_MODE = 1, FILE_HAS_MTIME = 2 };
enum { CHECKED_FROM = 16 }; /* a section's check covers its bytes from here on */

void fpgz_pack_header(uint8_t bytes[FPGZ_HEADER_BYTES])
{
    memcpy(bytes, FPGZ_MAGIC, 8);
    fpgz_store16(bytes + 8, FPGZ_VERSION);
    fpgz_store16(bytes + 10, 0);
    fpgz_store32(bytes + 12, (uint32_t)fpgz_checksum(bytes, 12));
}

enum fpgz_status fpgz_unpack_header(const uint8_t bytes[FPGZ_HEADER_BYTES], struct fpgz_error *error)
{
    if (memcmp(bytes, FPGZ_MAGIC, 4) != 0)
        return fpgz_fail(error, FPGZ_FOREIGN, "not an fpgz container");
    if (memcmp(bytes, FPGZ_MAGIC, 8) != 0)
        return fpgz_fail(
            error, FPGZ_CORRUPT,
            "the container's first bytes were changed, as by a transfer in text mode; transfer it as binary");
    if (fpgz_load32(bytes + 12) != (uint32_t)fpgz_checksum(bytes, 12))
        return fpgz_fail(error, FPGZ_CORRUPT, "the container's header is damaged");
    if (fpgz_load16(bytes + 8) == 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "the container has version 0, which there never was");
    if (fpgz_load16(bytes + 8) != FPGZ_VERSION || fpgz_load16(bytes + 10) != 0)
        return fpgz_fail(
            error, FPGZ_UNSUPPORTED,
            "the container has version %u (flags %u), this fpgz reads version %d: use a newer fpgz",
            fpgz_load16(bytes + 8), fpgz_load16(bytes + 10), FPGZ_VERSION);
    return FPGZ_OK;
}

void fpgz_pack_section(struct fpgz_section *section)
{
    uint8_t *bytes = section->bytes;
    memcpy(bytes, FPGZ_MARKER, 4);
    fpgz_store32(bytes + 4, (uint32_t)section->head_length);
    fpgz_store16(bytes + 16, section->type);
    fpgz_store16(bytes + 18, 0);
    fpgz_store32(bytes + 20, section->number);
    fpgz_store64(bytes + 24, section->body_length);
    fpgz_store64(bytes + 32, section->body_checksum);
    section->check =
        fpgz_checksum(bytes + CHECKED_FROM, FPGZ_SECTION_BYTES - CHECKED_FROM + section->head_length);
    fpgz_store64(bytes + 8, section->check);
}

enum fpgz_status fpgz_unpack_head_length(const uint8_t *bytes, size_t *head_length, struct fpgz_error *error)
{
    *head_length = fpgz_load32(bytes + 4);
    if (memcmp(bytes, FPGZ_MARKER, 4) != 0)
        return fpgz_fail(error, FPGZ_CORRUPT, "no section begins where one should");
    if (*head_length > FPGZ_MAX_HEAD_BYTES)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "a section's head claims %zu bytes, more than the %d there can be", *head_length,
                         FPGZ_MAX_HEAD_BYTES);
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_section(struct fpgz_section *section, struct fpgz_error *error)
{
    const uint8_t *bytes = section->bytes;
    section->check = fpgz_load64(bytes + 8);
    section->type = fpgz_load16(bytes + 16);
    section->number = fpgz_load32(bytes + 20);
    section->body_length = fpgz_load64(bytes + 24);
    section->body_checksum = fpgz_load64(bytes + 32);
    if (section->check !=
        fpgz_checksum(bytes + CHECKED_FROM, FPGZ_SECTION_BYTES - CHECKED_FROM + section->head_length))
        return fpgz_fail(error, FPGZ_CORRUPT, "a section's header is damaged");
    if (fpgz_load16(bytes + 18) != 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "a section has flags %u that this fpgz does not know: use a newer fpgz",
                         fpgz_load16(bytes + 18));
    return FPGZ_OK;
}

static uint8_t *begin_head(struct fpgz_section *section, enum fpgz_section_type type, size_t length)
{
    section->type = type;
    section->head_length = length;
    return memset(section->bytes + FPGZ_SECTION_BYTES, 0, length);
}

void fpgz_pack_file(const struct fpgz_file_head *head, struct fpgz_section *section)
{
    const size_t name = strlen(head->name);
    uint8_t *bytes = begin_head(section, FPGZ_SECTION_FILE, FILE_BYTES + name);
    bytes[0] = head->kind;
    bytes[1] = (head->has_mode ? FILE_HAS_MODE : 0) | (head->has_mtime ? FILE_HAS_MTIME : 0);
    fpgz_store16(bytes + 2, (uint16_t)name);
    fpgz_store32(bytes + 4, head->mode);
    fpgz_store64(bytes + 8, head->size);
    fpgz_store64(bytes + 16, (uint64_t)head->mtime);
    fpgz_store32(bytes + 24, head->mtime_ns);
    memcpy(bytes + FILE_BYTES, head->name, name);
}

void fpgz_pack_array(const struct fpgz_array_head *head, struct fpgz_section *section)
{
    const size_t name = strlen(head->name);
    uint8_t *bytes = begin_head(section, FPGZ_SECTION_ARRAY, ARRAY_BYTES + 8 * head->array.dims + name);
    fpgz_store32(bytes, head->number);
    bytes[4] = head->array.dtype;
    bytes[5] = head->array.order;
    bytes[6] = (uint8_t)head->array.dims;
    fpgz_store64(bytes + 8, head->file_offset);
    fpgz_store64(bytes + 16, head->largest_chunk);
    fpgz_store16(bytes + 24, (uint16_t)name);
    bytes += ARRAY_BYTES;
    for (unsigned d = 0; d < head->array.dims; d++, bytes += 8)
        fpgz_store64(bytes, head->array.extent[d]);
    memcpy(bytes, head->name, name);
}

void fpgz_pack_chunk(const struct fpgz_chunk_head *head, struct fpgz_section *section)
{
    uint8_t *bytes = begin_head(section, FPGZ_SECTION_CHUNK,
                                CHUNK_BYTES + 8 * head->grid.dims + 4 * head->param_count +
                                    (head->has_errors ? ERRORS_BYTES : 0));
    fpgz_store32(bytes, head->array);
    fpgz_store16(bytes + 4, head->codec);
    bytes[6] = (uint8_t)head->grid.dims;
    bytes[7] = (uint8_t)head->param_count;
    fpgz_store64(bytes + 8, head->number);
    fpgz_store64(bytes + 16, head->first);
    fpgz_store64(bytes + 24, head->raw_checksum);
    bytes += CHUNK_BYTES;
    for (unsigned d = 0; d < head->grid.dims; d++, bytes += 8)
        fpgz_store64(bytes, head->grid.extent[d]);
    for (unsigned i = 0; i < head->param_count; i++, bytes += 4)
        fpgz_store32(bytes, head->params.value[i]);
    if (head->has_errors) {
        memcpy(bytes, &head->absolute_error, 8);
        memcpy(bytes + 8, &head->relative_error, 8);
    }
}

void fpgz_pack_end(const struct fpgz_end_head *head, struct fpgz_section *section)
{
    uint8_t *bytes = begin_head(section, FPGZ_SECTION_END, END_BYTES);
    fpgz_store64(bytes, head->index_offset);
    fpgz_store64(bytes + 8, head->member_length);
    fpgz_store64(bytes + 16, head->raw_bytes);
    fpgz_store64(bytes + 24, head->content_check);
    fpgz_store64(bytes + 32, head->sections);
}

static enum fpgz_status bad_head(const struct fpgz_section *section, struct fpgz_error *error)
{
    static const char *const names[] = {"", "file", "array", "chunk", "", "index", "end"};
    return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 " (%s): its fields contradict each other",
                     section->number, names[section->type]);
}

/* A name must be a single path component without terminators in it. */
static bool read_name(const uint8_t *bytes, size_t length, bool is_file, char name[256])
{
    if (length > 255 || memchr(bytes, '\0', length) || (is_file && memchr(bytes, '/', length)))
        return false;
    memcpy(name, bytes, length);
    name[length] = '\0';
    return true;
}

enum fpgz_status fpgz_unpack_file(const struct fpgz_section *section, struct fpgz_file_head *head,
                                  struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    if (section->head_length < FILE_BYTES ||
        section->head_length != (size_t)FILE_BYTES + fpgz_load16(bytes + 2))
        return bad_head(section, error);
    if (bytes[0] != FPGZ_KIND_RAW || bytes[1] & ~(FILE_HAS_MODE | FILE_HAS_MTIME))
        return fpgz_fail(
            error, FPGZ_UNSUPPORTED,
            "the file was archived as kind %u (flags %u), which this fpgz does not know: use a newer fpgz",
            bytes[0], bytes[1]);
    head->kind = bytes[0];
    head->has_mode = bytes[1] & FILE_HAS_MODE;
    head->has_mtime = bytes[1] & FILE_HAS_MTIME;
    head->mode = fpgz_load32(bytes + 4);
    head->size = fpgz_load64(bytes + 8);
    head->mtime = (int64_t)fpgz_load64(bytes + 16);
    head->mtime_ns = fpgz_load32(bytes + 24);
    if (!read_name(bytes + FILE_BYTES, section->head_length - FILE_BYTES, true, head->name) ||
        head->mode > 07777 || head->mtime_ns > 999999999)
        return bad_head(section, error);
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_array(const struct fpgz_section *section, struct fpgz_array_head *head,
                                   struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    if (section->head_length < ARRAY_BYTES ||
        section->head_length != (size_t)ARRAY_BYTES + 8 * bytes[6] + fpgz_load16(bytes + 24))
        return bad_head(section, error);
    if (!fpgz_dtype_known(bytes[4]) || bytes[5] > FPGZ_BIG || bytes[7] != 0)
        return fpgz_fail(
            error, FPGZ_UNSUPPORTED,
            "an array has dtype %u, byte order %u, layout %u, not all known to this fpgz: use a newer fpgz",
            bytes[4], bytes[5], bytes[7]);
    head->number = fpgz_load32(bytes);
    head->array.dtype = bytes[4];
    head->array.order = bytes[5];
    head->array.dims = bytes[6];
    head->file_offset = fpgz_load64(bytes + 8);
    head->largest_chunk = fpgz_load64(bytes + 16);
    if (head->array.dims < 1 || head->array.dims > FPGZ_MAX_DIMS)
        return bad_head(section, error);
    bytes += ARRAY_BYTES;
    for (unsigned d = 0; d < head->array.dims; d++, bytes += 8)
        head->array.extent[d] = fpgz_load64(bytes);
    if (!read_name(bytes, section->head_length - ARRAY_BYTES - 8 * head->array.dims, false, head->name))
        return bad_head(section, error);
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_chunk(const struct fpgz_section *section, struct fpgz_chunk_head *head,
                                   struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    if (section->head_length < CHUNK_BYTES)
        return bad_head(section, error);
    const size_t least = CHUNK_BYTES + 8 * bytes[6] + 4 * bytes[7];
    head->has_errors = section->head_length == least + ERRORS_BYTES;
    if ((section->head_length != least && !head->has_errors) || bytes[6] < 1 ||
        bytes[6] > FPGZ_MAX_CODING_DIMS)
        return bad_head(section, error);
    head->array = fpgz_load32(bytes);
    head->codec = fpgz_load16(bytes + 4);
    head->grid.dims = bytes[6];
    head->param_count = bytes[7];
    head->number = fpgz_load64(bytes + 8);
    head->first = fpgz_load64(bytes + 16);
    head->raw_checksum = fpgz_load64(bytes + 24);
    if (head->param_count > FPGZ_MAX_PARAMS)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "chunk %" PRIu64 " has %u codec parameters: use a newer fpgz", head->number,
                         head->param_count);
    bytes += CHUNK_BYTES;
    for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
        head->grid.extent[d] = d < head->grid.dims ? fpgz_load64(bytes + 8 * d) : 1;
    bytes += 8 * head->grid.dims;
    memset(&head->params, 0, sizeof head->params);
    for (unsigned i = 0; i < head->param_count; i++)
        head->params.value[i] = fpgz_load32(bytes + 4 * i);
    head->absolute_error = head->relative_error = 0;
    if (head->has_errors) {
        memcpy(&head->absolute_error, bytes + 4 * head->param_count, 8);
        memcpy(&head->relative_error, bytes + 4 * head->param_count + 8, 8);
        if (!(head->absolute_error >= 0) || !(head->relative_error >= 0))
            return bad_head(section, error);
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_end(const struct fpgz_section *section, struct fpgz_end_head *head,
                                 struct fpgz_error *error)
{
    if (section->head_length != END_BYTES || section->body_length != 0)
        return bad_head(section, error);
    const uint8_t *bytes = fpgz_section_head(section);
    head->index_offset = fpgz_load64(bytes);
    head->member_length = fpgz_load64(bytes + 8);
    head->raw_bytes = fpgz_load64(bytes + 16);
    head->content_check = fpgz_load64(bytes + 24);
    head->sections = fpgz_load64(bytes + 32);
    return FPGZ_OK;
}

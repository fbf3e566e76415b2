/* SPDX-License-Identifier: MIT
 * Scans a damaged container for sections, and for the copies of their headers in indexes. */
#include "container/salvage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container/coded_index.h"
#include "container/compact.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"
#include "core/room.h"

enum {
    MARKER_BYTES = 4,
    /* Longer than the head of any known section: keeps the work at each false marker small. */
    MOST_HEAD_BYTES = 8 << 10,
    OFFSET_BYTES = 8,
};

/* Where the scan is. */
struct scan {
    struct fpgz_salvage *salvage;
    struct fpgz_salvaged *member; /* NULL: the next find begins one */
    uint64_t at;
    uint64_t index_end;   /* before it the body of an index stands, whose sections are copies */
    uint32_t last_number; /* of the member's sections; not set where it has none yet */
    bool numbered;
};

/* Whether a valid section header and head stand at `at`. If so, s->section holds them. */
static bool section_at(struct fpgz_salvage *s, uint64_t at)
{
    struct fpgz_section *section = &s->section;
    struct fpgz_error none = {0};
    const uint8_t *bytes = fpgz_window_peek(&s->window, at, FPGZ_SECTION_BYTES);
    if (!bytes || fpgz_unpack_head_length(bytes, &section->head_length, &none) ||
        section->head_length > MOST_HEAD_BYTES ||
        !(bytes = fpgz_window_peek(&s->window, at, FPGZ_SECTION_BYTES + section->head_length)))
        return false;
    memcpy(section->bytes, bytes, FPGZ_SECTION_BYTES + section->head_length);
    return !fpgz_unpack_section(section, &none);
}

/* The version of the member whose valid header stands at `at`; 0 where there is none. */
static unsigned header_at(struct fpgz_salvage *s, uint64_t at)
{
    const uint8_t *const header = fpgz_window_peek(&s->window, at, FPGZ_HEADER_BYTES);
    struct fpgz_error none = {0};
    unsigned version;
    return header && !fpgz_unpack_header(header, &version, &none) ? version : 0;
}

/* Whether a section or a member may begin there. */
static bool begins(const uint8_t *bytes)
{
    return (bytes[0] == (uint8_t)FPGZ_MARKER[0] || bytes[0] == (uint8_t)FPGZ_MAGIC[0]) &&
           (!memcmp(bytes, FPGZ_MARKER, MARKER_BYTES) || !memcmp(bytes, FPGZ_MAGIC, MARKER_BYTES));
}

static bool begins_at(struct fpgz_salvage *s, uint64_t at)
{
    const uint8_t *const bytes = fpgz_window_peek(&s->window, at, MARKER_BYTES);
    return at == s->size || (bytes && begins(bytes));
}

static bool add_member(struct scan *scan, bool has_header, struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    struct fpgz_salvaged *const larger = fpgz_room(s->member, s->members, sizeof *larger);
    if (!larger)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory"), false;
    s->member = larger;
    scan->member = &s->member[s->members++];
    *scan->member =
        (struct fpgz_salvaged){.first = s->finds, .end = s->finds, .at = scan->at, .has_header = has_header};
    scan->numbered = false;
    return true;
}

/* Whether the member has a find of this number and check. */
static bool known(const struct scan *scan)
{
    const struct fpgz_section *section = &scan->salvage->section;
    const struct fpgz_find *find = scan->salvage->find;
    size_t first = scan->member->first, end = scan->member->end;
    /* Copies come last. The search is among the sections themselves, whose numbers ascend. */
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (!find[middle].copy && find[middle].number < section->number)
            first = middle + 1;
        else
            end = middle;
    }
    return first < scan->member->end && !find[first].copy && find[first].number == section->number &&
           find[first].check == section->check;
}

/* Whether the section just read is a copy in an index. *offset receives the offset that the index stores
 * in front of it. */
static bool is_copy(const struct scan *scan, uint64_t *offset)
{
    struct fpgz_salvage *s = scan->salvage;
    const uint8_t *const before =
        scan->at < OFFSET_BYTES ? NULL : fpgz_window_peek(&s->window, scan->at - OFFSET_BYTES, OFFSET_BYTES);
    if (!before)
        return false;
    *offset = fpgz_load64(before);
    if (scan->at < scan->index_end)
        return true;
    /* If the index's own header is lost, its first entry tells, or an entry of a section that was found
     * before. */
    if (s->section.type == FPGZ_SECTION_FILE && *offset == FPGZ_HEADER_BYTES)
        return true;
    return scan->member && scan->numbered && s->section.number <= scan->last_number && known(scan);
}

/* Adds the section just read. */
static bool add_find(struct scan *scan, bool copy, uint64_t offset, uint64_t reserve,
                     struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    struct fpgz_section *section = &s->section;
    struct fpgz_find *const larger = fpgz_room(s->find, s->finds, sizeof *larger);
    if (!larger)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory"), false;
    s->find = larger;
    section->offset = scan->at;
    s->find[s->finds++] =
        (struct fpgz_find){s->found.length, scan->at, offset, reserve, section->check, section->number, copy};
    scan->member->end = s->finds;
    return fpgz_index_add(&s->found, section) || (fpgz_fail(error, FPGZ_MEMORY, "no memory"), false);
}

/* Where to continue behind a section that may have a body. */
static uint64_t behind(struct fpgz_salvage *s, uint64_t at)
{
    const struct fpgz_section *section = &s->section;
    const uint64_t body = at + FPGZ_SECTION_BYTES + section->head_length;
    if (section->body_length > s->size - body)
        return body;
    const uint64_t end = body + section->body_length;
    /* If damage follows, the body's checksum tells whether the body is whole. The bytes read for this are
     * bounded, so that hostile sections cannot have the same bytes read again and again. */
    if (begins_at(s, end) || (s->verified <= s->size &&
                              fpgz_salvage_verify(s, body, section->body_length, section->body_checksum)))
        return end;
    return body;
}

/* Reads `length` bytes at `at`. */
static bool read_body(struct fpgz_salvage *s, uint64_t at, uint64_t length, struct fpgz_buffer *bytes)
{
    size_t got;
    if (length > s->size - at || !fpgz_buffer_reserve(bytes, length))
        return false;
    const uint8_t *const seen =
        length <= FPGZ_WINDOW_BYTES / 2 ? fpgz_window_peek(&s->window, at, length) : NULL;
    if (seen && length)
        memcpy(bytes->data, seen, length);
    return seen || (fpgz_read_at(s->fd, bytes->data, length, at, &got) && got == length);
}

/* Takes the copies from the coded index that was just read, whose body is at `body`. An index that is damaged
 * tells nothing. Moves behind it. */
static bool take_coded(struct scan *scan, uint64_t body, struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    struct fpgz_section *const section = &s->section;
    struct fpgz_index index = {0};
    struct fpgz_buffer bytes = {0};
    struct fpgz_error none = {0};
    struct fpgz_coded_head head;
    const uint64_t length = section->body_length;
    scan->at = body;
    if (!fpgz_unpack_coded(section, &head, &none) && read_body(s, body, length, &bytes) &&
        fpgz_checksum(bytes.data, length) == section->body_checksum) {
        fpgz_index_decode(section, bytes.data, &index, &none);
        scan->at = body + length;
    }
    for (size_t at = 0; at < index.length && !fpgz_index_next(&index, &at, section, error);)
        if (!add_find(scan, true, section->offset,
                      section->type == FPGZ_SECTION_ARRAYS && head.reserve ? body + 8 * (uint64_t)head.checks
                                                                           : 0,
                      error))
            break;
    fpgz_index_free(&index);
    fpgz_buffer_free(&bytes);
    return !error->status;
}

/* Takes the section that stands at scan->at, and moves behind it. */
static bool take(struct scan *scan, struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    const struct fpgz_section *section = &s->section;
    const uint64_t body = scan->at + FPGZ_SECTION_BYTES + section->head_length;
    struct fpgz_end_head end;
    struct fpgz_error none = {0};
    uint64_t offset = 0;
    const bool copy = is_copy(scan, &offset);
    const bool begins = !scan->member || (!copy && scan->numbered && section->number <= scan->last_number);
    if ((begins && !add_member(scan, false, error)) || !add_find(scan, copy, offset, 0, error))
        return false;
    if (copy) {
        scan->at = body;
        return true;
    }
    scan->last_number = section->number;
    scan->numbered = true;
    if (section->type == FPGZ_SECTION_INDEX) {
        scan->index_end = body + fpgz_min(section->body_length, s->size - body);
        scan->at = body;
    } else if (section->type == FPGZ_SECTION_CODED_INDEX) {
        return take_coded(scan, body, error);
    } else if (fpgz_section_is_end(section) && !fpgz_unpack_end(section, &end, &none)) {
        scan->member->has_end = true;
        scan->member->end_start = body - end.member_length;
        scan->member = NULL;
        scan->at = body;
    } else {
        scan->at = behind(s, scan->at);
    }
    return true;
}

/* Reads the front of a compact member that stands behind its header at `at`; returns its length, 0 where it
 * is damaged. */
static size_t read_front(struct fpgz_salvage *s, uint64_t at, struct fpgz_compact *member)
{
    struct fpgz_error none = {0};
    const size_t most = fpgz_min(FPGZ_COMPACT_LENGTH_MOST, s->size - at);
    const uint8_t *bytes = fpgz_window_peek(&s->window, at, most);
    size_t numbers = 0;
    const size_t own = bytes ? fpgz_compact_length(bytes, most, &numbers) : 0,
                 length = own + numbers + FPGZ_COMPACT_CHECKS;
    return own && own <= FPGZ_COMPACT_LENGTH_MOST && (bytes = fpgz_window_peek(&s->window, at, length)) &&
                   !fpgz_compact_read(bytes, length, &s->section, member, &none)
               ? length
               : 0;
}

/* Takes the compact member whose header stands at scan->at, and moves behind what there is of it. One whose
 * front is damaged has no sections. */
static bool take_compact(struct scan *scan, struct fpgz_error *error)
{
    struct fpgz_salvage *const s = scan->salvage;
    struct fpgz_compact member;
    const uint64_t start = scan->at, front = start + FPGZ_HEADER_BYTES;
    const size_t length = read_front(s, front, &member);
    const uint64_t stream = front + length;
    if (!add_member(scan, true, error))
        return false;
    for (unsigned which = FPGZ_COMPACT_FILE; length && which < FPGZ_COMPACT_SHORT_END; which++) {
        fpgz_compact_section(&member, which, stream, &s->section);
        scan->at = s->section.offset;
        if (!add_find(scan, false, 0, 0, error))
            return false;
    }
    const uint8_t *const last = length && member.length < s->size - stream
                                    ? fpgz_window_peek(&s->window, stream + member.length, FPGZ_COMPACT_END)
                                    : NULL;
    scan->at = stream;
    if (last && fpgz_load32(last) == stream + member.length + FPGZ_COMPACT_END - start) {
        scan->member->has_end = true;
        scan->member->end_start = start;
        scan->at += member.length + FPGZ_COMPACT_END;
    }
    scan->member = NULL;
    return true;
}

enum fpgz_status fpgz_salvage_scan(struct fpgz_salvage *s, int fd, uint64_t size, struct fpgz_error *error)
{
    struct scan scan = {.salvage = s};
    uint64_t end = 0; /* of the last find */
    s->fd = fd;
    s->size = size;
    if (!fpgz_window_open(&s->window, fd, size))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    while (scan.at < size && !error->status) {
        const unsigned version = header_at(s, scan.at);
        if (version == FPGZ_VERSION_COMPACT) {
            take_compact(&scan, error);
            end = scan.at;
        } else if (version) {
            add_member(&scan, true, error);
            scan.at += FPGZ_HEADER_BYTES;
        } else if (section_at(s, scan.at)) {
            take(&scan, error);
            end = scan.at;
        } else {
            scan.at = fpgz_window_find(&s->window, scan.at + 1, begins, MARKER_BYTES);
        }
    }
    s->lead = s->members && s->member->has_header ? s->member->at : 0;
    s->rest = size - end;
    return error->status;
}

void fpgz_salvage_free(struct fpgz_salvage *salvage)
{
    fpgz_index_free(&salvage->found);
    fpgz_window_free(&salvage->window);
    fpgz_buffer_free(&salvage->piece);
    free(salvage->find);
    free(salvage->member);
}

/* SPDX-License-Identifier: MIT
 * Scans a damaged container for sections, and for the copies of their headers in indexes. */
#include "container/salvage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

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

static bool header_at(struct fpgz_salvage *s, uint64_t at)
{
    const uint8_t *const header = fpgz_window_peek(&s->window, at, FPGZ_HEADER_BYTES);
    struct fpgz_error none = {0};
    return header && !fpgz_unpack_header(header, &none);
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

/* Whether `length` bytes at `at` have that checksum. */
static bool body_valid(struct fpgz_salvage *s, uint64_t at, uint64_t length, uint64_t checksum)
{
    if (at > s->size || length > s->size - at || !fpgz_buffer_reserve(&s->piece, FPGZ_WINDOW_BYTES))
        return false;
    struct fpgz_checksum_stream *sum = fpgz_checksum_begin();
    bool ok = sum != NULL;
    for (uint64_t done = 0; ok && done < length;) {
        const size_t piece = fpgz_min(FPGZ_WINDOW_BYTES, length - done);
        size_t got;
        ok = fpgz_read_at(s->fd, s->piece.data, piece, at + done, &got) && got == piece;
        if (ok)
            fpgz_checksum_add(sum, s->piece.data, piece);
        done += piece;
    }
    s->verified += length;
    return sum && fpgz_checksum_end(sum) == checksum && ok;
}

static bool add_member(struct scan *scan, bool has_header, struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    if (!(s->members & (s->members - 1))) { /* room doubles at every power of two */
        struct fpgz_salvaged *larger =
            reallocarray(s->member, s->members ? 2 * s->members : 1, sizeof *larger);
        if (!larger)
            return fpgz_fail(error, FPGZ_MEMORY, "no memory"), false;
        s->member = larger;
    }
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

static bool add_find(struct scan *scan, bool copy, uint64_t offset, struct fpgz_error *error)
{
    struct fpgz_salvage *s = scan->salvage;
    struct fpgz_section *section = &s->section;
    if (!(s->finds & (s->finds - 1))) {
        struct fpgz_find *larger = reallocarray(s->find, s->finds ? 2 * s->finds : 1, sizeof *larger);
        if (!larger)
            return fpgz_fail(error, FPGZ_MEMORY, "no memory"), false;
        s->find = larger;
    }
    section->offset = scan->at;
    s->find[s->finds++] =
        (struct fpgz_find){s->found.length, scan->at, offset, section->check, section->number, copy};
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
    if (begins_at(s, end) ||
        (s->verified <= s->size && body_valid(s, body, section->body_length, section->body_checksum)))
        return end;
    return body;
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
    if ((begins && !add_member(scan, false, error)) || !add_find(scan, copy, offset, error))
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
    } else if (section->type == FPGZ_SECTION_END && !fpgz_unpack_end(section, &end, &none)) {
        scan->member->has_end = true;
        scan->member->end_start = body - end.member_length;
        scan->member = NULL;
        scan->at = body;
    } else {
        scan->at = behind(s, scan->at);
    }
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
        if (header_at(s, scan.at)) {
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

static int by_number(const void *a, const void *b)
{
    const struct fpgz_find *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->copy != y->copy ? x->copy - y->copy : (x->at > y->at) - (x->at < y->at);
}

/* Where a member begins, according to each of its finds. */
struct bases {
    uint64_t base[4];
    unsigned count;
};

/* Finds the place of a section of which only the copy is left, by its body. */
static uint64_t place_of(struct fpgz_salvage *s, const struct fpgz_find *find, const struct bases *bases)
{
    const struct fpgz_section *section = &s->section;
    const size_t head = FPGZ_SECTION_BYTES + section->head_length;
    uint64_t at = FPGZ_NOWHERE;
    for (unsigned i = 0; i < bases->count; i++) {
        at = bases->base[i] + find->offset;
        const uint64_t body = at + head;
        if (i + 1 == bases->count || s->verified > 2 * s->size ||
            body_valid(s, body, section->body_length, section->body_checksum))
            break;
    }
    return at + head <= s->size ? at : FPGZ_NOWHERE; /* the file may begin within the head */
}

/* Whether to read the body of a section whose place is known. Bodies that overlap neither an earlier body
 * nor the section at `next` are always read: together they are no longer than the file. Bodies that overlap
 * are read up to twice the file's length in all, so that hostile sections cannot cost more. */
static bool affordable(struct fpgz_salvage *s, uint64_t next)
{
    const struct fpgz_section *section = &s->section;
    const uint64_t body = section->offset + FPGZ_SECTION_BYTES + section->head_length;
    uint64_t end;
    if (!section->body_length || !fpgz_add(body, section->body_length, &end) || end > s->size)
        return true; /* there is nothing to read */
    if (body >= s->claimed && end <= next) {
        s->claimed = end;
        return true;
    }
    s->doubtful += section->body_length;
    return s->doubtful <= 2 * s->size;
}

static void add_base(struct bases *bases, uint64_t base)
{
    for (unsigned i = 0; i < bases->count; i++)
        if (bases->base[i] == base)
            return;
    if (bases->count < sizeof bases->base / sizeof *bases->base)
        bases->base[bases->count++] = base;
}

enum fpgz_status fpgz_salvage_index(struct fpgz_salvage *s, const struct fpgz_salvaged *member,
                                    struct fpgz_index *index, struct fpgz_error *error)
{
    struct fpgz_find *const find = s->find ? s->find + member->first : NULL;
    const size_t count = member->end - member->first;
    struct bases bases = {.count = 0};
    if (member->has_end)
        add_base(&bases, member->end_start);
    if (member->has_header)
        add_base(&bases, member->at);
    if (count)
        qsort(find, count, sizeof *find, by_number);
    for (size_t i = 1; i < count; i++) /* a section, then its copy */
        if (!find[i - 1].copy && find[i].copy && find[i].check == find[i - 1].check)
            add_base(&bases, find[i - 1].at - find[i].offset);
    index->length = 0;
    index->sections = 0;
    const uint64_t end = member + 1 < s->member + s->members ? member[1].at : s->size;
    for (size_t i = 0, next = 0; i < count && !error->status; i++) {
        if (i && find[i].number == find[i - 1].number)
            continue;
        size_t entry = find[i].entry;
        if (fpgz_index_next(&s->found, &entry, &s->section, error))
            break;
        while (next < count && (find[next].copy || find[next].number <= find[i].number))
            next++;
        s->section.offset = find[i].copy ? place_of(s, &find[i], &bases) : find[i].at;
        if (!affordable(s, next < count ? find[next].at : end))
            s->section.offset = FPGZ_NOWHERE;
        if (!fpgz_index_add(index, &s->section))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
    }
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

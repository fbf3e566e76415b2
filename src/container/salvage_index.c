/* SPDX-License-Identifier: MIT
 * Makes an index of what was found of a member: each section once, at the place that is most likely its own.
 */
#include <stdlib.h>

#include "container/salvage.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

bool fpgz_salvage_verify(struct fpgz_salvage *s, uint64_t at, uint64_t length, uint64_t checksum)
{
    if (at > s->size || length > s->size - at || !fpgz_buffer_reserve(&s->piece, FPGZ_WINDOW_BYTES))
        return false;
    const uint8_t *const seen =
        length <= FPGZ_WINDOW_BYTES / 2 ? fpgz_window_peek(&s->window, at, length) : NULL;
    if (seen)
        return fpgz_checksum(seen, length) == checksum;
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
            fpgz_salvage_verify(s, body, section->body_length, section->body_checksum))
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

/* Where to take the table of arrays from, which the first of the finds tells. Where its body is damaged, it
 * is that before which a copy of the body would be. */
static uint64_t table_place(struct fpgz_salvage *s, const struct fpgz_find *find, size_t finds)
{
    const struct fpgz_section *section = &s->section;
    const size_t head = FPGZ_SECTION_BYTES + section->head_length;
    if (section->offset != FPGZ_NOWHERE &&
        fpgz_salvage_verify(s, section->offset + head, section->body_length, section->body_checksum))
        return section->offset;
    for (size_t i = 0; i < finds && find[i].number == find->number; i++)
        if (find[i].reserve && find[i].check == find->check)
            return find[i].reserve - head;
    return FPGZ_NOWHERE;
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
        if (s->section.type == FPGZ_SECTION_ARRAYS)
            s->section.offset = table_place(s, &find[i], count - i);
        else if (!affordable(s, next < count ? find[next].at : end))
            s->section.offset = FPGZ_NOWHERE;
        if (!fpgz_index_add(index, &s->section))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for the index");
    }
    return error->status;
}

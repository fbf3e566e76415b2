/* SPDX-License-Identifier: MIT
 * Finds small arrays and puts them into groups. */
#include "core/group.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 8 }; /* so many arrays, and fewer, are coded each alone */

/* Whether the part may be in a group. */
static bool is_dense(const struct fpgz_part *part)
{
    const struct fpgz_run *const run = part->place.run;
    const bool dense = part->layout == FPGZ_DENSE || (part->layout == FPGZ_PIECES && part->place.count == 1 &&
                                                      run->count == 1 && fpgz_part_in_order(part));
    return dense && !part->fields && !part->filters.count && !part->column_major;
}

unsigned fpgz_group_kind(const struct fpgz_part *part)
{
    return 2 * (unsigned)part->array.dtype + (unsigned)part->array.order;
}

bool fpgz_part_is_grouped(const struct fpgz_content *content, const struct fpgz_part *part)
{
    return part->place.bytes <= content->grouping[fpgz_group_kind(part)].most && is_dense(part);
}

void fpgz_grouping_begin(struct fpgz_content *content)
{
    size_t count[FPGZ_GROUP_KINDS] = {0};
    memset(content->grouping, 0, sizeof content->grouping);
    for (size_t i = 0; i < content->count; i++) {
        const struct fpgz_part *const part = &content->part[i];
        const unsigned kind = fpgz_group_kind(part);
        if (part->place.bytes <= FPGZ_GROUPED_BYTES && is_dense(part) && ++count[kind] > FEW)
            content->grouping[kind].most = FPGZ_GROUPED_BYTES;
    }
}

/* A part by its place in the file. */
struct seat {
    uint64_t offset;
    size_t number;
};

static int by_offset(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

bool fpgz_group_of(const struct fpgz_content *content, unsigned kind, uint64_t least, uint64_t most,
                   struct fpgz_part *group, size_t *member)
{
    struct seat *const seat = calloc(content->count + 1, sizeof *seat);
    size_t count = 0;
    bool ok = seat != NULL;
    *group = (struct fpgz_part){.layout = FPGZ_GROUP};
    for (size_t i = 0; i < content->count && ok; i++) {
        const struct fpgz_part *const part = &content->part[i];
        if (fpgz_group_kind(part) == kind && part->place.bytes > least && part->place.bytes <= most &&
            is_dense(part))
            seat[count++] = (struct seat){part->place.run->offset, i};
    }
    count = count > FEW ? count : 0;
    if (ok)
        qsort(seat, count, sizeof *seat, by_offset);
    group->array = (struct fpgz_array){kind / 2, kind % 2, 1, {0}};
    group->members = (uint32_t)count;
    group->name = strdup("");
    ok = ok && group->name;
    for (size_t i = 0; i < group->members && ok; i++) {
        const struct fpgz_part *const part = &content->part[member[i] = seat[i].number];
        ok = fpgz_place_add(&group->place, seat[i].offset, part->place.bytes, 0);
        group->array.extent[0] += part->place.bytes / fpgz_dtype_size(part->array.dtype);
    }
    free(seat);
    if (!ok)
        fpgz_part_free(group);
    return ok;
}

/* Moves the members behind their group in `to`. */
static void seat_members(struct fpgz_content *to, struct fpgz_content *from, const struct fpgz_part *group,
                         const size_t *member)
{
    uint64_t first = 0;
    const size_t number = to->count;
    to->part[to->count++] = *group;
    for (size_t i = 0; i < group->members; i++) {
        struct fpgz_part *const part = &to->part[to->count++];
        *part = from->part[member[i]];
        memset(&from->part[member[i]], 0, sizeof *part);
        part->layout = FPGZ_DENSE;
        part->carrier = (uint32_t)number + 1;
        part->first = first;
        first += part->place.bytes / fpgz_dtype_size(part->array.dtype);
        free(part->place.run);
        part->place = (struct fpgz_place){0};
    }
}

bool fpgz_content_group(struct fpgz_content *content)
{
    struct fpgz_content grouped = *content;
    size_t *const member = calloc(content->count + 1, sizeof *member);
    grouped.part = calloc(content->count + FPGZ_GROUP_KINDS, sizeof *grouped.part);
    grouped.count = 0;
    bool ok = member && grouped.part;
    for (unsigned kind = 0; kind < FPGZ_GROUP_KINDS && ok; kind++) {
        const struct fpgz_grouping *const grouping = &content->grouping[kind];
        struct fpgz_part group;
        if (!grouping->most)
            continue;
        ok = fpgz_group_of(content, kind, 0, grouping->most, &group, member);
        group.general = grouping->general;
        if (ok && group.members)
            seat_members(&grouped, content, &group, member);
        else
            fpgz_part_free(&group);
    }
    free(member);
    for (size_t i = 0; i < content->count; i++) /* those that are no members, or all that are left */
        if (ok && content->part[i].name)
            grouped.part[grouped.count++] = content->part[i];
        else
            fpgz_part_free(&content->part[i]);
    free(content->part);
    *content = grouped;
    return ok;
}

/* SPDX-License-Identifier: MIT
 * Finds small arrays and puts them into groups. */
#include "core/group.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"

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

bool fpgz_part_has_family(const struct fpgz_part *part)
{
    return fpgz_part_is_array(part) && part->place.count && !part->fields && !part->filters.count &&
           !part->column_major && !part->carrier;
}

bool fpgz_part_is_grouped(const struct fpgz_content *content, const struct fpgz_part *part)
{
    return part->family ||
           (part->place.bytes <= content->grouping[fpgz_group_kind(part)].most && is_dense(part));
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

/* Whether the parts, in the order of the file, may be a group: none lies among the pieces of another one. */
static bool may_group(const struct fpgz_content *content, const struct seat *seat, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fpgz_part *const before = &content->part[seat[i - 1].number],
                                      *const part = &content->part[seat[i].number];
        if (fpgz_place_end(&before->place) > seat[i].offset ||
            fpgz_group_kind(before) != fpgz_group_kind(part))
            return false;
    }
    return true;
}

/* Adds the stretches of the part to the place of a group. */
static bool add_stretches(struct fpgz_place *place, const struct fpgz_place *part)
{
    bool ok = true;
    for (uint64_t at = 0; at < part->bytes && ok;) {
        const struct fpgz_span span = fpgz_place_span(part, at, part->bytes - at);
        ok = fpgz_place_add(place, span.offset, span.bytes, 0);
        at += span.bytes;
    }
    return ok;
}

/* Makes the group of the parts, and frees their seats. */
static bool make_group(const struct fpgz_content *content, struct seat *seat, size_t count,
                       struct fpgz_part *group, size_t *member)
{
    *group = (struct fpgz_part){.layout = FPGZ_GROUP, .name = strdup("")};
    bool ok = seat && group->name;
    if (ok)
        qsort(seat, count, sizeof *seat, by_offset);
    count = ok && may_group(content, seat, count) ? count : 0;
    group->members = (uint32_t)count;
    group->array.dims = 1;
    for (size_t i = 0; i < count && ok; i++) {
        const struct fpgz_part *const part = &content->part[member[i] = seat[i].number];
        group->array.dtype = part->array.dtype;
        group->array.order = part->array.order;
        group->pieced |= !fpgz_part_in_order(part);
        ok = add_stretches(&group->place, &part->place);
    }
    group->array.extent[0] = group->place.bytes / (count ? fpgz_dtype_size(group->array.dtype) : 1);
    free(seat);
    if (!ok)
        fpgz_part_free(group);
    return ok;
}

bool fpgz_group_of(const struct fpgz_content *content, unsigned kind, uint64_t least, uint64_t most,
                   struct fpgz_part *group, size_t *member)
{
    struct seat *const seat = calloc(content->count + 1, sizeof *seat);
    size_t count = 0;
    for (size_t i = 0; i < content->count && seat; i++) {
        const struct fpgz_part *const part = &content->part[i];
        if (fpgz_group_kind(part) == kind && part->place.bytes > least && part->place.bytes <= most &&
            !part->family && is_dense(part))
            seat[count++] = (struct seat){part->place.run->offset, i};
    }
    return make_group(content, seat, count > FEW ? count : 0, group, member);
}

/* Axes that the values of all members have behind the slowest one, so that the group has them. */
static void set_axes(const struct fpgz_content *content, struct fpgz_part *group, const size_t *member)
{
    for (size_t i = 0; i < group->members; i++) {
        const struct fpgz_part *const part = &content->part[member[i]];
        const uint64_t *const extent = part->layout == FPGZ_PIECES ? part->piece : part->array.extent;
        const unsigned axes = (unsigned)fpgz_min(part->array.dims, FPGZ_MAX_CODING_DIMS - 1);
        const uint64_t *const last = extent + part->array.dims - axes;
        if (i && (axes != group->axes || memcmp(group->axis, last, axes * sizeof *last))) {
            group->axes = 0;
            return;
        }
        group->axes = axes;
        memcpy(group->axis, last, axes * sizeof *last);
    }
}

bool fpgz_family_of(const struct fpgz_content *content, uint32_t family, struct fpgz_part *group,
                    size_t *member)
{
    struct seat *const seat = calloc(content->count + 1, sizeof *seat);
    size_t count = 0;
    for (size_t i = 0; i < content->count && seat; i++)
        if (content->part[i].family == family)
            seat[count++] = (struct seat){content->part[i].place.run->offset, i};
    const bool ok = make_group(content, seat, count > 1 ? count : 0, group, member);
    if (ok)
        set_axes(content, group, member);
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
        part->carrier = (uint32_t)number + 1;
        part->grouped = true;
        part->first = first;
        first += part->place.bytes / fpgz_dtype_size(part->array.dtype);
        if (fpgz_part_in_order(part)) {
            part->layout = FPGZ_DENSE;
            free(part->place.run);
            part->place = (struct fpgz_place){0};
        }
        for (size_t r = 0; r < part->place.count; r++) {
            part->place.run[r].offset = part->place.run[r].at;
            part->place.run[r].step = part->place.run[r].bytes;
        }
    }
}

/* Moves the group and its members, if it has any. */
static void move_group(struct fpgz_content *to, struct fpgz_content *from, struct fpgz_part *group,
                       const size_t *member)
{
    if (group->members)
        seat_members(to, from, group, member);
    else
        fpgz_part_free(group);
}

bool fpgz_content_group(struct fpgz_content *content)
{
    struct fpgz_content grouped = *content;
    size_t *const member = calloc(content->count + 1, sizeof *member);
    grouped.part = calloc(content->count + FPGZ_GROUP_KINDS + content->families, sizeof *grouped.part);
    grouped.count = 0;
    bool ok = member && grouped.part;
    for (unsigned kind = 0; kind < FPGZ_GROUP_KINDS && ok; kind++) {
        const struct fpgz_grouping *const grouping = &content->grouping[kind];
        struct fpgz_part group;
        if (!grouping->most)
            continue;
        ok = fpgz_group_of(content, kind, 0, grouping->most, &group, member);
        group.general = grouping->general;
        group.repeats = grouping->most > FPGZ_GROUPED_BYTES;
        if (ok)
            move_group(&grouped, content, &group, member);
    }
    for (uint32_t family = 1; family <= content->families && ok; family++) {
        struct fpgz_part group;
        ok = fpgz_family_of(content, family, &group, member);
        if (ok)
            move_group(&grouped, content, &group, member);
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

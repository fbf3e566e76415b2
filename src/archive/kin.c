/* SPDX-License-Identifier: MIT
 * Codes samples of arrays of one kind, alone and together, to find out which are put into a group. */
#include "archive/kin.h"

#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/coder.h"
#include "archive/families.h"
#include "archive/gain.h"
#include "core/bytes.h"
#include "core/group.h"

enum {
    SAMPLE_BYTES = 512 << 10,
    LEAST_LEVEL = 4,    /* faster ones look for no kin among larger arrays */
    SECTION_BYTES = 60, /* of the chunk of an array that is coded alone, and of what the index says of it */
    GROUP_BYTES = 150,
};

/* Together they must be so much smaller than alone, for the group must be decoded for each of them. */
#define WORTH 0.9

/* The same for a codec that knows nothing of numbers. */
#define WORTH_GENERAL 0.97

struct judge {
    const struct fpgz_setup *setup;
    int level;
    const struct fpgz_area *area;
    struct fpgz_chunk_buffers *buffers;
};

/* Bytes that the values at `at` of the part's sequence are coded in. */
static uint64_t coded_bytes(const struct judge *j, const struct fpgz_part *part, uint64_t at, size_t bytes)
{
    const struct fpgz_coder coder = fpgz_coder_of(j->setup, j->level, part);
    const struct fpgz_grid grid = {
        part->array.dtype, 1, {bytes / fpgz_dtype_size(part->array.dtype), 1, 1, 1}};
    struct fpgz_coded coded;
    return fpgz_gain_code(&coder, j->area, part, at, &grid, j->buffers, &coded) ? coded.length : bytes;
}

/* Consecutive members of a group, in its middle: bytes [at, at + bytes) of its sequence. */
struct window {
    size_t first, end;
    uint64_t at, bytes;
};

static struct window window_of(const struct judge *j, const struct fpgz_content *content,
                               const struct fpgz_part *group, const size_t *member)
{
    struct window w = {0};
    struct fpgz_error none = {0};
    uint64_t target = SAMPLE_BYTES, slab = fpgz_setup_slab(j->setup);
    if (fpgz_budget_cut(j->setup, j->level, group, 1, &target, &slab, &none))
        return w;
    const uint64_t skipped = group->place.bytes > target ? (group->place.bytes - target) / 2 : 0;
    while (w.at < skipped)
        w.at += content->part[member[w.first++]].place.bytes;
    for (w.end = w.first; w.end < group->members; w.bytes += content->part[member[w.end++]].place.bytes)
        if (w.bytes + content->part[member[w.end]].place.bytes > target)
            break;
    return w;
}

/* Finds by which codec the members are coded best: bytes of the window. */
static uint64_t judge_codec(const struct judge *j, struct fpgz_part *group, const struct window *w)
{
    group->general = false;
    const uint64_t numbers = coded_bytes(j, group, w->at, w->bytes);
    if (j->setup->codec)
        return numbers;
    group->general = true;
    const uint64_t general = coded_bytes(j, group, w->at, w->bytes);
    group->general = (double)general < WORTH_GENERAL * (double)numbers;
    return group->general ? general : numbers;
}

/* Lets the kind's group take larger arrays, where they repeat each other. False without memory. */
static bool judge_larger(const struct judge *j, struct fpgz_content *content, unsigned kind, size_t *member)
{
    struct fpgz_grouping *const grouping = &content->grouping[kind];
    struct fpgz_part group;
    if (!fpgz_group_of(content, kind, FPGZ_GROUPED_BYTES, FPGZ_KIN_BYTES, &group, member))
        return false;
    const struct window w = window_of(j, content, &group, member);
    if (group.members && w.end - w.first > 1) {
        const uint64_t together = judge_codec(j, &group, &w);
        uint64_t alone = 0;
        for (size_t i = w.first; i < w.end; i++) {
            const struct fpgz_part *const part = &content->part[member[i]];
            alone += coded_bytes(j, part, 0, part->place.bytes) + SECTION_BYTES;
        }
        if ((double)together < WORTH * (double)alone)
            *grouping = (struct fpgz_grouping){FPGZ_KIN_BYTES, group.general};
    }
    fpgz_part_free(&group);
    return true;
}

/* Finds how the group of the kind's small arrays is coded, or turns them into bytes where it would not pay.
 * False without memory. */
static bool judge_small(const struct judge *j, struct fpgz_content *content, unsigned kind, size_t *member,
                        bool *merged)
{
    struct fpgz_grouping *const grouping = &content->grouping[kind];
    struct fpgz_part group;
    double cost = GROUP_BYTES;
    if (!fpgz_group_of(content, kind, 0, grouping->most, &group, member))
        return false;
    for (size_t i = 0; i < group.members; i++) /* in the table, behind zlib */
        cost += 4 + (double)strlen(content->part[member[i]].name) / 8;
    const struct window w = window_of(j, content, &group, member);
    if (w.bytes)
        judge_codec(j, &group, &w);
    grouping->general = group.general;
    const bool poor =
        group.members && fpgz_gain_expected(j->setup, j->level, j->area, &group, j->buffers) < cost;
    for (size_t i = 0; poor && i < group.members; i++)
        content->part[member[i]].layout = FPGZ_BYTES;
    *merged |= poor;
    fpgz_part_free(&group);
    return true;
}

bool fpgz_kin_judge(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                    struct fpgz_content *content, struct fpgz_chunk_buffers *buffers, bool *merged)
{
    const struct judge j = {setup, level, area, buffers};
    size_t *const member = calloc(content->count + 1, sizeof *member);
    bool ok = member != NULL;
    fpgz_grouping_begin(content);
    for (unsigned kind = 0; kind < FPGZ_GROUP_KINDS && ok; kind++) {
        if (setup->level >= LEAST_LEVEL && !setup->codec)
            ok = judge_larger(&j, content, kind, member);
        if (ok && content->grouping[kind].most == FPGZ_GROUPED_BYTES)
            ok = judge_small(&j, content, kind, member, merged);
    }
    free(member);
    return ok && fpgz_families_find(setup, level, area, content, buffers);
}

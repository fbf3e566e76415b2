/* SPDX-License-Identifier: MIT
 * Finds parts that cannot be, and the bytes that belong to no array. */
#include "core/cover.h"

#include <stdlib.h>
#include <string.h>

#include "core/walk.h"

/* Drops the parts that are marked by an empty place. */
static void sweep(struct fpgz_content *content)
{
    size_t kept = 0;
    for (size_t i = 0; i < content->count; i++)
        if (content->part[i].place.bytes)
            content->part[kept++] = content->part[i];
        else
            fpgz_part_free(&content->part[i]);
    content->count = kept;
}

/* Marks a part as one to drop. */
static void mark(struct fpgz_part *part)
{
    part->place.bytes = 0;
}

/* Walks through the file. Marks parts that begin before the previous part ends, and adds the bytes between
 * the others to `gaps`. */
static bool find_gaps(struct fpgz_content *content, struct fpgz_place *gaps)
{
    struct fpgz_walk walk;
    struct fpgz_span span;
    uint64_t end = 0;
    bool ok = fpgz_walk_begin(&walk, content->count);
    for (size_t i = 0; i < content->count && ok; i++)
        fpgz_walk_add(&walk, i, &content->part[i].place);
    for (size_t i; ok && fpgz_walk_next(&walk, &i, &span);) {
        if (span.offset < end) {
            mark(&content->part[i]);
            fpgz_walk_leave(&walk);
            continue;
        }
        ok = span.offset == end || fpgz_place_add(gaps, end, span.offset - end, 0);
        end = span.offset + span.bytes;
    }
    if (ok && end < content->size)
        ok = fpgz_place_add(gaps, end, content->size - end, 0);
    fpgz_walk_free(&walk);
    return ok;
}

bool fpgz_content_complete(struct fpgz_content *content)
{
    for (size_t i = 0; i < content->count; i++)
        if (content->part[i].layout == FPGZ_BYTES || !fpgz_part_valid(&content->part[i], content->size))
            mark(&content->part[i]);
    sweep(content);
    const size_t valid = content->count;
    struct fpgz_place gaps = {0};
    bool ok = find_gaps(content, &gaps);
    sweep(content);
    if (ok && content->count < valid) { /* the dropped parts had covered gaps */
        free(gaps.run);
        memset(&gaps, 0, sizeof gaps);
        ok = find_gaps(content, &gaps);
    }
    struct fpgz_part *rest = ok && gaps.count ? fpgz_content_add(content) : NULL;
    if (!rest) {
        free(gaps.run);
        return ok && !gaps.count;
    }
    rest->array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {gaps.bytes}};
    rest->layout = FPGZ_BYTES;
    rest->place = gaps;
    rest->name = strdup("");
    return rest->name != NULL;
}

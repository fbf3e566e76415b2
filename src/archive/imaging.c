/* SPDX-License-Identifier: MIT
 * Builds the image of a file: where each piece without its filters is in it, and where everything else. */
#include "archive/imaging.h"

#include <stdlib.h>

#include "core/cover.h"
#include "core/walk.h"

/* A piece, and whose it is. */
struct owned {
    uint64_t offset, end;
    struct fpgz_trial *trial;
};

static int by_begin(const void *a, const void *b)
{
    const struct owned *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* All pieces of what is not skipped, by their offsets; the caller frees them. NULL without memory. */
static struct owned *list_pieces(const struct fpgz_imaging *r, size_t *count)
{
    size_t most = 1;
    for (size_t i = 0; i < r->trials; i++)
        most += r->trial[i].filtered->pieces;
    struct owned *const list = calloc(most, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < r->trials && list; i++) {
        const struct fpgz_filtered *filtered = r->trial[i].filtered;
        for (size_t j = 0; j < filtered->pieces && !r->trial[i].skipped; j++) {
            const struct fpgz_kept *piece = &filtered->piece[j];
            list[(*count)++] = (struct owned){piece->offset, piece->offset + piece->length, &r->trial[i]};
        }
    }
    if (list)
        qsort(list, *count, sizeof *list, by_begin);
    return list;
}

bool fpgz_imaging_separate(const struct fpgz_imaging *r)
{
    const struct fpgz_content *const content = r->content;
    size_t count = 0, next = 0, number;
    struct owned *const list = list_pieces(r, &count), *last = list;
    struct fpgz_walk walk;
    struct fpgz_span span;
    const bool ok = fpgz_walk_begin(&walk, content->count) && list;
    for (size_t i = 1; i < count && ok; i++) {
        if (list[i].offset < last->end)
            list[i].trial->skipped = last->trial->skipped = true;
        last = list[i].end > last->end ? &list[i] : last;
    }
    for (size_t i = 0; i < content->count && ok; i++)
        if (content->part[i].layout != FPGZ_BYTES)
            fpgz_walk_add(&walk, i, &content->part[i].place);
    while (ok && fpgz_walk_next(&walk, &number, &span)) {
        while (next < count && list[next].end <= span.offset)
            next++;
        for (size_t i = next; i < count && list[i].offset < span.offset + span.bytes; i++)
            list[i].trial->skipped = true;
    }
    fpgz_walk_free(&walk);
    free(list);
    return ok;
}

/* Maps the file to the image. */
static bool map_file(struct fpgz_imaging *r)
{
    bool ok = true;
    for (size_t i = 0; i < r->trials; i++) {
        const struct fpgz_trial *trial = &r->trial[i];
        for (size_t j = 0; j < trial->filtered->pieces && !trial->skipped && ok; j++)
            ok = !trial->stored[j].length || fpgz_image_add(&r->forward, trial->filtered->piece[j].offset,
                                                            trial->stored[j].length, trial->bytes);
    }
    return ok && fpgz_image_end(&r->forward, r->content->size, &r->size) && r->size <= INT64_MAX;
}

/* Makes the part of an array, and adds its pieces to the image. Its name and what is in front of pieces stay
 * the array's. */
static bool make_part(struct fpgz_imaging *r, const struct fpgz_trial *trial, struct fpgz_part *part)
{
    const struct fpgz_filtered *const filtered = trial->filtered;
    size_t whole = 0;
    *part = filtered->part;
    part->layout = FPGZ_PIECES;
    part->stored = calloc(filtered->pieces, sizeof *part->stored);
    part->kept = calloc(filtered->pieces, sizeof *part->kept);
    part->unfiltered = trial->unfiltered;
    part->plain = trial->plain;
    bool ok = part->stored && part->kept;
    for (size_t i = 0; i < filtered->pieces && ok; i++) {
        const uint64_t offset = fpgz_image_place(&r->forward, filtered->piece[i].offset);
        if (trial->stored[i].length) {
            part->stored[whole++] = trial->stored[i];
            ok = fpgz_place_add(&part->place, offset, trial->bytes, filtered->piece[i].number) &&
                 fpgz_image_add(&r->image, offset, trial->bytes, trial->stored[i].length);
        } else {
            part->kept[part->kepts] = filtered->piece[i];
            part->kept[part->kepts++].offset = offset;
        }
    }
    return ok;
}

void fpgz_imaging_undo(struct fpgz_imaging *r)
{
    for (size_t i = 0; i < r->trials; i++) {
        r->part[i].name = NULL;
        r->part[i].filters.front = NULL;
        fpgz_part_free(&r->part[i]);
    }
    fpgz_image_free(&r->image);
    fpgz_image_free(&r->forward);
}

bool fpgz_imaging_make(struct fpgz_imaging *r)
{
    uint64_t bytes;
    bool ok = map_file(r);
    for (size_t i = 0; i < r->trials && ok; i++)
        ok = r->trial[i].skipped || make_part(r, &r->trial[i], &r->part[i]);
    return ok && fpgz_image_end(&r->image, r->size, &bytes);
}

/* Moves a place of the file to the image. */
static bool move_place(struct fpgz_place *place, const struct fpgz_image *forward)
{
    struct fpgz_place moved = {0};
    bool ok = true;
    for (size_t i = 0; i < place->count && ok; i++) {
        struct fpgz_run run = place->run[i];
        if (fpgz_image_even(forward, run.offset, run.offset + (run.count - 1) * run.step)) {
            run.offset = fpgz_image_place(forward, run.offset);
            ok = fpgz_place_add_run(&moved, &run);
            continue;
        }
        for (uint64_t j = 0; j < run.count && ok; j++) /* filtered pieces are in the gaps */
            ok = fpgz_place_add(&moved, fpgz_image_place(forward, run.offset + j * run.step), run.bytes,
                                run.number + j);
    }
    free(place->run);
    *place = moved;
    return ok;
}

bool fpgz_imaging_commit(struct fpgz_imaging *r)
{
    struct fpgz_content *const content = r->content;
    bool ok = true;
    for (size_t i = 0; i < content->count && ok; i++) /* what is no array is found anew, below */
        ok = content->part[i].layout == FPGZ_BYTES || move_place(&content->part[i].place, &r->forward);
    for (size_t i = 0; i < r->trials && ok; i++) {
        struct fpgz_part *const part = r->trial[i].skipped ? NULL : fpgz_content_add(content);
        ok = part || r->trial[i].skipped;
        if (!part)
            continue;
        *part = r->part[i];
        r->part[i] = (struct fpgz_part){.name = NULL};
        content->filtered[i].part.name = NULL;
        content->filtered[i].part.filters.front = NULL;
    }
    content->image = r->image;
    content->size = r->size;
    r->image = (struct fpgz_image){0};
    return ok && fpgz_content_complete(content);
}

/* SPDX-License-Identifier: MIT
 * Writes and reads runs. */
#include "container/runs.h"

#include <stdlib.h>

#include "core/bytes.h"
#include "core/room.h"

/* What the next run's place is told relative to. */
struct cursor {
    uint64_t end;    /* of the run before, in the file */
    uint64_t number; /* the number that would follow */
};

static void move_behind(struct cursor *cursor, const struct fpgz_run *run)
{
    cursor->end = run->offset + (run->count - 1) * run->step + run->bytes;
    cursor->number = run->number + run->count;
}

enum { FIELDS = 4 }; /* the most numbers of a run */

static size_t pack_run(const struct fpgz_run *run, enum fpgz_layout layout, struct cursor *cursor,
                       uint8_t at[FPGZ_NUMBER_BYTES * FIELDS])
{
    size_t length = 0;
    if (layout == FPGZ_PIECES)
        length += fpgz_number_put(run->count, at);
    length += fpgz_number_put(run->offset - cursor->end, at + length);
    if (layout == FPGZ_PIECES) {
        length += fpgz_number_put(run->step - run->bytes, at + length);
        length += fpgz_number_put(fpgz_zigzag(run->number - cursor->number), at + length);
    } else {
        length += fpgz_number_put(run->bytes, at + length);
    }
    move_behind(cursor, run);
    return length;
}

size_t fpgz_runs_bytes(const struct fpgz_part *part)
{
    struct cursor cursor = {0};
    uint8_t bytes[FPGZ_NUMBER_BYTES * FIELDS];
    size_t length = 0;
    for (size_t i = 0; i < part->place.count; i++)
        length += pack_run(&part->place.run[i], part->layout, &cursor, bytes);
    return length;
}

void fpgz_runs_add(const struct fpgz_part *part, struct fpgz_numbers *numbers)
{
    struct cursor cursor = {0};
    uint8_t bytes[FPGZ_NUMBER_BYTES * FIELDS];
    for (size_t i = 0; i < part->place.count; i++)
        fpgz_numbers_add_bytes(numbers, bytes, pack_run(&part->place.run[i], part->layout, &cursor, bytes));
}

static bool take_run(struct fpgz_number_view *view, const struct cursor *cursor, uint64_t piece_bytes,
                     struct fpgz_run *run)
{
    run->count = piece_bytes ? fpgz_number_take(view) : 1;
    const uint64_t gap = fpgz_number_take(view);
    const uint64_t more = piece_bytes ? fpgz_number_take(view) : 0;
    run->bytes = piece_bytes ? piece_bytes : fpgz_number_take(view);
    run->number = piece_bytes ? cursor->number + fpgz_unzigzag(fpgz_number_take(view)) : 0;
    return !view->bad && fpgz_add(cursor->end, gap, &run->offset) && fpgz_add(run->bytes, more, &run->step);
}

enum fpgz_status fpgz_runs_take(struct fpgz_number_view *view, uint64_t count, struct fpgz_part *part,
                                struct fpgz_error *error)
{
    struct fpgz_place *place = &part->place;
    struct cursor cursor = {0};
    uint64_t piece_bytes = 0;
    if (part->layout == FPGZ_PIECES &&
        !fpgz_extents_bytes(part->array.dtype, part->piece, part->array.dims, &piece_bytes))
        return fpgz_fail(error, FPGZ_CORRUPT, "the size of its pieces is impossible");
    for (; count == UINT64_MAX ? view->at < view->end : place->count < count; place->count++) {
        struct fpgz_run *const larger = fpgz_room(place->run, place->count, sizeof *larger);
        if (!larger)
            return fpgz_fail(error, FPGZ_MEMORY, "no memory for a table of %zu runs", place->count + 1);
        place->run = larger;
        struct fpgz_run *run = &place->run[place->count];
        uint64_t bytes;
        if (!take_run(view, &cursor, piece_bytes, run) || !fpgz_mul(run->count, run->bytes, &bytes))
            return fpgz_fail(error, FPGZ_CORRUPT, "its table of runs is malformed");
        run->at = place->bytes;
        if (!fpgz_add(place->bytes, bytes, &place->bytes))
            return fpgz_fail(error, FPGZ_CORRUPT, "its table of runs is malformed");
        move_behind(&cursor, run);
    }
    return FPGZ_OK;
}

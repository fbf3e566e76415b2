/* SPDX-License-Identifier: MIT
 * A trial of ways to part a grid: boxes are estimated as they are, and by parts. */
#include "codec/prans/apart/trial.h"

#include "codec/codecs.h"
#include "codec/prans/apart/akin.h"
#include "codec/prans/apart/choose.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

enum {
    SMALL = 1 << 18,      /* values of grids that estimates see whole, if */
    SMALL_PART = 1 << 15, /* parts may have fewer values; of larger ones boxes tell */
    PART_BYTES = 384,     /* of each part, which estimates do not see */
    DOUBT_NEAR_PART = 32, /* near parts must save so much more by estimates */
    LOOKED_AT = 6,        /* parts of many, which tell whether all are estimated */
    NEAR_MOST = 8,        /* parts that differ by an octave, in the high setting alone: axes of one space */
    DOUBT_PART = 16,      /* of what the whole takes: with so much more, the others are not */
    TABLE_DIMS = 2,       /* of grids that kin alone have parted: of more axes symmetries tell, too, */
    KIN_DIMS = 3,         /* or whose trials know of kin: nodes of elements in four axes match (+6 %) */
    TELLING_PART = 32, /* of a box that takes more than such a part of its values, the others are like it */
};

/* Boxes from one to before another. */
struct some_boxes {
    unsigned first, end;
};

/* Returns about the bytes of some boxes, by every so many parts or by the others or, without a split, as they
 * are. A small grid is a box. */
static size_t estimate(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                       const struct apart_work *w, const void *values, const struct apart_trial *t,
                       struct some_boxes boxes, const struct apart_split *split, size_t every, bool others,
                       uint8_t *stream)
{
    const bool some = t->boxes > 1, kin = coding->grid.dims <= KIN_DIMS;
    uint8_t *const parts = w->values + (some ? fpgz_round_up(fpgz_grid_bytes(&t->box.grid), 64) : 0);
    size_t sum = 0;
    for (unsigned i = boxes.first; i < boxes.end; i++) {
        const void *const box = some ? w->values : values;
        if (some)
            fpgz_prans_apart_box(&coding->grid, &t->box.grid, i, t->boxes, values, w->values);
        if (!split) {
            struct fpgz_coding whole = t->box; /* what it takes parted is told too well */
            whole.params.value[PRANS_IN_ONE] = 1;
            sum += inner->estimate(&whole, box, stream);
            continue;
        }
        const struct fpgz_coding part = {split->part, t->box.params, t->box.scratch, NULL};
        const struct apart_work work =
            fpgz_prans_apart_differing(w, inner, &split->part, &t->box.params, true);
        fpgz_prans_apart_take(split, box, parts);
        if (kin)
            fpgz_prans_akin_look(split, parts, false, w);
        for (size_t p = 0; p < split->slow * split->fast; p++)
            if ((p % every == every / 2) != others)
                sum += kin ? fpgz_prans_akin_estimate(inner, &part, &work, parts, p, stream)
                           : inner->estimate(&part, parts + p * fpgz_grid_bytes(&split->part), stream);
    }
    return sum;
}

/* About the bytes of all boxes by parts; 0 if the first box, unless it takes next to nothing, tells that
 * these save nothing, or a few of many parts that they would take clearly more than the whole. */
static size_t estimate_parts(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                             const struct apart_work *w, const void *values, struct apart_trial *t,
                             const struct apart_split *split, size_t more, uint8_t *stream)
{
    const size_t parts = split->slow * split->fast, every = parts / LOOKED_AT;
    const struct some_boxes all = {0, t->boxes}, first = {0, 1}, others = {1, t->boxes};
    const bool high = fpgz_prans_is_high(&coding->params), few = every < 2;
    const size_t begun = few ? estimate(inner, coding, w, values, t, first, split, 1, false, stream) : 0;
    const bool tells = t->boxes > 1 && t->first > fpgz_grid_bytes(&t->box.grid) / TELLING_PART;
    if (few && !high && tells && begun + more / t->boxes >= t->first)
        return 0;
    if (!t->whole)
        t->whole = t->first + estimate(inner, coding, w, values, t, others, NULL, 1, false, stream);
    if (t->whole <= more)
        return 0;
    if (few)
        return begun + estimate(inner, coding, w, values, t, others, split, 1, false, stream);
    if (high)
        return estimate(inner, coding, w, values, t, all, split, 1, false, stream);
    const size_t some = estimate(inner, coding, w, values, t, all, split, every, false, stream),
                 estimated = (parts - every / 2 + every - 1) / every;
    if (some * parts / estimated + more > t->whole + t->whole / DOUBT_PART)
        return 0;
    return some + estimate(inner, coding, w, values, t, all, split, every, true, stream);
}

double fpgz_prans_apart_seen(const struct apart_trial *t, const struct fpgz_grid *grid)
{
    return (double)t->boxes * (double)fpgz_grid_values(&t->box.grid) / (double)fpgz_grid_values(grid);
}

/* Whether the grid, or a part of it by all axes, has few values. */
static bool is_small(const struct fpgz_grid *grid)
{
    struct apart_split finest;
    const unsigned slow = fpgz_prans_apart_slow_axes(grid), fast = fpgz_prans_apart_fast_axes(grid);
    return fpgz_grid_values(grid) <= SMALL &&
           !(fpgz_prans_apart_split(grid, slow, fast, &finest) && finest.middle >= SMALL_PART);
}

/* Tries a way to part the grid by so many axes, if values differ by it. */
static void try_axes(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                     const struct apart_work *w, const void *values, unsigned slow, unsigned fast,
                     uint8_t *stream, struct apart_trial *t)
{
    struct apart_split split, box;
    if (!fpgz_prans_apart_split(&coding->grid, slow, fast, &split) || split.middle < APART_LEAST_VALUES)
        return;
    const bool akin = coding->grid.dims == TABLE_DIMS && fpgz_prans_akin_any(&split, values, w);
    const enum apart_difference difference = akin ? APART_FAR : fpgz_prans_apart_differ(&split, values);
    const bool is_near = difference == APART_NEAR;
    if (difference == APART_SAME ||
        (is_near && (!fpgz_prans_is_high(&coding->params) || split.slow * split.fast > NEAR_MOST)))
        return;
    if (!t->begun) {
        t->begun = true;
        t->box.grid = coding->grid;
        t->boxes = is_small(&coding->grid) ? 1 : fpgz_prans_apart_boxes(&coding->grid, &t->box.grid);
        t->first = estimate(inner, coding, w, values, t, (struct some_boxes){0, t->boxes > 0}, NULL, 1, false,
                            stream);
    }
    const size_t parts = split.slow * split.fast,
                 more = (size_t)((double)(parts * PART_BYTES) * fpgz_prans_apart_seen(t, &coding->grid));
    if (!t->boxes || !fpgz_prans_apart_split(&t->box.grid, slow, fast, &box))
        return;
    const size_t parts_bytes = estimate_parts(inner, coding, w, values, t, &box, more, stream),
                 doubt = is_near ? t->whole / DOUBT_NEAR_PART : 0, bytes = parts_bytes + more + doubt;
    if (parts_bytes && (!t->apart || bytes < t->apart)) {
        t->apart = bytes;
        t->best = split;
    }
}

void fpgz_prans_apart_try(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                          const struct apart_work *w, const void *values, uint8_t *stream,
                          struct apart_trial *t)
{
    const unsigned slow = fpgz_prans_apart_slow_axes(&coding->grid),
                   fast = fpgz_prans_apart_fast_axes(&coding->grid);
    *t = (struct apart_trial){
        .box = {.params = {.value = {[PRANS_SETTING] = PRANS_FORMAT_MIDDLE}}, .scratch = w->inner}};
    if (slow)
        try_axes(inner, coding, w, values, slow, 0, stream, t);
    if (fast)
        try_axes(inner, coding, w, values, 0, fast, stream, t);
    if (t->apart && t->best.fast > 1 && slow)
        try_axes(inner, coding, w, values, slow, fast, stream, t);
}

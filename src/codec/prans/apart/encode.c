/* SPDX-License-Identifier: MIT
 * Encoding of grids apart: parts of different kinds are found by a trial, and coded one after the other. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/apart/akin.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/apart/choose.h"
#include "codec/prans/apart/scales.h"
#include "codec/prans/apart/work.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

enum {
    SMALL = 1 << 18,      /* values of grids that estimates see whole, if */
    SMALL_PART = 1 << 15, /* parts may have fewer values; of larger ones boxes tell */
    LEAST_VALUES = 256,   /* of a part */
    PART_BYTES = 384,     /* of each part, which estimates do not see */
    GAIN_PART = 64,       /* what parts must save by an estimate, as such a part */
    LOOKED_AT = 6,        /* parts of many, which tell whether all are estimated */
    NEAR_MOST = 8,        /* parts that differ by an octave, in the high setting alone: axes of one space */
    DOUBT_PART = 16,      /* of what the whole takes: with so much more, the others are not */
    TABLE_DIMS = 2,       /* of grids that kin alone have parted: of more axes symmetries tell, too, */
    KIN_DIMS = 3,         /* or whose trials know of kin: nodes of elements in four axes match (+6 %) */
    TELLING_PART = 32, /* of a box that takes more than such a part of its values, the others are like it */
};

/* Codes a part by an earlier one, or as any grid. Returns the bytes. */
static size_t put_part(const struct fpgz_codec *inner, const struct fpgz_coding *part, struct fpgz_aide *aide,
                       const struct apart_work *w, const uint8_t *parts, size_t i, size_t room, uint8_t *at)
{
    const size_t akin = fpgz_prans_akin_encode(inner, part, w, parts, i, room, at);
    return akin ? akin
                : fpgz_prans_inner_put(inner, part, aide, parts + i * fpgz_grid_bytes(&part->grid), at);
}

/* Codes the parts at `parts`; returns the bytes of the stream, or 0 if it is not shorter than `least` bytes.
 */
static size_t encode_parts(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                           struct fpgz_aide *aide, const struct apart_work *w,
                           const struct apart_split *split, const uint8_t *parts, size_t room, size_t least,
                           uint8_t *stream)
{
    const size_t count = split->slow * split->fast, raw = fpgz_grid_bytes(&split->part);
    const size_t bound = fpgz_max(raw, inner->bound(&split->part, &coding->params));
    const struct fpgz_coding part = {split->part, coding->params, coding->scratch, NULL};
    uint8_t *side = stream + PRANS_HEAD_BYTES, *at = side + 4 * count;
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_APART, (uint8_t)split->slow_axes, (uint8_t)split->fast_axes, 0},
           4);
    fpgz_store32(stream + 4, (uint32_t)(4 * count));
    const struct apart_work work = fpgz_prans_apart_differing(w, inner, &split->part, &coding->params, true);
    fpgz_prans_akin_look(split, parts, false, w);
    for (size_t i = 0; i < count; i++, side += 4) {
        const size_t left = room - (size_t)(at - stream);
        if (bound > left)
            return 0;
        const size_t length = put_part(inner, &part, aide, &work, parts, i, left, at);
        fpgz_store32(side, (uint32_t)length);
        at += length;
        if ((size_t)(at - stream) >= least)
            return 0;
    }
    return (size_t)(at - stream);
}

/* A trial of ways to part the grid, by estimates of the middle setting. */
struct trial {
    struct fpgz_coding box; /* each */
    unsigned boxes;
    bool begun;
    size_t first, whole, apart; /* bytes, about: of the first box, of all; by the best way, 0 without one */
    struct apart_split best;
};

/* Boxes from one to before another. */
struct some_boxes {
    unsigned first, end;
};

/* Returns about the bytes of some boxes, by every so many parts or by the others or, without a split, as they
 * are. A small grid is a box. */
static size_t estimate(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                       const struct apart_work *w, const void *values, const struct trial *t,
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
                             const struct apart_work *w, const void *values, struct trial *t,
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

/* The share of the grid's values that boxes have. */
static double seen(const struct trial *t, const struct fpgz_grid *grid)
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
                     uint8_t *stream, struct trial *t)
{
    struct apart_split split, box;
    if (!fpgz_prans_apart_split(&coding->grid, slow, fast, &split) || split.middle < LEAST_VALUES)
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
                 more = (size_t)((double)(parts * PART_BYTES) * seen(t, &coding->grid));
    if (!t->boxes || !fpgz_prans_apart_split(&t->box.grid, slow, fast, &box))
        return;
    const size_t parts_bytes = estimate_parts(inner, coding, w, values, t, &box, more, stream),
                 doubt = is_near ? 2 * t->whole / GAIN_PART : 0, bytes = parts_bytes + more + doubt;
    if (parts_bytes && (!t->apart || bytes < t->apart)) {
        t->apart = bytes;
        t->best = split;
    }
}

/* The stream of parts in a way that was found; 0 if it is not shorter than `least` bytes. */
static size_t encode_apart(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                           struct fpgz_aide *aide, const struct apart_work *w,
                           const struct apart_split *split, const void *values, size_t least, uint8_t *stream)
{
    const struct fpgz_coding within = {coding->grid, coding->params, w->inner, NULL};
    const size_t room = fpgz_prans_apart_bound(inner, &coding->grid, &coding->params);
    const uint8_t *parts = values;
    if (split->fast > 1) {
        fpgz_prans_apart_take(split, values, w->values);
        parts = w->values;
    }
    return encode_parts(inner, &within, aide, w, split, parts, room, least, stream);
}

/* About the bytes of the whole grid's stream. Boxes do not show what a period of the slowest axis saves. */
static size_t whole_bytes(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                          const struct apart_work *w, const struct trial *t, const void *values,
                          uint8_t *stream)
{
    const struct fpgz_coding whole = {coding->grid, t->box.params, w->inner, NULL};
    const size_t bytes = (size_t)((double)t->whole / seen(t, &coding->grid));
    struct periodic_found found;
    return fpgz_prans_periodic_find(PERIODIC_SLOWEST, inner, &whole, values, stream, &found)
               ? fpgz_min(found.by_period, bytes)
               : bytes;
}

/* Whether parts have scales by slow axes or by fast ones, as few as show any. */
static bool have_scales(const struct fpgz_grid *grid, const void *values, struct apart_split *split)
{
    for (unsigned axes = 1; axes < grid->dims; axes++)
        for (unsigned slow = 0; slow < 2; slow++)
            if (fpgz_prans_apart_split(grid, slow ? axes : 0, slow ? 0 : axes, split) &&
                split->middle >= LEAST_VALUES && fpgz_prans_apart_scaled(split, values))
                return true;
    return false;
}

/* Whether parts by a short fast axis have symmetries, as both parts of complex spectra do, of which the whole
 * shows none. */
static bool have_symmetries(const struct fpgz_grid *grid, const struct apart_work *w, const void *values,
                            struct apart_split *split)
{
    struct symmetric_maps maps;
    if (grid->extent[grid->dims - 1] >= SYMMETRIC_LEAST_ROW || !fpgz_prans_apart_split(grid, 0, 1, split))
        return false;
    fpgz_prans_apart_take_one(split, values, 0, w->values);
    return fpgz_prans_symmetric_probe(&split->part, w->values, &maps);
}

/* Whether parts for which estimates do not decide, or that have what these do not see, may be shorter, and a
 * few of them show that they are: than the whole, of which so many bytes are at `stream`. */
static bool are_shorter(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                        const struct apart_work *w, const void *values, uint8_t *stream, size_t whole,
                        bool doubtful, struct apart_split *split)
{
    const struct fpgz_grid *const grid = &coding->grid;
    const size_t room = fpgz_prans_apart_bound(inner, grid, &coding->params) - whole;
    return (doubtful || have_scales(grid, values, split) || have_symmetries(grid, w, values, split)) &&
           fpgz_prans_apart_sampled(inner, &coding->params, w, split, values, stream + whole, room) <
               whole - whole / GAIN_PART;
}

/* Whether matches of the whole, of which estimates know nothing, may save more than parts do. */
static bool may_match(const struct fpgz_coding *coding, const struct apart_work *w, const struct trial *t,
                      const void *values)
{
    const struct fpgz_coding whole = {coding->grid, coding->params, w->inner, NULL};
    const uint64_t bits = (uint64_t)(8 * (double)t->whole / seen(t, &coding->grid)),
                   gain = (uint64_t)((double)bits * (double)(t->whole - t->apart) / (double)t->whole);
    return fpgz_dtype_size(coding->grid.dtype) >= MATCHED_LEAST_SIZE &&
           fpgz_prans_matched_promise(&fpgz_prans_plain, &whole, values, bits, gain, MATCHED_ROUGH,
                                      MATCHED_THOROUGH) > gain;
}

/* In the middle setting what the estimates show to be shorter is coded, and the whole where parts turn out to
 * be longer than that. The high setting codes the whole first, and the parts beside it. So does the middle
 * one with parts or matches that estimates do not see, but for want of room it codes the whole again where
 * they are longer. */
static enum fpgz_status encode_best(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    struct fpgz_aide *aide, const struct apart_work *w, const struct trial *t,
                                    const void *values, uint8_t *stream, size_t *length)
{
    const struct fpgz_coding within = {coding->grid, coding->params, w->inner, coding->lead};
    const bool high = fpgz_prans_is_high(&coding->params);
    /* An estimate does not see all: in the high setting parts may save a little where it says they cost so.
     */
    const size_t margin = t->whole / GAIN_PART, most = high ? t->whole + margin : t->whole - margin;
    const bool is_tried = t->apart && t->apart <= most, doubtful = t->apart && t->apart <= t->whole + margin;
    struct apart_split split = t->best;
    const bool is_sure = is_tried && !high && !may_match(coding, w, t, values);
    if (is_sure) {
        *length = encode_apart(inner, coding, aide, w, &split, values,
                               whole_bytes(inner, coding, w, t, values, stream), stream);
        if (*length)
            return FPGZ_OK;
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (status || is_sure ||
        (!(is_tried && high) && !are_shorter(inner, coding, w, values, stream, *length, doubtful, &split)))
        return status;
    uint8_t *const to = high ? w->stream : stream;
    const size_t bytes = encode_apart(inner, coding, aide, w, &split, values, *length, to);
    if (!bytes && !high) {
        if (within.lead)
            within.lead->state = FPGZ_LEAD_SOUGHT;
        return fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    }
    if (bytes && high)
        memcpy(stream, to, bytes);
    *length = bytes ? bytes : *length;
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_apart_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                         size_t *length)
{
    if (!fpgz_prans_apart_has_axes(&coding->grid))
        return fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    const struct apart_work w =
        fpgz_prans_apart_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    const unsigned slow = fpgz_prans_apart_slow_axes(&coding->grid),
                   fast = fpgz_prans_apart_fast_axes(&coding->grid);
    struct trial t = {
        .box = {.params = {.value = {[PRANS_SETTING] = PRANS_FORMAT_MIDDLE}}, .scratch = w.inner}};
    if (slow)
        try_axes(inner, coding, &w, values, slow, 0, stream, &t);
    if (fast)
        try_axes(inner, coding, &w, values, 0, fast, stream, &t);
    if (t.apart && t.best.fast > 1 && slow)
        try_axes(inner, coding, &w, values, slow, fast, stream, &t);
    return encode_best(inner, coding, aide, &w, &t, values, stream, length);
}

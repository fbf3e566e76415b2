/* SPDX-License-Identifier: MIT
 * Encoding of grids apart: parts of different kinds are found by a trial, and coded one after the other. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/apart/akin.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/apart/choose.h"
#include "codec/prans/apart/scales.h"
#include "codec/prans/apart/trial.h"
#include "codec/prans/apart/work.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

enum { GAIN_PART = 64 /* what parts must save by an estimate, as such a part */ };

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
                          const struct apart_trial *t, const void *values, uint8_t *stream)
{
    const struct fpgz_coding whole = {coding->grid, t->box.params, coding->scratch, NULL};
    const size_t bytes = (size_t)((double)t->whole / fpgz_prans_apart_seen(t, &coding->grid));
    struct periodic_found found;
    return fpgz_prans_periodic_find(PERIODIC_SLOWEST, inner, &whole, values, stream, &found)
               ? fpgz_min(found.by_period, bytes)
               : bytes;
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

/* The stream of the whole, which parts are to be shorter than, and the room behind it. */
struct rival {
    size_t length, room;
    uint8_t *end;
};

/* Whether a few parts show that they are shorter. */
static bool is_shown(const struct fpgz_codec *inner, const struct fpgz_params *params,
                     const struct apart_work *w, const struct apart_split *split, const void *values,
                     const struct rival *whole)
{
    return fpgz_prans_apart_sampled(inner, params, w, split, values, whole->end, whole->room) <
           whole->length - whole->length / GAIN_PART;
}

/* Whether parts for which estimates do not decide, or that have what these do not see, are shorter: scales by
 * slow axes or by fast ones, as few as show any, or symmetries. */
static bool are_shorter(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                        const struct apart_work *w, const void *values, const struct rival *whole,
                        bool doubtful, struct apart_split *split)
{
    const struct fpgz_grid *const grid = &coding->grid;
    if (doubtful)
        return is_shown(inner, &coding->params, w, split, values, whole);
    for (unsigned axes = 1; axes < grid->dims; axes++)
        for (unsigned slow = 0; slow < 2; slow++)
            if (fpgz_prans_apart_split(grid, slow ? axes : 0, slow ? 0 : axes, split) &&
                split->middle >= APART_LEAST_VALUES && fpgz_prans_apart_scaled(split, values) &&
                is_shown(inner, &coding->params, w, split, values, whole))
                return true;
    return have_symmetries(grid, w, values, split) &&
           is_shown(inner, &coding->params, w, split, values, whole);
}

/* Whether matches of the whole, of which estimates know nothing, may save more than parts do. */
static bool may_match(const struct fpgz_coding *coding, const struct apart_trial *t, const void *values)
{
    const struct fpgz_coding whole = {coding->grid, coding->params, coding->scratch, NULL};
    const uint64_t bits = (uint64_t)(8 * (double)t->whole / fpgz_prans_apart_seen(t, &coding->grid)),
                   gain = (uint64_t)((double)bits * (double)(t->whole - t->apart) / (double)t->whole);
    return fpgz_dtype_size(coding->grid.dtype) >= MATCHED_LEAST_SIZE &&
           fpgz_prans_matched_promise(&fpgz_prans_plain, &whole, values, bits, gain, false) > gain;
}

/* Which ways the high setting codes. */
struct high_ways {
    bool whole, parts;
};

/* Those that may be shorter, by what the middle setting makes of both in a sixth of the time: of 55 real
 * grids the wrong one makes none longer by more than .2 % but one of 1 KB. What is at `stream` is lost. */
static struct high_ways likely_ways(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    const struct apart_work *w, const struct apart_split *split,
                                    const void *values, uint8_t *stream)
{
    enum { LEAST = 1 << 15 /* values of which it tells */, PARTS_PART = 24, WHOLE_PART = 16 };
    const struct fpgz_params middle = fpgz_prans_matched_params(&coding->params, PRANS_FORMAT_MIDDLE);
    const struct fpgz_coding both = {coding->grid, middle, coding->scratch, NULL};
    size_t whole;
    if (fpgz_grid_values(&coding->grid) < LEAST ||
        fpgz_prans_inner_encode(inner, &both, NULL, values, stream, &whole))
        return (struct high_ways){true, true};
    const size_t parts =
        encode_apart(inner, &both, NULL, w, split, values, whole + whole / WHOLE_PART, w->stream);
    return (struct high_ways){!parts || parts > whole - whole / PARTS_PART, parts};
}

/* Codes parts beside the whole in the high setting, and keeps them where they are shorter. */
static void try_beside(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                       struct fpgz_aide *aide, const struct apart_work *w, const struct apart_split *split,
                       const void *values, uint8_t *stream, size_t *length)
{
    const size_t bytes = encode_apart(inner, coding, aide, w, split, values, *length, w->stream);
    if (bytes)
        memcpy(stream, w->stream, *length = bytes);
}

/* The high setting, where estimates say that parts may be shorter: the whole, and the parts beside it, or one
 * of both where the middle setting shows that it is shorter. */
static enum fpgz_status encode_high(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    struct fpgz_aide *aide, const struct apart_work *w,
                                    const struct apart_split *split, const void *values, uint8_t *stream,
                                    size_t *length)
{
    const struct high_ways ways = likely_ways(inner, coding, w, split, values, stream);
    if (!ways.whole) {
        *length = encode_apart(inner, coding, aide, w, split, values, SIZE_MAX, stream);
        if (*length)
            return FPGZ_OK;
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    if (!status && ways.parts)
        try_beside(inner, coding, aide, w, split, values, stream, length);
    return status;
}

/* In the middle setting what the estimates show to be shorter is coded, and the whole where parts turn out to
 * be longer than that. Parts or matches that estimates do not see are coded beside the whole; for want of
 * room the middle setting codes the whole again where they are longer. */
static enum fpgz_status encode_best(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    struct fpgz_aide *aide, const struct apart_work *w,
                                    const struct apart_trial *t, const void *values, uint8_t *stream,
                                    size_t *length)
{
    const bool high = fpgz_prans_is_high(&coding->params);
    /* An estimate does not see all: in the high setting parts may save a little where it says they cost so.
     */
    const size_t margin = t->whole / GAIN_PART, most = high ? t->whole + margin : t->whole - margin;
    const bool is_tried = t->apart && t->apart <= most, doubtful = t->apart && t->apart <= t->whole + margin;
    struct apart_split split = t->best;
    if (is_tried && high)
        return encode_high(inner, coding, aide, w, &split, values, stream, length);
    const bool is_sure = is_tried && !may_match(coding, t, values);
    if (is_sure) {
        *length = encode_apart(inner, coding, aide, w, &split, values,
                               whole_bytes(inner, coding, t, values, stream), stream);
        if (*length)
            return FPGZ_OK;
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    if (status || is_sure)
        return status;
    const size_t room = fpgz_prans_apart_bound(inner, &coding->grid, &coding->params);
    const struct rival whole = {*length, room - *length, stream + *length};
    if (!are_shorter(inner, coding, w, values, &whole, doubtful, &split))
        return FPGZ_OK;
    if (high) {
        try_beside(inner, coding, aide, w, &split, values, stream, length);
        return FPGZ_OK;
    }
    const size_t bytes = encode_apart(inner, coding, aide, w, &split, values, *length, stream);
    if (bytes) {
        *length = bytes;
        return FPGZ_OK;
    }
    if (coding->lead)
        coding->lead->state = FPGZ_LEAD_SOUGHT;
    return fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
}

enum fpgz_status fpgz_prans_apart_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                         size_t *length)
{
    if (!fpgz_prans_apart_has_parts(&coding->grid))
        return fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    const struct apart_work w =
        fpgz_prans_apart_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    struct apart_trial t;
    fpgz_prans_apart_try(inner, coding, &w, values, stream, &t);
    return encode_best(inner, coding, aide, &w, &t, values, stream, length);
}

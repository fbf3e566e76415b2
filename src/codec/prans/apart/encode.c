/* SPDX-License-Identifier: MIT
 * Encoding of grids apart: parts of different kinds are found by a trial, and coded one after the other. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/apart/choose.h"
#include "codec/prans/apart/work.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

enum {
    LEAST_VALUES = 256, /* of a part */
    GAIN_PART = 64,     /* what parts must save in a trial, as such a part */
};

static enum fpgz_status encode_inner(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                     struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                     size_t *length)
{
    return aide ? inner->encode_aided(coding, aide, values, stream, length)
                : inner->encode(coding, values, stream, length);
}

/* Codes the parts at `parts`; returns the bytes of the stream, or 0 if it is not shorter than `least` bytes.
 */
static size_t encode_parts(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                           struct fpgz_aide *aide, const struct apart_split *split, const uint8_t *parts,
                           size_t room, size_t least, uint8_t *stream)
{
    const size_t count = split->slow * split->fast, raw = fpgz_grid_bytes(&split->part);
    const size_t bound = fpgz_max(raw, inner->bound(&split->part, &coding->params));
    const struct fpgz_coding part = {split->part, coding->params, coding->scratch};
    uint8_t *side = stream + PRANS_HEAD_BYTES, *at = side + 4 * count;
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_APART, (uint8_t)split->slow_axes, (uint8_t)split->fast_axes, 0},
           4);
    fpgz_store32(stream + 4, (uint32_t)(4 * count));
    for (size_t i = 0; i < count; i++, parts += raw, side += 4) {
        size_t length;
        if (bound > room - (size_t)(at - stream))
            return 0;
        if (encode_inner(inner, &part, aide, parts, at, &length) || length >= raw) {
            memcpy(at, parts, raw);
            length = raw;
        }
        fpgz_store32(side, (uint32_t)length);
        at += length;
        if ((size_t)(at - stream) >= least)
            return 0;
    }
    return (size_t)(at - stream);
}

/* A trial of ways to part the grid, on boxes in the middle setting. */
struct trial {
    struct fpgz_coding box; /* each */
    unsigned boxes;
    bool begun;
    size_t whole, apart; /* bytes, about; `apart` by the best way, 0 if there is none */
    struct apart_split best;
};

/* What of a stream is hardly longer for more values. */
static size_t fixed_bytes(const uint8_t *stream, size_t length)
{
    const size_t fixed = stream[0] == PRANS_FORMAT_BINS ? PRANS_HEAD_BYTES + fpgz_load32(stream + 4) : 0;
    return fpgz_min(fixed, length);
}

/* The same of parts. */
static size_t fixed_of_parts(const uint8_t *stream, size_t parts)
{
    const uint8_t *side = stream + PRANS_HEAD_BYTES, *at = side + 4 * parts;
    size_t fixed = (size_t)(at - stream);
    for (size_t i = 0; i < parts; at += fpgz_load32(side), i++, side += 4)
        fixed += fixed_bytes(at, fpgz_load32(side));
    return fixed;
}

/* Returns about the bytes of the grid, by parts or, without a split, as it is; 0 if boxes cannot be coded. */
static size_t code_boxes(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                         const struct apart_work *w, const void *values, const struct trial *t,
                         const struct apart_split *split, uint8_t *stream)
{
    uint8_t *const parts = w->values + fpgz_round_up(fpgz_grid_bytes(&t->box.grid), 64);
    const size_t room = fpgz_prans_apart_bound(inner, &coding->grid, &coding->params);
    size_t sum = 0, fixed = 0;
    for (unsigned i = 0; i < t->boxes; i++) {
        size_t length = 0;
        fpgz_prans_apart_box(&coding->grid, &t->box.grid, i, t->boxes, values, w->values);
        if (split) {
            fpgz_prans_apart_take(split, w->values, parts);
            length = encode_parts(inner, &t->box, NULL, split, parts, room, SIZE_MAX, stream);
        } else if (inner->encode(&t->box, w->values, stream, &length)) {
            return 0;
        }
        if (!length)
            return 0;
        sum += length;
        fixed += split ? fixed_of_parts(stream, split->slow * split->fast) : fixed_bytes(stream, length);
    }
    const uint64_t all = fpgz_grid_values(&coding->grid), some = t->boxes * fpgz_grid_values(&t->box.grid);
    return (size_t)((sum - fixed) * all / some) + fixed / t->boxes;
}

/* The way to part the grid by so many axes, if values differ by it. */
static bool find_split(const struct fpgz_grid *grid, unsigned slow, unsigned fast, const void *values,
                       struct apart_split *split)
{
    return fpgz_prans_apart_split(grid, slow, fast, split) && split->middle >= LEAST_VALUES &&
           fpgz_prans_apart_differ(split, values);
}

/* Tries a way on boxes. */
static void try_axes(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                     const struct apart_work *w, const void *values, unsigned slow, unsigned fast,
                     uint8_t *stream, struct trial *t)
{
    struct apart_split split, box;
    if (!find_split(&coding->grid, slow, fast, values, &split))
        return;
    if (!t->begun) {
        t->begun = true;
        t->boxes = fpgz_prans_apart_boxes(&coding->grid, &t->box.grid);
        t->whole = t->boxes ? code_boxes(inner, coding, w, values, t, NULL, stream) : 0;
    }
    if (!t->whole || !fpgz_prans_apart_split(&t->box.grid, slow, fast, &box))
        return;
    const size_t bytes = code_boxes(inner, coding, w, values, t, &box, stream);
    if (bytes && (!t->apart || bytes < t->apart)) {
        t->apart = bytes;
        t->best = split;
    }
}

/* The stream of parts in a way that was found; 0 if it is not shorter than `least` bytes. */
static size_t encode_apart(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                           struct fpgz_aide *aide, const struct apart_work *w,
                           const struct apart_split *split, const void *values, size_t least, uint8_t *stream)
{
    const struct fpgz_coding within = {coding->grid, coding->params, w->inner};
    const size_t room = fpgz_prans_apart_bound(inner, &coding->grid, &coding->params);
    const uint8_t *parts = values;
    if (split->fast > 1) {
        fpgz_prans_apart_take(split, values, w->values);
        parts = w->values;
    }
    return encode_parts(inner, &within, aide, split, parts, room, least, stream);
}

/* Replaces the stream where a way to part a small grid makes fewer bytes; returns whether it does. */
static bool replace(const struct fpgz_codec *inner, const struct fpgz_coding *coding, struct fpgz_aide *aide,
                    const struct apart_work *w, const void *values, unsigned slow, unsigned fast,
                    uint8_t *stream, size_t *length)
{
    struct apart_split split;
    if (!find_split(&coding->grid, slow, fast, values, &split))
        return false;
    const size_t bytes = encode_apart(inner, coding, aide, w, &split, values, *length, w->stream);
    if (bytes)
        memcpy(stream, w->stream, *length = bytes);
    return bytes > 0;
}

static enum fpgz_status encode_small(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                     struct fpgz_aide *aide, const struct apart_work *w, const void *values,
                                     uint8_t *stream, size_t *length)
{
    const struct fpgz_coding within = {coding->grid, coding->params, w->inner};
    const unsigned slow = fpgz_prans_apart_slow_axes(&coding->grid),
                   fast = fpgz_prans_apart_fast_axes(&coding->grid);
    const enum fpgz_status status = encode_inner(inner, &within, aide, values, stream, length);
    if (status)
        return status;
    if (slow)
        replace(inner, coding, aide, w, values, slow, 0, stream, length);
    if (fast && replace(inner, coding, aide, w, values, 0, fast, stream, length) && slow)
        replace(inner, coding, aide, w, values, slow, fast, stream, length);
    return FPGZ_OK;
}

static enum fpgz_status encode_large(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                     struct fpgz_aide *aide, const struct apart_work *w, const void *values,
                                     uint8_t *stream, size_t *length)
{
    const struct fpgz_coding within = {coding->grid, coding->params, w->inner};
    const unsigned slow = fpgz_prans_apart_slow_axes(&coding->grid),
                   fast = fpgz_prans_apart_fast_axes(&coding->grid);
    struct trial t = {
        .box = {.params = {.value = {[PRANS_SETTING] = PRANS_FORMAT_MIDDLE}}, .scratch = w->inner}};
    if (slow)
        try_axes(inner, coding, w, values, slow, 0, stream, &t);
    if (fast)
        try_axes(inner, coding, w, values, 0, fast, stream, &t);
    if (t.apart && t.best.fast > 1 && slow)
        try_axes(inner, coding, w, values, slow, fast, stream, &t);
    const bool high = fpgz_prans_apart_is_high(&coding->params);
    if (t.apart && !high && t.apart < t.whole - t.whole / GAIN_PART) {
        *length = encode_apart(inner, coding, aide, w, &t.best, values, SIZE_MAX, stream);
        if (*length)
            return FPGZ_OK;
    }
    const enum fpgz_status status = encode_inner(inner, &within, aide, values, stream, length);
    if (status || !t.apart || !high || t.apart > t.whole + t.whole / GAIN_PART)
        return status;
    const size_t bytes = encode_apart(inner, coding, aide, w, &t.best, values, *length, w->stream);
    if (bytes)
        memcpy(stream, w->stream, *length = bytes);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_apart_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                         size_t *length)
{
    if (!fpgz_prans_apart_has_axes(&coding->grid))
        return encode_inner(inner, coding, aide, values, stream, length);
    const struct apart_work w =
        fpgz_prans_apart_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    return (fpgz_grid_values(&coding->grid) <= APART_SMALL ? encode_small : encode_large)(
        inner, coding, aide, &w, values, stream, length);
}

/* SPDX-License-Identifier: MIT
 * Decoding of the middle setting, of all values or of some in a row, and what listings tell of its streams.
 */
#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/middle/step.h"
#include "codec/prans/middle/work.h"
#include "codec/prans/outline.h"
#include "core/bytes.h"

/* A stream's parts. */
struct parts {
    const uint8_t *ids, *segment, *end;
};

static size_t segment_bytes(const struct middle_work *w, size_t segment)
{
    return (size_t)MIDDLE_STATE_BYTES + w->lengths[segment].words + w->lengths[segment].raw;
}

/* Reads the description; *description is how long it is. */
static bool read_description(struct middle_work *w, const uint8_t *stream, size_t length, size_t *description)
{
    struct prans_range r;
    memset(&w->description, 0, sizeof w->description);
    if (length < PRANS_HEAD_BYTES || stream[1] || stream[2] || stream[3] ||
        fpgz_load32(stream + 4) > length - PRANS_HEAD_BYTES)
        return false;
    *description = fpgz_load32(stream + 4);
    fpgz_prans_range_read(&r, stream + PRANS_HEAD_BYTES, *description);
    fpgz_prans_middle_code_description(&r, w);
    return fpgz_prans_range_done(&r);
}

/* Reads the description and finds what follows. */
static bool find_parts(struct middle_work *w, const uint8_t *stream, size_t length, struct parts *parts)
{
    size_t description;
    const size_t ids = (w->layout.blocks + 1) / 2;
    if (!read_description(w, stream, length, &description) || length - PRANS_HEAD_BYTES - description < ids)
        return false;
    parts->ids = stream + PRANS_HEAD_BYTES + description;
    parts->segment = parts->ids + ids;
    parts->end = stream + length;
    size_t left = (size_t)(parts->end - parts->segment);
    for (size_t s = 0; s < w->layout.segments; s++) {
        if (segment_bytes(w, s) > left)
            return false;
        left -= segment_bytes(w, s);
    }
    return left == 0;
}

/* The tables' numbers, four bits each. */
static bool read_ids(struct middle_work *w, const uint8_t *ids)
{
    unsigned largest = 0;
    for (size_t b = 0; b < w->layout.blocks; b++) {
        w->ids[b] = ids[b / 2] >> b % 2 * 4 & 15;
        largest = w->ids[b] > largest ? w->ids[b] : largest;
    }
    return largest < w->description.tables &&
           (w->layout.blocks % 2 == 0 || !(ids[w->layout.blocks / 2] >> 4));
}

/* Lays out the work and makes all ready for segments to be decoded. */
static bool open_stream(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                        struct parts *parts)
{
    struct middle_work *const w = coding->scratch;
    fpgz_prans_middle_work(&coding->grid, w, w);
    if (!find_parts(w, stream, length, parts) || !read_ids(w, parts->ids))
        return false;
    for (unsigned t = 0; t < w->description.tables; t++)
        prans_fill_slots(w->description.frequency[t], w->slots[t]);
    return true;
}

static bool decode_segment(struct middle_work *w, size_t segment, struct parts *parts, uint8_t *flag)
{
    const struct middle_lengths *const l = &w->lengths[segment];
    const size_t bytes = segment_bytes(w, segment);
    const uint8_t *at = parts->segment;
    parts->segment += bytes;
    if ((size_t)(parts->end - parts->segment) < MIDDLE_SLACK) {
        memset(w->tail + bytes, 0, MIDDLE_SLACK);
        at = memcpy(w->tail, at, bytes);
    }
    const size_t block = segment * MIDDLE_SEGMENT_BLOCKS, words = MIDDLE_STATE_BYTES + (size_t)l->words;
    const struct middle_source source = {
        .tables = w->slots,
        .ids = w->ids + block,
        .states = at,
        .words = at + MIDDLE_STATE_BYTES,
        .words_end = at + words,
        .raw = at + words,
        .raw_end = at + bytes,
        .blocks = fpgz_min(w->layout.blocks - block, MIDDLE_SEGMENT_BLOCKS),
    };
    const size_t value = segment * (size_t)MIDDLE_SEGMENT;
    return w->kernels->decode(&source, w->y + value * w->size, flag ? flag + value : NULL);
}

/* Where restoring is: behind `done` values, with the sums of the row there, and `segment` segments. */
struct progress {
    size_t segment, done;
    struct middle_carry carry;
};

/* Turns residuals into values, up to `end`; those from `first` on go to `out`. */
static void restore(struct middle_work *w, size_t first, size_t end, const uint8_t *flag, uint8_t *out,
                    struct progress *p)
{
    const size_t row = w->layout.row;
    while (p->done < end) {
        const size_t at = p->done % row, count = fpgz_min(row - at, end - p->done);
        const struct middle_rows rows =
            fpgz_prans_middle_rows(&w->layout, w->description.mode.axes, p->done / row);
        uint8_t *const y = w->y + p->done * w->size;
        if (!at)
            p->carry = (struct middle_carry){0, 0};
        w->kernels->sum(&rows, w->description.mode.order, at, count, flag ? flag + p->done : NULL, &p->carry,
                        y);
        const size_t skipped = first > p->done ? fpgz_min(first - p->done, count) : 0,
                     from = p->done + skipped;
        const size_t left = count - skipped;
        if (left)
            w->kernels->leave(&w->description.domain, from, flag ? flag + from : NULL, left,
                              memcpy(out + (from - first) * w->size, w->y + from * w->size, left * w->size));
        p->done += count;
    }
}

/* Restores `count` values from `first` on in the order in which they are coded, and of those before them what
 * it takes. */
static bool decode_part(struct middle_work *w, struct parts *parts, size_t first, size_t count, uint8_t *out,
                        struct progress *p)
{
    uint8_t *const flag = w->description.domain.specials ? w->flag : NULL;
    const size_t from = fpgz_prans_middle_needed(&w->layout, w->description.mode.axes, first);
    p->done = fpgz_max(p->done, from);
    for (; p->segment < p->done / MIDDLE_SEGMENT; p->segment++)
        parts->segment += segment_bytes(w, p->segment);
    while (p->done < first + count) {
        if (p->segment <= p->done / MIDDLE_SEGMENT && !decode_segment(w, p->segment++, parts, flag))
            return false;
        restore(w, first, fpgz_min(p->segment * (size_t)MIDDLE_SEGMENT, first + count), flag, out, p);
    }
    fpgz_prans_put_exceptions(&w->description.domain, w->is_f64, first, count, out);
    return true;
}

enum fpgz_status fpgz_prans_middle_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values)
{
    return fpgz_prans_middle_decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values);
}

enum fpgz_status fpgz_prans_middle_decode_range(const struct fpgz_coding *coding, const uint8_t *stream,
                                                size_t length, uint64_t first, uint64_t count, void *values)
{
    struct middle_work *const w = coding->scratch;
    struct progress progress = {0, 0, {0, 0}};
    struct parts parts;
    if (!open_stream(coding, stream, length, &parts))
        return FPGZ_CORRUPT;
    if (!w->planes)
        return decode_part(w, &parts, first, count, values, &progress) ? FPGZ_OK : FPGZ_CORRUPT;
    /* Of each component the points that the values are of. */
    const size_t point = first / w->layout.components,
                 points = (first + count - 1) / w->layout.components + 1 - point;
    for (unsigned c = 0; c < w->layout.components; c++) {
        const size_t at = c * w->layout.points + point;
        if (!decode_part(w, &parts, at, points, w->planes + at * w->size, &progress))
            return FPGZ_CORRUPT;
    }
    fpgz_prans_middle_join(&w->layout, w->size, w->planes, first, count, values);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_middle_outline(const struct fpgz_coding *coding, const uint8_t *stream,
                                           size_t length, struct prans_outline *outline,
                                           struct prans_segment *segment)
{
    enum { SEGMENT_BITS = 16 };
    struct middle_work *const w = coding->scratch;
    struct parts parts;
    fpgz_prans_middle_work(&coding->grid, w, w);
    if (!find_parts(w, stream, length, &parts) ||
        (w->layout.blocks % 2 && parts.ids[w->layout.blocks / 2] >> 4))
        return FPGZ_CORRUPT;
    const struct middle_description *const d = &w->description;
    *outline = (struct prans_outline){
        .domain = &d->domain,
        .layout = w->layout,
        .segment_bits = SEGMENT_BITS,
        .axes = d->mode.axes,
        .order = d->mode.order,
        .tables = d->tables,
        .frequency = d->frequency,
        .ids = parts.ids,
        .special = MIDDLE_SPECIAL,
        .folded = true,
        .padded = true,
    };
    for (unsigned s = 0; s < MIDDLE_SPECIAL; s++) {
        outline->width[s] = (uint8_t)raw_bits(s);
        outline->low[s] = s < 8 ? s : (uint64_t)(4 | (s & 3)) << raw_bits(s);
    }
    size_t at = (size_t)(parts.segment - stream);
    for (size_t s = 0; s < w->layout.segments; s++) {
        segment[s] = (struct prans_segment){(uint32_t)at, w->lengths[s].words, w->lengths[s].raw};
        at += segment_bytes(w, s);
    }
    return FPGZ_OK;
}

bool fpgz_prans_middle_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits)
{
    struct middle_work *const w = coding->scratch;
    size_t description;
    fpgz_prans_middle_work(&coding->grid, w, w);
    if (!read_description(w, front, length, &description))
        return false;
    fpgz_prans_domain_traits(&w->description.domain, traits);
    fpgz_prans_middle_mode_traits(&w->layout, &w->description.mode, traits);
    return true;
}

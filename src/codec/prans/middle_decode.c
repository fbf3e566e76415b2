/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codec/prans/middle_encode.h"
#include "codec/prans/prans.h"
#include "core/bytes.h"

/* A stream's parts. */
struct parts {
    const uint8_t *ids, *segment, *end;
};

/* Reads the side part and finds what follows. */
static bool open_stream(struct middle_work *w, const uint8_t *stream, size_t length, struct parts *parts)
{
    struct prans_range r;
    if (length < MIDDLE_HEAD_BYTES || stream[1] || stream[2] || stream[3] ||
        fpgz_load32(stream + 4) > length - MIDDLE_HEAD_BYTES)
        return false;
    const size_t side = fpgz_load32(stream + 4), ids = (w->layout.blocks + 1) / 2;
    fpgz_prans_range_read(&r, stream + MIDDLE_HEAD_BYTES, side);
    fpgz_prans_middle_side(&r, w);
    if (!fpgz_prans_range_done(&r) || length - MIDDLE_HEAD_BYTES - side < ids)
        return false;
    parts->ids = stream + MIDDLE_HEAD_BYTES + side;
    parts->segment = parts->ids + ids;
    parts->end = stream + length;
    size_t left = (size_t)(parts->end - parts->segment);
    for (size_t s = 0; s < w->layout.segments; s++) {
        const size_t bytes = (size_t)MIDDLE_STATE_BYTES + w->lengths[s].words + w->lengths[s].raw;
        if (bytes > left)
            return false;
        left -= bytes;
    }
    return left == 0;
}

static void fill_entries(struct middle_work *w)
{
    for (unsigned t = 0; t < w->side.tables; t++) {
        uint32_t *entry = w->entries[t];
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            const uint32_t frequency = w->side.frequency[t][s];
            for (uint32_t i = 0; i < frequency; i++)
                *entry++ = s | (frequency - 1) << 8 | i << 20;
        }
    }
}

/* The tables' numbers, four bits each. */
static bool read_ids(struct middle_work *w, const uint8_t *ids)
{
    unsigned largest = 0;
    for (size_t b = 0; b < w->layout.blocks; b++) {
        w->ids[b] = ids[b / 2] >> b % 2 * 4 & 15;
        largest = w->ids[b] > largest ? w->ids[b] : largest;
    }
    return largest < w->side.tables && (w->layout.blocks % 2 == 0 || !(ids[w->layout.blocks / 2] >> 4));
}

static bool decode_segment(struct middle_work *w, size_t segment, struct parts *parts, uint8_t *flag)
{
    const struct middle_lengths *const l = &w->lengths[segment];
    const size_t bytes = (size_t)MIDDLE_STATE_BYTES + l->words + l->raw;
    const uint8_t *at = parts->segment;
    parts->segment += bytes;
    if ((size_t)(parts->end - parts->segment) < MIDDLE_SLACK) {
        memset(w->tail + bytes, 0, MIDDLE_SLACK);
        at = memcpy(w->tail, at, bytes);
    }
    const size_t block = segment * MIDDLE_SEGMENT_BLOCKS, words = MIDDLE_STATE_BYTES + (size_t)l->words;
    const struct middle_source source = {
        .tables = w->entries,
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

/* Where restoring is: behind `done` values, and the sums of the row there. */
struct progress {
    size_t done;
    struct middle_carry carry;
};

/* Turns residuals into values, up to `end`. */
static void restore(struct middle_work *w, size_t end, const uint8_t *flag, uint8_t *out, struct progress *p)
{
    const size_t row = w->layout.row;
    while (p->done < end) {
        const size_t at = p->done % row, count = fpgz_min(row - at, end - p->done);
        const struct middle_rows rows = fpgz_prans_middle_rows(&w->layout, w->side.mode.axes, p->done / row);
        const uint8_t *const part = flag ? flag + p->done : NULL;
        uint8_t *const y = w->y + p->done * w->size;
        if (!at)
            p->carry = (struct middle_carry){0, 0};
        w->kernels->sum(&rows, w->side.mode.order, at, count, part, &p->carry, y);
        w->kernels->leave(&w->side.domain, p->done, y, part, count, out + p->done * w->size);
        p->done += count;
    }
}

enum fpgz_status fpgz_prans_middle_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values)
{
    struct middle_work *const w = coding->scratch;
    struct parts parts;
    struct progress progress = {0, {0, 0}};
    fpgz_prans_middle_work(&coding->grid, w, w);
    memset(&w->side, 0, sizeof w->side);
    if (!open_stream(w, stream, length, &parts) || !read_ids(w, parts.ids))
        return FPGZ_CORRUPT;
    fill_entries(w);
    uint8_t *const flag = w->side.domain.specials ? w->flag : NULL, *const out =
                                                                        w->planes ? w->planes : values;
    for (size_t s = 0; s < w->layout.segments; s++) {
        if (!decode_segment(w, s, &parts, flag))
            return FPGZ_CORRUPT;
        restore(w, fpgz_min((s + 1) * (size_t)MIDDLE_SEGMENT, w->layout.values), flag, out, &progress);
    }
    fpgz_prans_put_exceptions(&w->side.domain, w->is_f64, out);
    if (w->planes)
        fpgz_prans_middle_join(&w->layout, w->size, w->planes, values);
    return FPGZ_OK;
}

/* SPDX-License-Identifier: MIT
 * Decoding with bins, of all values or of some in a row, and what listings tell of such streams. */
#include <string.h>

#include "codec/prans/bins/bins.h"
#include "codec/prans/bins/lanes.h"
#include "codec/prans/bins/work.h"
#include "codec/prans/format.h"
#include "codec/prans/middle/work.h"
#include "codec/prans/outline.h"
#include "core/bytes.h"

/* Where decoding is. */
struct progress {
    const uint8_t *lengths, *at, *end; /* of the next segment, and of the stream */
    size_t segment, done;              /* segments that were passed, values that were restored */
    struct bins_carry carry;
};

bool fpgz_prans_bins_known(const uint8_t *stream, size_t length)
{
    return length >= PRANS_HEAD_BYTES && stream[1] >= BINS_SEGMENT_LEAST && stream[1] <= BINS_SEGMENT_MOST &&
           stream[2] <= BINS_LANES_MOST && !stream[3];
}

/* Reads the description; *description is how long it is. */
static bool read_description(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                             size_t *description)
{
    struct bins_work *const w = coding->scratch;
    struct bins_description *const d = &w->description;
    struct prans_range r;
    fpgz_prans_bins_work(&coding->grid, false, w, w);
    memset(d, 0, sizeof *d);
    if (fpgz_load32(stream + 4) > length - PRANS_HEAD_BYTES)
        return false;
    d->segment_bits = stream[1];
    d->lane_bits = stream[2];
    fpgz_prans_bins_number(coding->grid.dtype, &d->domain);
    *description = fpgz_load32(stream + 4);
    fpgz_prans_range_read(&r, stream + PRANS_HEAD_BYTES, *description);
    fpgz_prans_bins_code_description(&r, w);
    return fpgz_prans_range_done(&r);
}

/* The tables' numbers. Returns where they end; NULL if there are none. */
static const uint8_t *read_ids(struct bins_work *w, const uint8_t *at, const uint8_t *end)
{
    unsigned largest = 0;
    const size_t blocks = w->layout.blocks, bytes = (blocks + 1) / 2;
    memset(w->ids, 0, blocks);
    if (w->description.tables == 1)
        return at;
    if ((size_t)(end - at) < bytes)
        return NULL;
    for (size_t b = 0; b < blocks; b++) {
        w->ids[b] = at[b / 2] >> b % 2 * 4 & 15;
        largest = w->ids[b] > largest ? w->ids[b] : largest;
    }
    return largest < w->description.tables && (blocks % 2 == 0 || !(at[blocks / 2] >> 4)) ? at + bytes : NULL;
}

static size_t state_bytes(const struct bins_work *w)
{
    return sizeof(uint32_t) << w->description.lane_bits;
}

/* The bytes of a segment, and those of its words; the last one takes what is left. 0 if they make no sense.
 */
static size_t segment_bytes(const struct bins_work *w, const struct progress *p, size_t *words)
{
    const size_t left = (size_t)(p->end - p->at), states = state_bytes(w);
    const uint8_t *const length = p->lengths + 8 * p->segment;
    *words = fpgz_load32(length);
    if (*words % 2 || left < states || *words > left - states)
        return 0;
    if (p->segment + 1 == bins_segments(w))
        return left;
    const size_t raw = fpgz_load32(length + 4);
    return raw > left - states - *words ? 0 : states + *words + raw;
}

/* Reads what stands before the segments. *ids is where the tables' numbers begin, if there are several. */
static bool read_front(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                       struct progress *p, const uint8_t **ids)
{
    struct bins_work *const w = coding->scratch;
    size_t description;
    *p = (struct progress){.end = stream + length};
    if (!read_description(coding, stream, length, &description))
        return false;
    *ids = stream + PRANS_HEAD_BYTES + description;
    p->lengths = read_ids(w, *ids, p->end);
    if (!p->lengths || (size_t)(p->end - p->lengths) < 8 * bins_segments(w) - 4)
        return false;
    p->at = p->lengths + 8 * bins_segments(w) - 4;
    fpgz_prans_bins_symbols(w);
    return true;
}

/* Makes all ready for segments to be decoded. */
static bool open_stream(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                        struct progress *p)
{
    struct bins_work *const w = coding->scratch;
    const uint8_t *ids;
    if (!read_front(coding, stream, length, p, &ids))
        return false;
    for (unsigned t = 0; t < w->description.tables; t++)
        prans_fill_slots(w->description.frequency[t], w->slots[t]);
    return true;
}

/* Flags of special values, of which `special` is the first one's symbol. */
static void mark_specials(const uint8_t *symbol, uint8_t special, size_t count, uint8_t *restrict flag)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t number = (uint8_t)(symbol[i] - special + 1);
        flag[i] = symbol[i] < special ? 0 : number;
    }
}

/* A segment: its place among the values, and its bytes. */
struct segment {
    size_t value, count;
    const uint8_t *raw, *end;
    bool last_bytes; /* whether it was copied for its slack */
};

/* Finds the next segment; false if there is none. */
static bool next_segment(struct bins_work *w, struct progress *p, struct segment *s,
                         struct middle_source *source)
{
    enum { SLACK = 2 * MIDDLE_BLOCK + BINS_RAW_SLACK };
    size_t words;
    const size_t bytes = segment_bytes(w, p, &words), states = state_bytes(w);
    const uint8_t *at = p->at;
    if (!bytes || bytes > fpgz_prans_bins_segment_bound(w->size))
        return false;
    s->value = p->segment * bins_segment(&w->description);
    s->count = fpgz_min(w->layout.values - s->value, bins_segment(&w->description));
    p->at += bytes;
    p->segment++;
    s->last_bytes = (size_t)(p->end - p->at) < SLACK;
    if (s->last_bytes) {
        memset(w->tail + bytes, 0, SLACK);
        at = memcpy(w->tail, at, bytes);
    }
    *source = (struct middle_source){
        .tables = w->slots,
        .ids = w->ids + s->value / MIDDLE_BLOCK,
        .states = at,
        .words = at + states,
        .words_end = at + states + words,
        .blocks = (s->count + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK,
    };
    s->raw = source->words_end;
    s->end = at + bytes;
    return true;
}

/* The residuals of a segment's symbols; marks special values. */
static bool fill_segment(struct bins_work *w, const struct segment *s, const uint8_t *symbol)
{
    const struct bins_description *const d = &w->description;
    struct bins_raw raw = {s->raw, s->end, 0};
    if (d->domain.specials)
        mark_specials(symbol, (uint8_t)bins_special(d), s->count, w->flag + s->value);
    return w->kernels->words(&w->symbols, symbol, s->count, &raw, w->y + s->value * w->size) &&
           (raw.bit + 7) / 8 == (size_t)(raw.end - raw.at);
}

/* Decodes the next segment to residuals, or the next two if values before `end` need both, and they are
 * whole. */
static bool decode_segments(struct bins_work *w, size_t end, struct progress *p)
{
    const struct bins_description *const d = &w->description;
    const size_t whole = bins_segment(d);
    const unsigned lanes = 1u << d->lane_bits;
    struct segment s[2];
    struct middle_source source[2];
    unsigned count = 1;
    if (!next_segment(w, p, &s[0], &source[0]))
        return false;
    if (lanes != MIDDLE_LANES)
        return fpgz_prans_lanes_unpack(source, s[0].count, lanes, w->symbol) && fill_segment(w, s, w->symbol);
    if (!s[0].last_bytes && s[0].value + whole < end && w->layout.values - s[0].value >= 2 * whole) {
        if (!next_segment(w, p, &s[1], &source[1]))
            return false;
        count = 2;
    }
    if (!w->rans->unpack(source, count, w->symbol))
        return false;
    return fill_segment(w, &s[0], w->symbol) && (count == 1 || fill_segment(w, &s[1], w->symbol + whole));
}

/* Words of integers of ordinary values, special values and exceptions. */
static void leave(const struct bins_work *w, size_t first, size_t count, uint8_t *out)
{
    const struct prans_domain *const domain = &w->description.domain;
    const uint8_t *const flag = domain->specials ? w->flag + first : NULL;
    const uint8_t *const y = w->y + first * w->size;
    if (w->is_wide) {
        w->rans->leave(domain, first, y, flag, count, out);
        return;
    }
    w->words->leave(domain, y, count, out);
    if (flag)
        w->kernels->specials(domain->special, domain->specials, flag, count, out);
}

/* Turns residuals into values, up to `end`; those from `first` on go to `out`. */
static void restore(struct bins_work *w, size_t first, size_t end, uint8_t *out, struct progress *p)
{
    const size_t row = w->layout.row;
    const struct middle_mode *const mode = &w->description.mode;
    const uint8_t *const flag = w->description.domain.specials ? w->flag : NULL;
    while (p->done < end) {
        const size_t at = p->done % row, count = fpgz_min(row - at, end - p->done);
        const struct middle_rows rows = fpgz_prans_middle_rows(&w->layout, mode->axes, p->done / row);
        if (!at)
            memset(&p->carry, 0, sizeof p->carry);
        w->kernels->sum(&rows, mode->order, at, count, flag ? flag + p->done : NULL, &p->carry,
                        w->y + p->done * w->size);
        const size_t skipped = first > p->done ? fpgz_min(first - p->done, count) : 0,
                     from = p->done + skipped;
        if (skipped < count)
            leave(w, from, count - skipped, out + (from - first) * w->size);
        p->done += count;
    }
}

/* Restores `count` values from `first` on in the order in which they are coded, and of those before them what
 * it takes. */
static bool decode_part(struct bins_work *w, size_t first, size_t count, uint8_t *out, struct progress *p)
{
    const size_t from = fpgz_prans_middle_needed(&w->layout, w->description.mode.axes, first);
    const unsigned bits = w->description.segment_bits;
    p->done = fpgz_max(p->done, from);
    while (p->segment < p->done >> bits) {
        size_t words;
        const size_t bytes = segment_bytes(w, p, &words);
        if (!bytes)
            return false;
        p->at += bytes;
        p->segment++;
    }
    while (p->done < first + count) {
        if (p->segment <= p->done >> bits && !decode_segments(w, first + count, p))
            return false;
        restore(w, first, fpgz_min(p->segment << bits, first + count), out, p);
    }
    if (w->is_wide)
        fpgz_prans_put_exceptions(&w->description.domain, w->size == 8, first, count, out);
    return true;
}

enum fpgz_status fpgz_prans_bins_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, uint64_t first, uint64_t count, void *values)
{
    struct bins_work *const w = coding->scratch;
    struct progress progress;
    if (!open_stream(coding, stream, length, &progress))
        return FPGZ_CORRUPT;
    if (!w->planes)
        return decode_part(w, first, count, values, &progress) ? FPGZ_OK : FPGZ_CORRUPT;
    /* Of each component the points that the values are of. */
    const size_t point = first / w->layout.components,
                 points = (first + count - 1) / w->layout.components + 1 - point;
    for (unsigned c = 0; c < w->layout.components; c++) {
        const size_t at = c * w->layout.points + point;
        if (!decode_part(w, at, points, w->planes + at * w->size, &progress))
            return FPGZ_CORRUPT;
    }
    fpgz_prans_middle_join(&w->layout, w->size, w->planes, first, count, values);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_bins_outline(const struct fpgz_coding *coding, const uint8_t *stream,
                                         size_t length, struct prans_outline *outline,
                                         struct prans_segment *segment)
{
    struct bins_work *const w = coding->scratch;
    const struct bins_description *const d = &w->description;
    struct progress p;
    const uint8_t *ids;
    if (!read_front(coding, stream, length, &p, &ids))
        return FPGZ_CORRUPT;
    if (d->lane_bits != BINS_LANES_MOST)
        return FPGZ_UNSUPPORTED;
    *outline = (struct prans_outline){
        .domain = &d->domain,
        .layout = w->layout,
        .segment_bits = d->segment_bits,
        .axes = d->mode.axes,
        .order = d->mode.order,
        .tables = d->tables,
        .frequency = d->frequency,
        .ids = d->tables > 1 ? ids : NULL,
        .special = bins_special(d),
    };
    outline->layout.segments = bins_segments(w);
    memcpy(outline->low, w->symbols.low, sizeof outline->low);
    memcpy(outline->width, w->symbols.width, sizeof outline->width);
    for (; p.segment < bins_segments(w); p.segment++) {
        size_t words;
        const size_t bytes = segment_bytes(w, &p, &words);
        if (!bytes || bytes > fpgz_prans_bins_segment_bound(w->size))
            return FPGZ_CORRUPT;
        segment[p.segment] = (struct prans_segment){(uint32_t)(p.at - stream), (uint32_t)words,
                                                    (uint32_t)(bytes - words - state_bytes(w))};
        p.at += bytes;
    }
    return FPGZ_OK;
}

bool fpgz_prans_bins_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits)
{
    const struct bins_work *const w = coding->scratch;
    size_t description;
    if (!read_description(coding, front, length, &description))
        return false;
    fpgz_prans_domain_traits(&w->description.domain, traits);
    fpgz_prans_middle_mode_traits(&w->layout, &w->description.mode, traits);
    return true;
}

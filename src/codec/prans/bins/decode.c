/* SPDX-License-Identifier: MIT
 * Decoding with bins, of all values or of some in a row. */
#include <string.h>

#include "codec/prans/bins/bins.h"
#include "codec/prans/bins/front.h"
#include "codec/prans/bins/lanes.h"
#include "core/bytes.h"

/* Makes all ready for segments to be decoded. */
static bool open_stream(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                        struct bins_progress *p)
{
    struct bins_work *const w = coding->scratch;
    const uint8_t *ids;
    if (!fpgz_prans_bins_read_front(coding, stream, length, p, &ids))
        return false;
    for (unsigned t = 0; t < w->description.tables; t++)
        prans_fill_slots(w->description.frequency[t], w->slots[t]);
    fpgz_prans_middle_first(&w->layout, w->description.mode.axes, &p->cursor);
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

/* Finds the next segment; false if there is none. */
static bool next_segment(struct bins_work *w, struct bins_progress *p, struct bins_segment *s,
                         struct middle_source *source)
{
    enum { SLACK = 2 * MIDDLE_BLOCK + BINS_RAW_SLACK };
    size_t words;
    const size_t bytes = fpgz_prans_bins_segment_bytes(w, p, &words), states = bins_state_bytes(w);
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
    s->raw = (struct bins_raw){source->words_end, at + bytes, 0};
    return true;
}

/* Symbols of the next segment, or of the next few if values before `end` need them, and they are whole but
 * for the last one. */
static bool unpack_segments(struct bins_work *w, size_t end, struct bins_progress *p)
{
    const unsigned lanes = 1u << w->description.lane_bits, most = lanes == MIDDLE_LANES ? MIDDLE_TOGETHER : 1;
    struct middle_source source[MIDDLE_TOGETHER];
    p->ahead = p->at_segment = 0;
    do {
        struct bins_segment *const s = &p->next[p->ahead];
        if (!next_segment(w, p, s, &source[p->ahead]))
            return false;
        p->ahead++;
        if (s->last_bytes || s->value + s->count >= end)
            break;
    } while (p->ahead < most);
    return lanes == MIDDLE_LANES ? w->rans->unpack(source, p->ahead, w->symbol)
                                 : fpgz_prans_lanes_unpack(source, p->next->count, lanes, w->symbol);
}

/* The residuals of some of the symbols, as many as stay in the nearest cache until they are values; marks
 * special values. */
static bool fill_piece(struct bins_work *w, size_t end, struct bins_progress *p)
{
    enum { BYTES = 32768 };
    const struct bins_description *const d = &w->description;
    if (p->at_segment == p->ahead && !unpack_segments(w, end, p))
        return false;
    struct bins_segment *const s = &p->next[p->at_segment];
    const size_t at = p->filled - s->value, count = fpgz_min(s->count - at, BYTES / w->size);
    const uint8_t *const symbol = w->symbol + p->at_segment * bins_segment(d) + at;
    if (d->domain.specials)
        mark_specials(symbol, (uint8_t)bins_special(d), count, w->flag + p->filled);
    if (!w->kernels->words(&w->symbols, symbol, count, &s->raw, w->y + p->filled * w->size))
        return false;
    p->filled += count;
    if (at + count < s->count)
        return true;
    p->at_segment++;
    return (s->raw.bit + 7) / 8 == (size_t)(s->raw.end - s->raw.at);
}

/* Values of integers, in place, but for exceptions. */
static void leave(const struct bins_work *w, size_t first, size_t count, uint8_t *y)
{
    const struct prans_domain *const domain = &w->description.domain;
    const uint8_t *const flag = domain->specials ? w->flag + first : NULL;
    if (w->is_wide) {
        w->rans->leave(domain, first, flag, count, y);
        return;
    }
    w->words->leave(domain, count, y);
    if (flag)
        w->kernels->specials(domain->special, domain->specials, flag, count, y);
}

/* Puts values in place of integers, up to `end`, in pieces that stay in the nearest cache. */
static void leave_in_place(const struct bins_work *w, size_t end, struct bins_progress *p)
{
    enum { TOGETHER = 2048 };
    for (size_t count; p->left < end; p->left += count) {
        count = fpgz_min(end - p->left, TOGETHER);
        leave(w, p->left, count, w->y + p->left * w->size);
    }
}

/* The same with those that no row to come is predicted from, once they are many. */
static void leave_some(const struct bins_work *w, struct bins_progress *p)
{
    enum { MANY = 8192 };
    if (p->done - p->left >= p->reach + MANY)
        leave_in_place(w, p->done - p->reach, p);
}

/* How far back a row's predictions reach from any value of it. */
static size_t reach_of(const struct bins_work *w)
{
    size_t reach = 0, stride = w->layout.row;
    for (unsigned a = w->layout.axes; a-- > 0; stride *= w->layout.extent[a])
        reach += w->description.mode.axes >> a & 1 ? stride : 0;
    return reach ? reach + 1 : 0;
}

/* Turns residuals into values, up to `end`; those from `first` on go to `out`. */
static void restore(struct bins_work *w, size_t first, size_t end, uint8_t *out, struct bins_progress *p)
{
    const size_t row = w->layout.row;
    const struct middle_mode *const mode = &w->description.mode;
    const uint8_t *const flag = w->description.domain.specials ? w->flag : NULL;
    while (p->done < end) {
        const size_t at = p->done % row, count = fpgz_min(row - at, end - p->done);
        fpgz_prans_middle_go(&p->cursor, p->done / row);
        if (!at)
            memset(&p->carry, 0, sizeof p->carry);
        w->kernels->sum(&p->cursor.rows, mode->order, at, count, flag ? flag + p->done : NULL, &p->carry,
                        w->y + p->done * w->size);
        const size_t skipped = first > p->done ? fpgz_min(first - p->done, count) : 0,
                     from = p->done + skipped;
        const size_t left = p->in_place ? 0 : count - skipped;
        if (left)
            leave(w, from, left,
                  memcpy(out + (from - first) * w->size, w->y + from * w->size, left * w->size));
        p->done += count;
        if (p->in_place)
            leave_some(w, p);
    }
}

/* Restores `count` values from `first` on in the order in which they are coded, and of those before them what
 * it takes. */
static bool decode_part(struct bins_work *w, size_t first, size_t count, uint8_t *out,
                        struct bins_progress *p)
{
    const size_t from = fpgz_prans_middle_needed(&w->layout, w->description.mode.axes, first);
    const unsigned bits = w->description.segment_bits;
    p->done = fpgz_max(p->done, from);
    while (p->segment < p->done >> bits) {
        size_t words;
        const size_t bytes = fpgz_prans_bins_segment_bytes(w, p, &words);
        if (!bytes)
            return false;
        p->at += bytes;
        p->segment++;
        p->filled = p->segment << bits;
    }
    while (p->done < first + count) {
        if (p->filled <= p->done && !fill_piece(w, first + count, p))
            return false;
        restore(w, first, fpgz_min(p->filled, first + count), out, p);
    }
    if (w->is_wide && !p->in_place)
        fpgz_prans_put_exceptions(&w->description.domain, w->size == 8, first, count, out);
    return true;
}

/* Restores all values, whose integers stand where they will. */
static bool decode_all(struct bins_work *w, void *values, struct bins_progress *p)
{
    const size_t points = w->layout.points;
    uint8_t *const out = w->y = w->planes ? w->planes : values;
    p->in_place = true;
    p->reach = reach_of(w);
    for (unsigned c = 0; c < w->layout.components; c++)
        if (!decode_part(w, c * points, points, out + c * points * w->size, p))
            return false;
    leave_in_place(w, w->layout.values, p);
    if (w->is_wide)
        fpgz_prans_put_exceptions(&w->description.domain, w->size == 8, 0, w->layout.values, out);
    if (w->planes)
        fpgz_prans_middle_join(&w->layout, w->size, out, 0, w->layout.values, values);
    return true;
}

/* Of each component the points that the values are of. */
static bool decode_points(struct bins_work *w, size_t first, size_t count, void *values,
                          struct bins_progress *p)
{
    const size_t point = first / w->layout.components,
                 points = (first + count - 1) / w->layout.components + 1 - point;
    for (unsigned c = 0; c < w->layout.components; c++) {
        const size_t at = c * w->layout.points + point;
        if (!decode_part(w, at, points, w->planes + at * w->size, p))
            return false;
    }
    fpgz_prans_middle_join(&w->layout, w->size, w->planes, first, count, values);
    return true;
}

enum fpgz_status fpgz_prans_bins_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, uint64_t first, uint64_t count, void *values)
{
    struct bins_work *const w = coding->scratch;
    struct bins_progress progress;
    if (!open_stream(coding, stream, length, &progress))
        return FPGZ_CORRUPT;
    const bool right = count == w->layout.values ? decode_all(w, values, &progress)
                       : w->planes               ? decode_points(w, first, count, values, &progress)
                                                 : decode_part(w, first, count, values, &progress);
    return right ? FPGZ_OK : FPGZ_CORRUPT;
}

/* SPDX-License-Identifier: MIT
 * Encoding with learnt bins: symbols by a map, a table a block, segments. */
#include <string.h>

#include "codec/prans/bins/aided.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/bins/choose.h"
#include "codec/prans/bins/lanes.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "core/bytes.h"

/* Few values pay for few states. In the high setting, for size, so do more: 1 MB takes 2 ms longer. */
static unsigned lanes_for(const struct fpgz_params *params, size_t values)
{
    enum { MANY = 16384, MANY_OF_HIGH = 1 << 17 };
    if (values >= (fpgz_prans_is_high(params) ? MANY_OF_HIGH : MANY))
        return BINS_LANES_MOST;
    return values >= MANY ? 2 : values >= 8192 ? 3 : values >= 2048 ? 1 : 0;
}

/* How far symbols are from that of 0: blocks are grouped by the sums of these. */
static void fill_keys(const struct bins_work *w, uint8_t key[PRANS_SYMBOLS])
{
    const struct bins_description *const d = &w->description;
    const int64_t zero = fpgz_prans_bins_zero(w, &d->grid, &d->domain, &d->mode);
    int64_t distance[PRANS_SYMBOLS], most = 1, least = INT64_MAX;
    memset(key, 0, PRANS_SYMBOLS);
    for (unsigned b = 0; b < bins_special(d); b++) {
        const int64_t class = b < d->bins ? ((int64_t)d->bin[b].first + d->bin[b].end) / 2
                                          : w->kernels->class_of(&d->grid, d->heavy[b - d->bins]);
        const int64_t from = class - zero;
        distance[b] = from < 0 ? -from : from;
        most = distance[b] > most ? distance[b] : most;
        least = distance[b] < least ? distance[b] : least;
    }
    for (unsigned b = 0; b < bins_special(d); b++)
        key[b] = (uint8_t)((distance[b] - least) * UINT8_MAX / (most - least + 1));
}

/* Keeps those of the tables that blocks have, once each. */
static void keep_tables(struct bins_work *w)
{
    struct bins_description *const d = &w->description;
    uint8_t number[MIDDLE_TABLES];
    bool used[MIDDLE_TABLES] = {false};
    for (size_t b = 0; b < w->layout.blocks; b++)
        used[w->ids[b]] = true;
    d->tables = 0;
    for (unsigned t = 0; t < w->tables.count; t++) {
        unsigned same = 0;
        while (same < d->tables &&
               memcmp(d->frequency[same], w->tables.frequency[t], sizeof *d->frequency) != 0)
            same++;
        number[t] = (uint8_t)same;
        if (used[t] && same == d->tables)
            memcpy(d->frequency[d->tables++], w->tables.frequency[t], sizeof *d->frequency);
    }
    for (size_t b = 0; b < w->layout.blocks; b++)
        w->ids[b] = number[w->ids[b]];
}

/* Where the special values are; NULL if there are none. */
static const uint8_t *flags(const struct bins_work *w)
{
    return w->description.domain.specials ? w->flag : NULL;
}

static void make_symbols(struct bins_work *w, const uint8_t key[PRANS_SYMBOLS])
{
    struct bins_description *const d = &w->description;
    const size_t padded = w->layout.blocks * MIDDLE_BLOCK;
    const uint8_t *const flag = flags(w);
    const struct bins_numbers numbers = {
        .heavy = d->bins,
        .special = bins_special(d),
        .first = d->bins ? d->bin[0].first : 0,
        .end = d->bins ? d->bin[d->bins - 1].end : 0,
        .marked = d->heavies > 0,
    };
    w->kernels->symbols(&d->grid, w->map, w->residual, flag, &numbers, w->layout.values, w->symbol);
    memset(w->symbol + w->layout.values, w->symbol[w->layout.values - 1], padded - w->layout.values);
    fpgz_prans_middle_choose_tables(w->rans, w->symbol, key, w->layout.blocks, w->ids, &w->tables);
    keep_tables(w);
    for (unsigned t = 0; t < d->tables; t++) {
        uint32_t below = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            w->codes[t][s] = d->frequency[t][s] | below << 16;
            below += d->frequency[t][s];
        }
    }
}

/* A segment's states, words and raw bits; *words are the bytes of its words. Returns where it ends. */
static uint8_t *write_segment(const struct bins_work *w, size_t value, uint8_t *out, uint32_t *words)
{
    const size_t count = fpgz_min(w->layout.values - value, bins_segment(&w->description)),
                 block = value / MIDDLE_BLOCK, blocks = (count + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK;
    const unsigned lanes = 1u << w->description.lane_bits;
    const uint8_t *const symbol = w->symbol + value;
    /* Words are written from the end of their room on, then moved. */
    uint8_t *const end = out + sizeof(uint32_t) * MIDDLE_LANES + 2 * blocks * MIDDLE_BLOCK;
    uint8_t *const begin = lanes == MIDDLE_LANES
                               ? w->rans->words(w->codes, w->ids + block, symbol, blocks, end)
                               : fpgz_prans_lanes_words(w->codes, w->ids + block, symbol, count, lanes, end);
    const size_t bytes = (size_t)(end - begin);
    memmove(out, begin, bytes);
    *words = (uint32_t)(bytes - lanes * sizeof(uint32_t));
    return w->kernels->raw(&w->symbols, w->residual + value * w->size, symbol, count, out + bytes);
}

/* The tables' numbers, four bits each, where there are several. */
static uint8_t *write_ids(const struct bins_work *w, uint8_t *at)
{
    if (w->description.tables == 1)
        return at;
    const size_t bytes = (w->layout.blocks + 1) / 2;
    memset(at, 0, bytes);
    for (size_t b = 0; b < w->layout.blocks; b++)
        at[b / 2] |= (uint8_t)(w->ids[b] << b % 2 * 4);
    return at + bytes;
}

/* Writes what stands before the tables' numbers; returns where it ends. */
static uint8_t *write_front(struct bins_work *w, uint8_t *stream)
{
    struct bins_description *const d = &w->description;
    struct prans_range r;
    fpgz_prans_range_write(&r, stream + PRANS_HEAD_BYTES, 32768 + w->layout.values / 2 * w->size);
    fpgz_prans_bins_code_description(&r, w);
    uint8_t *const at = fpgz_prans_range_flush(&r);
    memset(stream, 0, PRANS_HEAD_BYTES);
    stream[0] = PRANS_FORMAT_BINS;
    stream[1] = (uint8_t)d->segment_bits;
    stream[2] = (uint8_t)d->lane_bits;
    fpgz_store32(stream + 4, (uint32_t)(at - stream - PRANS_HEAD_BYTES));
    return at;
}

/* Returns the bytes of the stream. */
static size_t code_alone(struct bins_work *w, const uint8_t key[PRANS_SYMBOLS], uint8_t *stream)
{
    const struct bins_description *const d = &w->description;
    const size_t segments = bins_segments(w);
    make_symbols(w, key);
    uint8_t *at = write_ids(w, write_front(w, stream)), *lengths = at;
    at += 8 * segments - 4;
    for (size_t s = 0; s < segments; s++, lengths += 8) {
        uint32_t words;
        uint8_t *const end = write_segment(w, s * bins_segment(d), at, &words);
        fpgz_store32(lengths, words);
        if (s + 1 < segments)
            fpgz_store32(lengths + 4,
                         (uint32_t)(end - at) - words - (uint32_t)(sizeof(uint32_t) << d->lane_bits));
        at = end;
    }
    return (size_t)(at - stream);
}

/* The same with an aide, which codes segments of all lanes. 0 where it does not. */
static size_t code_aided(struct bins_work *w, const uint8_t key[PRANS_SYMBOLS], uint8_t *stream)
{
    struct fpgz_aide *const aide = w->aide;
    struct bins_description *const d = &w->description;
    const struct bins_task task = {
        .shape = fpgz_prans_bins_shape(w),
        .residual = w->aided ? NULL : w->residual,
        .flag = flags(w),
        .grid = d->grid,
        .map = w->map,
        .classes = fpgz_prans_bins_classes(&d->grid, w->bits),
        .bins = d->bins,
        .heavies = d->heavies,
        .heavy = d->heavy,
        .key = key,
        .symbols = &w->symbols,
    };
    struct bins_outcome outcome;
    if (d->lane_bits != BINS_LANES_MOST || !aide->code(aide, &task, &outcome))
        return 0;
    const size_t ids = outcome.tables > 1 ? (task.shape.blocks + 1) / 2 : 0,
                 lengths = 8 * task.shape.segments - 4;
    d->tables = outcome.tables;
    memcpy(d->frequency, outcome.frequency, outcome.tables * sizeof *d->frequency);
    uint8_t *const at = write_front(w, stream);
    memcpy(at, outcome.ids, ids);
    memcpy(at + ids, outcome.lengths, lengths);
    uint8_t *const segments = at + ids + lengths;
    return aide->take(aide, segments) ? (size_t)(segments - stream) + outcome.bytes : 0;
}

/* Lays the work out, with room at `stream`. Returns the values in the order in which they are coded. */
static const void *begin(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    struct bins_work *const w = coding->scratch;
    struct bins_description *const d = &w->description;
    fpgz_prans_bins_work(&coding->grid, true, w, w);
    if (w->planes) {
        fpgz_prans_middle_split(&w->layout, w->size, values, w->planes);
        values = w->planes;
    }
    memset(d, 0, sizeof *d);
    w->raw = NULL;
    w->aide = NULL;
    w->aided = false;
    fpgz_prans_bins_number(coding->grid.dtype, &d->domain);
    d->lane_bits = lanes_for(&coding->params, w->layout.values);
    d->segment_bits = fpgz_prans_is_high(&coding->params) ? BINS_SEGMENT_MOST : BINS_SEGMENT_USUAL;
    w->flagged = false;
    fpgz_prans_bins_logs(w->learning);
    const struct bins_grid residuals = {.equal = false};
    for (size_t c = 0; c < fpgz_prans_bins_classes(&residuals, w->bits); c++)
        w->widths[c] = (uint8_t)fpgz_prans_bins_width(&residuals, w->bits, c, c + 1);
    w->other = stream + (-(uintptr_t)stream & (BINS_ALIGNMENT - 1));
    return values;
}

size_t fpgz_prans_bins_estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    values = begin(coding, values, stream);
    return (size_t)(fpgz_prans_bins_survey(coding->scratch, values, !coding->params.value[PRANS_IN_ONE]) / 8);
}

static bool choose(struct bins_work *w, const void *values, struct prans_parts_wanted *wanted,
                   struct fpgz_lead *lead)
{
    if (!lead || lead->state != FPGZ_LEAD_FOLLOWED)
        return fpgz_prans_bins_choose(w, values, wanted, lead);
    if (fpgz_prans_bins_follow(w, values, lead->way))
        return true;
    lead->state = FPGZ_LEAD_REFUSED;
    return false;
}

/* The stream; *length is 0 where it would be shorter in parts, where the lead is refused, or where the aide,
 * to which all was left, fails. */
static void encode(const struct fpgz_coding *coding, struct fpgz_aide *aide, const void *values,
                   uint8_t *stream, size_t *length, struct prans_parts_wanted *wanted)
{
    struct bins_work *const w = coding->scratch;
    struct bins_description *const d = &w->description;
    uint8_t key[PRANS_SYMBOLS];
    values = begin(coding, values, stream);
    w->aide = aide;
    w->raw = aide ? aide->raw : NULL;
    *length = 0;
    if (!choose(w, values, wanted, coding->lead))
        return;
    fpgz_prans_bins_symbols(w);
    for (unsigned b = 0; b < d->bins; b++)
        memset(w->map + d->bin[b].first, (int)b, d->bin[b].end - d->bin[b].first);
    fill_keys(w, key);
    if (w->aide)
        *length = code_aided(w, key, stream);
    if (!*length && !w->aided)
        *length = code_alone(w, key, stream);
}

enum fpgz_status fpgz_prans_bins_try(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length,
                                     struct prans_parts_wanted *wanted)
{
    encode(coding, aide, values, stream, length, wanted);
    if (aide && !*length)
        aide->drop(aide);
    const bool refused = coding->lead && coding->lead->state == FPGZ_LEAD_REFUSED;
    if (*length || (wanted && wanted->any) || refused)
        return FPGZ_OK;
    if (aide && !fpgz_buffer_complete(aide->raw))
        return FPGZ_MEMORY;
    encode(coding, NULL, values, stream, length, wanted);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_bins_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length)
{
    return fpgz_prans_bins_try(coding, NULL, values, stream, length, NULL);
}

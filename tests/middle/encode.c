/* SPDX-License-Identifier: MIT
 * Encoding in the older format: domain, mode, residuals, a table a block, segments. */
#include "encode.h"

#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/middle/work.h"
#include "codec/sample.h"
#include "core/bytes.h"

/* Pieces of rows that modes are compared on. */
enum { SAMPLE_PIECES = 64, PIECE_VALUES = 256 };

struct choice {
    struct middle_mode mode;
    uint64_t cost; /* of all values, in bits */
};

/* What the sample's residuals would cost all values. */
static uint64_t cost_of(const struct middle_work *w, const uint8_t *y, const uint8_t *flag,
                        const struct middle_mode *mode)
{
    uint64_t residual[PIECE_VALUES], cost = 0;
    size_t sampled = 0;
    const struct middle_layout *const l = &w->layout;
    for (uint32_t i = 0; i < SAMPLE_PIECES; i++) {
        /* Any piece's begin: of the rows, or of one row's pieces. */
        const size_t parts = (l->row + PIECE_VALUES - 1) / PIECE_VALUES, pieces = l->rows * parts;
        const size_t piece = fpgz_sample_place(i, SAMPLE_PIECES, pieces);
        if (piece >= pieces)
            break;
        const size_t row = piece / parts, at = piece % parts * PIECE_VALUES;
        const size_t count = fpgz_min(l->row - at, PIECE_VALUES), value = row * l->row + at;
        const struct middle_rows rows = fpgz_prans_middle_rows(l, mode->axes, row);
        w->kernels->difference(&rows, mode->order, at, count, y + value * w->size, flag ? flag + value : NULL,
                               residual);
        cost += w->kernels->cost(residual, count);
        sampled += count;
    }
    return (uint64_t)((double)cost / 0x10000 / (double)sampled * (double)l->values);
}

/* The mode that codes y best. */
static struct choice choose_mode(const struct middle_work *w, const uint8_t *y, const uint8_t *flag)
{
    struct choice best = {{0, 0, false}, UINT64_MAX};
    for (unsigned axes = 0; axes < 1u << w->layout.axes; axes++)
        for (unsigned order = 0; order < (flag ? 2 : 3); order++) {
            const struct middle_mode mode = {axes, order, false};
            const uint64_t cost = cost_of(w, y, flag, &mode);
            if (cost < best.cost)
                best = (struct choice){mode, cost};
        }
    return best;
}

/* Chooses the domain and the mode; w->y then has the integers. */
static void choose(struct middle_work *w, const void *values)
{
    const struct prans_domain_kernels *const k = prans_domain_of(w->is_f64);
    struct prans_domain apart = {.id = PRANS_DOMAIN_FLOAT}, domain;
    const struct middle_rows none = {0, 0, {0}, {0}};
    uint64_t best = UINT64_MAX;
    k->specials(values, w->layout.values, &apart);
    k->flags(values, w->layout.values, &apart, w->flag);
    const uint8_t *const flag = apart.specials ? w->flag : NULL;
    uint8_t *y = w->y, *other = w->residual;
    for (unsigned id = 0; id < PRANS_DOMAINS; id++) {
        domain = apart;
        if (!k->enter[id](values, w->flag, w->layout.values, &w->room, &domain, other))
            continue;
        if (flag)
            w->kernels->fill(&none, 1, w->layout.values, flag, other);
        const struct choice choice = choose_mode(w, other, flag);
        const uint64_t cost = choice.cost + k->description(&domain);
        if (cost >= best)
            continue;
        best = cost;
        w->description.domain = domain;
        w->description.mode = choice.mode;
        uint8_t *const swapped = y;
        y = other;
        other = swapped;
    }
    /* Slabs, which are tried later, use the room of its exceptions, too. */
    if (w->description.domain.id == PRANS_DOMAIN_LATTICE && w->description.domain.exceptions)
        k->enter[PRANS_DOMAIN_LATTICE](values, w->flag, w->layout.values, &w->room, &w->description.domain,
                                       other);
    w->y = y;
    w->residual = other;
}

/* Residuals row by row. Special values get the integers that decoding finds there. */
static void difference(struct middle_work *w, const uint8_t *flag)
{
    const size_t row = w->layout.row;
    for (size_t r = 0; r < w->layout.rows; r++) {
        const struct middle_rows rows = fpgz_prans_middle_rows(&w->layout, w->description.mode.axes, r);
        uint8_t *const y = w->y + r * row * w->size;
        if (flag)
            w->kernels->fill(&rows, w->description.mode.order, row, flag + r * row, y);
        w->kernels->difference(&rows, w->description.mode.order, 0, row, y, flag ? flag + r * row : NULL,
                               w->residual + r * row * w->size);
    }
    memset(w->residual + w->layout.values * w->size, 0,
           (w->layout.blocks * MIDDLE_BLOCK - w->layout.values) * w->size);
}

static void fill_codes(struct middle_work *w)
{
    for (unsigned t = 0; t < w->description.tables; t++) {
        uint32_t below = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            w->codes[t][s] = w->description.frequency[t][s] | below << 16;
            below += w->description.frequency[t][s];
        }
    }
}

/* The segments, each its states, words and raw bits. Returns where they end. */
static uint8_t *write_segments(struct middle_work *w, uint8_t *out)
{
    for (size_t s = 0; s < w->layout.segments; s++) {
        const size_t block = s * MIDDLE_SEGMENT_BLOCKS, value = s * (size_t)MIDDLE_SEGMENT;
        const size_t blocks = fpgz_min(w->layout.blocks - block, MIDDLE_SEGMENT_BLOCKS);
        const uint8_t *const symbol = w->symbol + value;
        /* Words are written from the end of their room on, then moved. */
        uint8_t *const end = out + MIDDLE_STATE_BYTES + 2 * MIDDLE_SEGMENT;
        uint8_t *const begin = w->kernels->words(w->codes, w->ids + block, symbol, blocks, end);
        const size_t words = (size_t)(end - begin);
        memmove(out, begin, words);
        out += words;
        uint8_t *const raw_end =
            w->kernels->raw(w->residual + value * w->size, symbol, blocks * MIDDLE_BLOCK, out);
        w->lengths[s] =
            (struct middle_lengths){(uint32_t)(words - MIDDLE_STATE_BYTES), (uint32_t)(raw_end - out)};
        out = raw_end;
    }
    return out;
}

enum fpgz_status middle_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    struct middle_work *const w = coding->scratch;
    const size_t bound = fpgz_prans_middle_bound(&coding->grid);
    fpgz_prans_middle_work(&coding->grid, w, w);
    if (w->planes) {
        fpgz_prans_middle_split(&w->layout, w->size, values, w->planes);
        values = w->planes;
    }
    memset(&w->description, 0, sizeof w->description);
    memset(w->flag, 0, w->layout.blocks * MIDDLE_BLOCK);
    choose(w, values);
    const uint8_t *const flag = w->description.domain.specials ? w->flag : NULL;
    difference(w, flag);
    w->kernels->symbols(w->residual, flag, w->layout.blocks * MIDDLE_BLOCK, w->symbol);
    uint8_t key[PRANS_SYMBOLS];
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        key[s] = (uint8_t)s;
    fpgz_prans_middle_choose_tables(w->kernels, w->symbol, key, w->layout.blocks, w->ids, &w->tables);
    w->description.tables = w->tables.count;
    memcpy(w->description.frequency, w->tables.frequency, sizeof w->description.frequency);
    fill_codes(w);

    /* The description tells the segments' lengths, so that they go first, behind its room. */
    struct prans_range r;
    const size_t ids = (w->layout.blocks + 1) / 2;
    const size_t room = bound - ids - w->layout.segments * fpgz_prans_middle_segment_bound(w->size);
    uint8_t *const segments = stream + room, *const segments_end = write_segments(w, segments);
    fpgz_prans_range_write(&r, stream + PRANS_HEAD_BYTES, room - PRANS_HEAD_BYTES - ids);
    fpgz_prans_middle_code_description(&r, w);
    uint8_t *at = fpgz_prans_range_flush(&r);
    memset(stream, 0, PRANS_HEAD_BYTES);
    stream[0] = PRANS_FORMAT_MIDDLE;
    fpgz_store32(stream + 4, (uint32_t)(at - stream - PRANS_HEAD_BYTES));
    memset(at, 0, ids);
    for (size_t b = 0; b < w->layout.blocks; b++)
        at[b / 2] |= (uint8_t)(w->ids[b] << b % 2 * 4);
    at += ids;
    memmove(at, segments, (size_t)(segments_end - segments));
    *length = (size_t)(at + (segments_end - segments) - stream);
    return FPGZ_OK;
}

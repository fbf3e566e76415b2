/* SPDX-License-Identifier: MIT
 * The high setting: a domain, a bank of stencils, symbols in contexts, in one or two bands. */
#include <string.h>

#include "codec/prans/domain/low_bits.h"
#include "codec/prans/format.h"
#include "codec/prans/high/bands.h"
#include "codec/prans/high/match.h"
#include "codec/prans/high/work.h"
#include "core/bytes.h"

enum { SIDE_BYTES = 1 << 16 /* that the side part may take besides domain and tiles */ };

/* Two bands where that costs little: they share the slowest axis that has enough of them, by whole planes or
 * rows. */
static size_t second_band(const struct prans_axes *axes, size_t values)
{
    enum { LEAST_PARTS = 16, LINE = 4096 };
    const uint64_t unit =
        axes->dims == 1 ? (uint64_t)LINE * axes->step[0] : axes->step[axes->dims == 2 ? 1 : 2];
    const uint64_t parts = values / unit;
    return parts < LEAST_PARTS ? 0 : (size_t)(parts / 2 * unit);
}

static void set_bands(struct prans_field *field, size_t second, size_t values)
{
    field->bands = second ? 2 : 1;
    field->first[0] = 0;
    field->first[1] = second ? second : values;
    field->first[2] = values;
    field->tiles = fpgz_prans_tiles(field);
}

/* Where the bands' values begin in arrays with their padding. */
static void place_bands(struct prans_field *field, uint8_t *real, uint8_t *error, uint8_t *special,
                        size_t size)
{
    for (unsigned b = 0; b < field->bands; b++) {
        const size_t at = field->first[b] + (size_t)(b + 1) * PRANS_PAD;
        field->real[b] = real + at * size;
        field->error[b] = error + at * size;
        field->special[b] = special + at;
    }
}

size_t fpgz_prans_high_bound(const struct fpgz_grid *grid)
{
    const size_t values = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype);
    return PRANS_HEAD_BYTES + SIDE_BYTES + values / PRANS_TILE * 2 +
           values * (size + 3) / PRANS_DISTINCT_PART + values * (size + 9) + 256;
}

size_t fpgz_prans_high_memory(const struct fpgz_grid *grid, bool encoding)
{
    struct prans_work w;
    struct prans_arrays a;
    return fpgz_prans_high_lay_out(grid, encoding, NULL, &w, &a);
}

/* The domain is one for integers, or the values' own. */
static void set_kind(struct prans_work *w)
{
    struct prans_model *const model = &w->field.model;
    const bool is_float = w->domain.id == PRANS_DOMAIN_FLOAT || w->domain.id == PRANS_DOMAIN_SPLIT;
    model->kind = is_float ? PRANS_FLOAT : w->domain.id == PRANS_DOMAIN_SLAB ? PRANS_SLAB : PRANS_INTEGER;
    w->field.lattice = w->domain.lattice;
    w->field.slab = w->domain.slab;
    model->shift = is_float ? w->domain.shift : 0;
    model->specials = w->domain.specials;
    fpgz_prans_model(model);
}

/* Writes or reads all that stands before the bands' streams. */
static void code_head(struct prans_range *r, struct prans_work *w, const struct prans_domain_kernels *k,
                      size_t values, struct prans_arrays *a, size_t size, struct prans_side *side)
{
    struct prans_field *const field = &w->field;
    k->code(r, values, &w->room, &w->domain);
    size_t second = field->bands == 2 ? field->first[1] : 0;
    second = (size_t)fpgz_prans_range_bits(r, 28, second);
    r->failed |= second >= values || second % field->model.axes.phases;
    if (r->failed)
        return;
    if (r->reading) {
        set_bands(field, second, values);
        place_bands(field, a->real, a->error, a->special, size);
        set_kind(w);
    }
    fpgz_prans_code_side(r, field, side);
}

/* Special values are for predictions what stands at their point before. */
static void carry(struct prans_work *w, unsigned band, size_t size)
{
    const struct prans_field *const field = &w->field;
    const ptrdiff_t x = (ptrdiff_t)field->model.axes.phases;
    uint8_t *const real = field->real[band], *const y = (uint8_t *)w->y + field->first[band] * size;
    const uint64_t zero =
        field->model.kind != PRANS_FLOAT ? 0 : (uint64_t)1 << (8 * size - 1) >> field->model.shift;
    const size_t count = field->first[band + 1] - field->first[band];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
        if (!field->special[band][i])
            continue;
        memcpy(real + i * (ptrdiff_t)size, real + (i - x) * (ptrdiff_t)size, size);
        memcpy(y + i * (ptrdiff_t)size, i < x ? (const uint8_t *)&zero : y + (i - x) * (ptrdiff_t)size, size);
    }
}

/* Enters a domain, with the field's arrays; the split one with the shift that stands. */
static bool enter(struct prans_work *w, const struct prans_domain_kernels *k, enum prans_domain_id id,
                  const void *values, size_t count, size_t size)
{
    if (id == PRANS_DOMAIN_SPLIT)
        fpgz_prans_enter_split(&w->domain, w->field.is_f64, w->domain.shift, values, count, w->y);
    else if (!k->enter[id](values, w->flag, count, &w->room, &w->domain, w->y))
        return false;
    set_kind(w);
    for (unsigned b = 0; b < w->field.bands; b++) {
        const size_t first = w->field.first[b];
        k->reals(&w->domain, first, (const uint8_t *)values + first * size,
                 (const uint8_t *)w->y + first * size, w->field.first[b + 1] - first, w->field.real[b]);
        if (w->domain.specials)
            carry(w, b, size);
    }
    return true;
}

/* The number of low bits that are worth a split, if that beats `least` bits well; else 0. */
static unsigned choose_split(struct prans_work *w, const struct prans_domain_kernels *k, const void *values,
                             size_t count, size_t size, uint64_t least)
{
    enum { SURVEY_PART = 16 }; /* surveys tell too little by about such a part, the cost of fields does not */
    static const uint8_t shifts[2][5] = {{10, 14, 18}, {24, 32, 36, 40, 44}};
    const bool is_f64 = w->field.is_f64;
    unsigned best = 0;
    least += least / SURVEY_PART;
    least -= least / 64;
    for (unsigned i = 0; i < 5 && shifts[is_f64][i]; i++) {
        const uint64_t low = fpgz_prans_low_cost(values, is_f64, shifts[is_f64][i], count, w->flag,
                                                 w->encoding->matcher->last[0]);
        if (low >= least)
            continue;
        w->domain.shift = shifts[is_f64][i];
        enter(w, k, PRANS_DOMAIN_SPLIT, values, count, size);
        const uint64_t high = fpgz_prans_survey(&w->field, w->y), bits = high + high / SURVEY_PART + low;
        if (bits < least) {
            least = bits;
            best = w->domain.shift;
        }
    }
    return best;
}

/* The domain in which a sample of the values is coded shortest, with its own description. */
static void choose_domain(struct prans_work *w, const struct prans_domain_kernels *k, const void *values,
                          size_t count, size_t size)
{
    static const enum prans_domain_id ids[PRANS_DOMAINS] = {PRANS_DOMAIN_LATTICE, PRANS_DOMAIN_RANK,
                                                            PRANS_DOMAIN_SLAB, PRANS_DOMAIN_FLOAT};
    uint64_t least = UINT64_MAX;
    enum prans_domain_id best = PRANS_DOMAIN_FLOAT;
    for (unsigned i = 0; i < PRANS_DOMAINS; i++) {
        if (!enter(w, k, ids[i], values, count, size))
            continue;
        const uint64_t bits = fpgz_prans_survey(&w->field, w->y) + k->description(&w->domain);
        if (bits < least) {
            least = bits;
            best = ids[i];
        }
    }
    const bool apart = best == PRANS_DOMAIN_FLOAT || best == PRANS_DOMAIN_RANK;
    const unsigned split = apart ? choose_split(w, k, values, count, size, least) : 0;
    if (split) {
        best = PRANS_DOMAIN_SPLIT;
        w->domain.shift = split;
    }
    if (best != w->domain.id || split)
        enter(w, k, best, values, count, size);
}

/* The values from the field. */
static void leave(const struct prans_work *w, const struct prans_domain_kernels *k, size_t size,
                  uint8_t *values)
{
    const struct prans_field *const field = &w->field;
    for (unsigned b = 0; b < field->bands; b++)
        k->leave(&w->domain, field->real[b], field->special[b], field->first[b + 1] - field->first[b],
                 values + field->first[b] * size);
    fpgz_prans_put_exceptions(&w->domain, field->is_f64, 0, field->first[field->bands], values);
}

static void clear_padding(const struct prans_field *field, size_t size)
{
    for (unsigned b = 0; b < field->bands; b++) {
        memset((uint8_t *)field->real[b] - PRANS_PAD * size, 0, PRANS_PAD * size);
        memset((uint8_t *)field->error[b] - PRANS_PAD * size, 0, PRANS_PAD * size);
        memset(field->special[b] - PRANS_PAD, 0, PRANS_PAD);
    }
}

/* Writes or reads the low fields of the split domain. */
static void code_low(struct prans_work *w, struct prans_range *r, void *values, uint32_t *slots)
{
    const struct prans_field *const field = &w->field;
    struct prans_low low;
    fpgz_prans_low_begin(&low, field->is_f64, w->domain.shift);
    for (unsigned b = 0; b < field->bands; b++)
        fpgz_prans_low_code(&low, r, values, field->first[b], field->first[b + 1] - field->first[b],
                            field->special[b], slots);
}

/* Gives the bands their place, with the marks of special values. */
static void open_bands(struct prans_work *w, const struct prans_arrays *a, size_t second, size_t values,
                       size_t size)
{
    struct prans_field *const field = &w->field;
    set_bands(field, second, values);
    place_bands(field, a->real, a->error, a->special, size);
    clear_padding(field, size);
    for (unsigned b = 0; b < field->bands; b++)
        memcpy(field->special[b], w->flag + field->first[b], field->first[b + 1] - field->first[b]);
}

static size_t write_stream(struct prans_work *w, const struct prans_domain_kernels *k,
                           const struct fpgz_coding *coding, struct prans_arrays *a, const void *values,
                           uint8_t *stream)
{
    const struct fpgz_grid *const grid = &coding->grid;
    const struct prans_refinement *const refinement = &w->field.model.refinement;
    struct prans_range r;
    uint8_t *const side = stream + PRANS_HEAD_BYTES;
    fpgz_prans_range_write(&r, side, fpgz_prans_high_bound(grid) - PRANS_HEAD_BYTES);
    code_head(&r, w, k, (size_t)fpgz_grid_values(grid), a, fpgz_dtype_size(grid->dtype), &w->encoding->side);
    uint8_t *bands = fpgz_prans_range_flush(&r);
    stream[0] = refinement->memory ? PRANS_FORMAT_SLOW : PRANS_FORMAT_HIGH;
    stream[1] = (uint8_t)refinement->memory;
    stream[2] = (uint8_t)refinement->parts;
    stream[3] = 0;
    fpgz_store32(stream + 4, (uint32_t)(bands - side));
    if (w->domain.id == PRANS_DOMAIN_SPLIT) {
        uint8_t *const low = bands + 4;
        uint32_t *const slots = w->encoding->matcher->last[0];
        memset(slots, 0, sizeof *slots << PRANS_LOW_SLOT_BITS);
        fpgz_prans_range_write(&r, low, fpgz_prans_high_bound(grid) - (size_t)(low - stream));
        code_low(w, &r, (void *)values, slots);
        bands = fpgz_prans_range_flush(&r);
        fpgz_store32(low - 4, (uint32_t)(bands - low));
    }
    return (size_t)(fpgz_prans_write_field(&w->field, w->encoding, bands) - stream);
}

/* Writes the stream again with refined predictions, in the way that makes it shortest, or as it was, with
 * `length` bytes. Returns its length. */
static size_t refine(struct prans_work *w, const struct prans_domain_kernels *k,
                     const struct fpgz_coding *coding, struct prans_arrays *a, const void *values,
                     uint8_t *stream, size_t length)
{
    static const struct {
        uint8_t memory, parts;
    } ways[] = {{0, 0}, {12, 4}, {12, 8}, {12, 0}};
    enum { WAYS = sizeof ways / sizeof *ways };
    struct prans_field *const field = &w->field;
    size_t least = length;
    unsigned best = 0, way = 1;
    for (;; way++) {
        const unsigned tried = way < WAYS ? way : best;
        if (!fpgz_prans_refinement_set(ways[tried].memory, ways[tried].parts, &field->model.refinement))
            field->model.refinement.memory = field->model.refinement.parts = 0;
        /* The last stream's words took the integers' place. */
        const struct prans_model model = field->model;
        enter(w, k, w->domain.id, values, (size_t)fpgz_grid_values(&coding->grid),
              fpgz_dtype_size(coding->grid.dtype));
        field->model = model;
        fpgz_prans_plan_symbols(field, w->y, w->encoding);
        length = write_stream(w, k, coding, a, values, stream);
        if (way == WAYS)
            return length;
        best = length < least ? way : best;
        least = length < least ? length : least;
    }
}

enum fpgz_status fpgz_prans_high_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    struct prans_work w;
    struct prans_arrays a;
    fpgz_prans_high_lay_out(&coding->grid, true, coding->scratch, &w, &a);
    struct prans_field *const field = &w.field;
    const struct prans_domain_kernels *const k = &fpgz_prans_domains[field->is_f64];
    k->specials(values, count, &w.domain);
    k->flags(values, count, &w.domain, w.flag);
    const size_t second = second_band(&field->model.axes, count);
    const bool one = second && fpgz_prans_matches_across(values, field->is_f64, w.flag, second, count,
                                                         w.encoding->matcher);
    open_bands(&w, &a, one ? 0 : second, count, size);
    choose_domain(&w, k, values, count, size);
    fpgz_prans_plan_field(field, w.y, w.encoding);

    *length = write_stream(&w, k, coding, &a, values, stream);
    if (coding->params.value[1])
        *length = refine(&w, k, coding, &a, values, stream, *length);
    return FPGZ_OK;
}

/* Lays the work out and reads what stands before the bands; false when it is none. */
static bool read_head(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                      struct prans_work *w)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    if (length < PRANS_HEAD_BYTES || stream[3] || fpgz_load32(stream + 4) > length - PRANS_HEAD_BYTES)
        return false;
    struct prans_arrays a;
    struct prans_range r;
    fpgz_prans_high_lay_out(&coding->grid, false, coding->scratch, w, &a);
    memset(w->side, 0, sizeof *w->side);
    if (stream[0] == PRANS_FORMAT_SLOW
            ? !fpgz_prans_refinement_set(stream[1], stream[2], &w->field.model.refinement)
            : stream[1] || stream[2])
        return false;
    fpgz_prans_range_read(&r, stream + PRANS_HEAD_BYTES, fpgz_load32(stream + 4));
    code_head(&r, w, &fpgz_prans_domains[w->field.is_f64], count, &a, size, w->side);
    return fpgz_prans_range_done(&r);
}

bool fpgz_prans_high_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits)
{
    struct prans_work w;
    if (!read_head(coding, front, length, &w))
        return false;
    fpgz_prans_domain_traits(&w.domain, traits);
    fpgz_prans_bank_traits(&w.field, w.side, traits);
    return true;
}

enum fpgz_status fpgz_prans_high_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, void *values)
{
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    struct prans_work w;
    if (!read_head(coding, stream, length, &w))
        return FPGZ_CORRUPT;
    const struct prans_domain_kernels *const k = &fpgz_prans_domains[w.field.is_f64];
    const uint8_t *bands = stream + PRANS_HEAD_BYTES + fpgz_load32(stream + 4);
    const bool split = w.domain.id == PRANS_DOMAIN_SPLIT;
    struct prans_range r;
    if (split) {
        const size_t left = (size_t)(stream + length - bands);
        if (left < 4 || fpgz_load32(bands) > left - 4)
            return FPGZ_CORRUPT;
        fpgz_prans_range_read(&r, bands + 4, fpgz_load32(bands));
        bands += 4 + fpgz_load32(bands);
    }
    clear_padding(&w.field, size);
    if (!fpgz_prans_decode_field(&w.field, w.side, bands, (size_t)(stream + length - bands), w.decoding))
        return FPGZ_CORRUPT;
    leave(&w, k, size, values);
    if (!split)
        return FPGZ_OK;
    code_low(&w, &r, values, NULL);
    return fpgz_prans_range_done(&r) ? FPGZ_OK : FPGZ_CORRUPT;
}

/* SPDX-License-Identifier: MIT
 * From predictions to symbols: contexts, tables and matches of a chunk. */
#include "codec/prans/high/plan.h"

#include <string.h>

#include "codec/prans/high/choose_tables.h"
#include "codec/prans/high/match.h"
#include "codec/prans/high/token.h"
#include "core/bytes.h"

enum {
    MATCH_GAIN_PART = 160, /* what matches must save, as such a part of all */
    FINE_STEP = 8,         /* of so many runs one is counted, for the choice of the finer octaves */
};

/* Errors of what is no ordinary value are those of the point before. */
static void carry_errors(const struct prans_encoding *e, const struct prans_field *field, unsigned band,
                         size_t at, size_t count)
{
    const size_t x = field->model.axes.phases;
    for (size_t i = at; i < at + count; i++) {
        if (!field->special[band][i] && !e->copied[field->first[band] + i])
            continue;
        if (field->is_f64)
            ((double *)field->error[band])[i] = ((double *)field->error[band])[(ptrdiff_t)i - (ptrdiff_t)x];
        else
            ((float *)field->error[band])[i] = ((float *)field->error[band])[(ptrdiff_t)i - (ptrdiff_t)x];
    }
}

/* What a run is predicted to be, its residuals and errors. */
static void predict(const struct prans_encoding *e, struct prans_field *field, const void *y, unsigned band,
                    size_t at, const struct prans_run *run, void *predicted, void *residual)
{
    const struct prans_high_kernels *k = field->kernels;
    const size_t size = prans_size_of(field), value = field->first[band] + at;
    const void *const real = prans_const_at(field->real[band], at, size);
    uint8_t *const error = (uint8_t *)field->error[band] + at * size;
    if (field->model.refinement.memory && !run->direct) {
        const struct prans_past past = {real, error, field->special[band] + at, e->copied + value};
        k->refined_residuals(&field->model, run, field->refiner + band * PRANS_PHASES, &past,
                             prans_const_at(y, value, size), predicted, residual);
        return;
    }
    k->residuals(&field->model, run, real, prans_const_at(y, value, size), predicted, residual);
    k->errors(real, predicted, run->count, error);
    if (e->any_copied || field->model.specials)
        carry_errors(e, field, band, at, run->count);
}

static void find_symbols(const struct prans_encoding *e, const struct prans_field *field,
                         const struct prans_run *run, const void *real, const void *residual, uint8_t *symbol)
{
    for (size_t i = 0; i < run->count; i++) {
        const int64_t value = prans_residual_at(field, residual, i);
        symbol[i] =
            (uint8_t)(run->direct ? prans_direct_of(field, prans_word_at(real, field->is_f64, i)).symbol
                                  : e->lead_symbol[value < 0][prans_lead(prans_magnitude(value))]);
    }
}

/* Residuals, errors, contexts and symbols of all values, under the matches that e->copied tells. */
static void describe(struct prans_encoding *e, struct prans_field *field, const void *y)
{
    const size_t size = prans_size_of(field);
    for (unsigned i = 0; i < PRANS_BANDS * PRANS_PHASES; i++)
        prans_refiner_start(&field->model.refinement, &field->refiner[i]);
    uint64_t predicted[PRANS_RUN], residual[PRANS_RUN];
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const struct prans_stencil *stencil = &field->bank[field->tile[tile]];
        for (size_t at = place.at; at < place.end;) {
            const struct prans_run run = fpgz_prans_run(field, place.band, at, place.end, stencil);
            const size_t value = field->first[place.band] + at;
            const void *real = prans_const_at(field->real[place.band], at, size);
            const uint8_t *special = field->special[place.band] + at;
            predict(e, field, y, place.band, at, &run, predicted, residual);
            field->kernels->contexts(&field->model, &run, predicted,
                                     prans_const_at(field->error[place.band], at, size), special,
                                     e->context + value);
            memcpy(e->residual + value * size, residual, run.count * size);
            find_symbols(e, field, &run, real, residual, e->symbol_of + value);
            for (size_t i = 0; field->model.specials && i < run.count; i++)
                e->symbol_of[value + i] = special[i] ? (uint8_t)(special[i] - 1) : e->symbol_of[value + i];
            for (size_t i = 0; e->any_copied && i < run.count; i++)
                e->symbol_of[value + i] = e->copied[value + i] ? PRANS_MATCH : e->symbol_of[value + i];
            at += run.count;
        }
    }
}

/* The octaves with the most residuals get the finer symbols. Residuals that are longer than the values
 * themselves, whose largest exponent is that of direct ones, give way to these. */
static void set_up(struct prans_encoding *e, struct prans_field *field)
{
    const unsigned octaves = field->is_f64 ? 64 : 32, longer = (field->is_f64 ? 51 : 22) - field->model.shift;
    unsigned symbol = PRANS_EXACT + 15;
    fpgz_prans_symbols(field->model.fine, octaves, e->symbol);
    for (unsigned size = 0; size < 8; size++) {
        e->lead_symbol[0][size] = (uint8_t)(PRANS_EXACT + 7 + size);
        e->lead_symbol[1][size] = (uint8_t)(PRANS_EXACT + 7 - size);
    }
    for (unsigned octave = 3; octave < octaves; octave++) {
        const unsigned bits = fpgz_prans_fine(field->model.fine, octaves, octave) ? 2 : 0;
        for (unsigned part = 0; part < 4; part++)
            for (unsigned negative = 0; negative < 2; negative++)
                e->lead_symbol[negative][4 * octave + part] =
                    (uint8_t)(symbol + 2 * (part >> (2 - bits)) + negative);
        symbol += 2u << bits;
    }
    for (unsigned lead = 0; field->model.kind == PRANS_FLOAT && lead < 4 * octaves; lead++)
        if ((lead < 8 ? lead : (uint64_t)1 << lead / 4) >> longer)
            e->lead_symbol[0][lead] = e->lead_symbol[1][lead] = PRANS_ESCAPE;
}

static void choose_fine(struct prans_field *field, const void *y)
{
    const size_t bytes = prans_size_of(field);
    size_t count[64] = {0}, best = 0, number = 0;
    uint64_t predicted[PRANS_RUN], residuals[PRANS_RUN];
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const struct prans_stencil *stencil = &field->bank[field->tile[tile]];
        for (size_t at = place.at; at < place.end; number++) {
            const struct prans_run run = fpgz_prans_run(field, place.band, at, place.end, stencil);
            const size_t value = field->first[place.band] + at;
            if (number % FINE_STEP == 0)
                field->kernels->residuals(&field->model, &run,
                                          prans_const_at(field->real[place.band], at, bytes),
                                          prans_const_at(y, value, bytes), predicted, residuals);
            for (size_t i = 0; i < run.count && number % FINE_STEP == 0; i++) {
                const int64_t residual = prans_residual_at(field, residuals, i);
                const uint64_t size = residual < 0 ? -(uint64_t)residual : (uint64_t)residual;
                count[size ? 63 - __builtin_clzll(size) : 0]++;
            }
            at += run.count;
        }
    }
    field->model.fine = 3;
    for (unsigned fine = 3; fine + PRANS_FINE <= 64; fine++) {
        size_t sum = 0;
        for (unsigned i = fine; i < fine + PRANS_FINE; i++)
            sum += count[i];
        if (sum > best) {
            best = sum;
            field->model.fine = fine;
        }
    }
}

static void choose_top(struct prans_field *field)
{
    const unsigned mantissa = field->is_f64 ? 52 : 23, exponents = field->is_f64 ? 0x7FF : 0xFF;
    field->model.direct_top = 0;
    for (unsigned b = 0; b < field->bands; b++)
        for (size_t i = 0; i < field->first[b + 1] - field->first[b]; i++) {
            const unsigned exponent =
                (unsigned)(prans_word_at(field->real[b], field->is_f64, i) >> mantissa) & exponents;
            if (exponent != exponents && exponent > field->model.direct_top)
                field->model.direct_top = exponent;
        }
}

/* What each value costs under the tables, for the search of matches. Returns what all cost together. */
static uint64_t estimate(struct prans_encoding *e, const struct prans_field *field)
{
    enum { UNIT = 13 }; /* of 2^-16 bits 2^-3 */
    uint64_t sum = 0;
    for (unsigned t = 0; t < e->description.tables; t++)
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            e->symbol_cost[t][s] = e->description.frequency[t][s]
                                       ? (uint16_t)(((PRANS_SCALE_BITS << 16) -
                                                     fpgz_prans_log2(e->description.frequency[t][s])) >>
                                                    UNIT)
                                       : 0;
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const bool direct = prans_is_direct(field, tile);
        for (size_t at = place.at; at < place.end; at++) {
            const size_t i = field->first[place.band] + at;
            const unsigned table = e->table_of[direct][e->context[i]], symbol = e->symbol_of[i];
            unsigned bits = e->symbol[symbol].bits;
            if (symbol == PRANS_RAW)
                bits = field->is_f64 ? 64 : 32;
            else if (direct || symbol == PRANS_ESCAPE)
                bits = symbol < PRANS_SPECIALS
                           ? 0
                           : (field->is_f64 ? 51 : 22) - field->model.shift + (direct ? 0 : 6);
            e->cost[i] = (uint16_t)(e->symbol_cost[table][symbol] + 8 * bits);
            sum += e->cost[i];
        }
    }
    return sum / 8;
}

static void clear_matches(struct prans_encoding *e, const struct prans_field *field)
{
    memset(e->copied, 0, field->first[field->bands]);
    memset(e->band_matches, 0, sizeof e->band_matches);
    e->any_copied = false;
}

/* Forgets what was planned before; the choice of stencils, whose place matches take, is over. */
static void start(struct prans_encoding *e, const struct prans_field *field)
{
    clear_matches(e, field);
    memset(&e->description, 0, sizeof e->description);
    memcpy(e->description.entry, e->selection.entry, sizeof e->description.entry);
}

void fpgz_prans_plan_symbols(struct prans_field *field, const void *y, struct prans_encoding *e)
{
    start(e, field);
    set_up(e, field);
    describe(e, field, y);
    fpgz_prans_choose_tables(e, field);
    const uint64_t least = estimate(e, field) / MATCH_GAIN_PART;
    if (fpgz_prans_find_matches(field, e, least, e->matcher) > least) {
        e->any_copied = e->description.matches = true;
        describe(e, field, y);
        fpgz_prans_choose_tables(e, field);
    } else {
        clear_matches(e, field);
    }
}

void fpgz_prans_plan_field(struct prans_field *field, const void *y, struct prans_encoding *e)
{
    choose_top(field);
    fpgz_prans_select(field, y, &e->selection);
    field->model.fine = 3;
    if (field->is_f64)
        choose_fine(field, y);
    fpgz_prans_plan_symbols(field, y, e);
}

/* SPDX-License-Identifier: MIT
 * Decoding of runs. What a run's values do not owe to each other is summed up before; the rest is one chain
 * from value to value, so that two bands in turns take little more time than one. For width templates. */
#ifndef FPGZ_CODEC_PRANS_HIGH_DECODE_RUNS_H
#define FPGZ_CODEC_PRANS_HIGH_DECODE_RUNS_H

#include "codec/prans/entropy/rans.h"
#include "codec/prans/high/refined.h"

/* What is known of a run before its values are. */
struct ahead {
    struct inputs inputs;
    double sum[PRANS_RUN];
    FLOAT energy[PRANS_RUN];
    uint16_t context[PRANS_RUN];
};

/* A band's run while it is decoded. */
struct state {
    struct prans_band band;
    FLOAT *real, *error; /* of the run's first value, as is special */
    uint8_t *special;
    unsigned phase;
    int base;
    double inverse;
};

/* The value before and its error, apart from what others get addresses of: in registers, for the next value
 * would wait long for memory to hand them on. */
struct last {
    FLOAT real, error;
};

INLINE unsigned take_symbol(struct prans_band *band, const struct prans_tables *tables, unsigned table)
{
    const uint32_t slot = band->state & (PRANS_SCALE - 1);
    const unsigned symbol = tables->at[table][slot];
    const uint32_t share = tables->share[table][symbol];
    const uint32_t state = (share & 0xFFFF) * (band->state >> PRANS_SCALE_BITS) + slot - (share >> 16);
    const uint32_t low = state < 0x10000; /* often, so that a branch would be guessed wrong */
    band->state = state << (low * 16) | (fpgz_load16(band->words) & (0 - low));
    band->words += low * 2;
    return symbol;
}

/* Up to 63 raw bits, the least significant first. */
INLINE uint64_t take_raw(struct prans_band *band, unsigned bits)
{
    const uint8_t *at = band->raw + (band->bit >> 3);
    const unsigned skip = band->bit & 7;
    uint64_t raw = fpgz_load64(at) >> skip;
    if (sizeof(WORD) == 8 && bits > 56)
        raw |= (uint64_t)at[8] << 1 << (63 - skip);
    band->bit += bits;
    return raw & (((uint64_t)1 << bits) - 1);
}

/* A length or a distance: 0 to 15, then four symbols an octave. */
static uint64_t take_number(struct prans_band *band, unsigned symbol)
{
    if (symbol < 16)
        return symbol;
    const unsigned extra = 2 + (symbol - 16) / 4;
    if (extra > 30) {
        band->failed = true;
        return 0;
    }
    return (uint64_t)(4 + symbol % 4) << extra | take_raw(band, extra);
}

/* A match begins: its length and its distance, which must lie in the band. */
static void take_match(struct prans_band *band, const struct prans_tables *tables, size_t at)
{
    const uint64_t length = 1 + take_number(band, take_symbol(band, tables, tables->of_length));
    const unsigned symbol = take_symbol(band, tables, tables->of_distance);
    uint64_t back;
    unsigned repeat = PRANS_REPEATS - 1;
    if (symbol < PRANS_REPEATS) {
        repeat = symbol;
        back = band->recent[symbol];
    } else if (symbol < PRANS_REPEATS + PRANS_FREQUENT) {
        back = tables->frequent[symbol - PRANS_REPEATS];
    } else {
        back = 1 + take_number(band, symbol - PRANS_REPEATS - PRANS_FREQUENT);
    }
    for (; repeat; repeat--)
        band->recent[repeat] = band->recent[repeat - 1];
    band->recent[0] = (uint32_t)back;
    band->failed |= back - 1 >= at;
    band->match_left = band->failed ? 0 : (size_t)length;
    band->match_back = band->failed ? 0 : (size_t)back;
}

/* The value itself: its exponent below the largest one, the mantissa's first bit and the sign, then raw bits.
 */
INLINE WORD take_direct(const struct prans_model *model, struct prans_band *band, unsigned symbol)
{
    const unsigned code = symbol - PRANS_EXACT, bits = MANTISSA_BITS - 1 - model->shift;
    const WORD exponent = (WORD)model->direct_top - (code >> 2);
    band->failed |= code >> 2 > model->direct_top;
    const WORD mantissa = (WORD)(code >> 1 & 1) << (MANTISSA_BITS - 1) | (WORD)take_raw(band, bits)
                                                                             << model->shift;
    return (WORD)(code & 1) << (WORD_BITS - 1) | (exponent << MANTISSA_BITS & EXPONENT_MASK) | mantissa;
}

/* Symbols below PRANS_EXACT, and what matches copy: seldom enough to be out of the way. What is no ordinary
 * value hands its point's earlier value and error on to those that follow. */
static __attribute__((noinline)) void take_extra(const struct prans_model *model,
                                                 const struct prans_tables *tables, struct prans_band *band,
                                                 size_t at, unsigned symbol, FLOAT predicted)
{
    FLOAT *const real = (FLOAT *)band->real + at, *const error = (FLOAT *)band->error + at;
    uint8_t *const special = band->special + at;
    const ptrdiff_t x = (ptrdiff_t)model->axes.phases;
    if (symbol == PRANS_ESCAPE || symbol == PRANS_RAW) {
        if (symbol == PRANS_ESCAPE)
            symbol = take_symbol(band, tables, tables->of_direct[PRANS_ESCAPED]);
        WORD bits;
        if (symbol >= PRANS_EXACT) {
            bits = take_direct(model, band, symbol);
        } else {
            bits = (WORD)take_raw(band, 32);
            if (sizeof(WORD) == 8)
                bits |= (WORD)take_raw(band, 32) << (WORD_BITS - 32);
        }
        band->failed |= model->kind != PRANS_FLOAT || (symbol < PRANS_EXACT && symbol != PRANS_RAW);
        *real = real_of(bits);
        *error = difference_of(*real, predicted);
        *special = 0;
        return;
    }
    if (symbol == PRANS_MATCH)
        take_match(band, tables, at);
    band->failed |= symbol >= PRANS_MATCH && !band->match_left;
    band->failed |= symbol < PRANS_SPECIALS && symbol >= model->specials;
    *special = symbol < PRANS_SPECIALS ? (uint8_t)(symbol + 1) : 0;
    *real = real[-x];
    *error = error[-x];
    if (band->match_left) {
        const ptrdiff_t back = (ptrdiff_t)band->match_back;
        band->match_left--;
        *special = special[-back];
        *real = *special ? *real : real[-back];
    }
}

INLINE void begin_run(const struct prans_model *model, const struct prans_run *run, bool direct, bool refined,
                      const struct prans_band *band, struct state *s, struct last *last, struct ahead *ahead)
{
    s->band = *band;
    s->real = (FLOAT *)band->real + band->at;
    s->error = (FLOAT *)band->error + band->at;
    s->special = band->special + band->at;
    s->phase = run->phase;
    s->base = level_base(model, run, direct);
    s->inverse = 1 / run->lattice.step;
    last->real = s->real[-1];
    last->error = s->error[-1];
    if (!direct)
        sum_taps(run, model->axes.phases, s->real, false, ahead->sum);
    far_energies(model, run, s->error, s->special, ahead->energy, ahead->context);
    if (refined)
        find_inputs(model, run, &ahead->inputs);
    for (unsigned phase = 0; refined && phase < model->axes.phases; phase++)
        refiner_run(&s->band.refiner[phase]);
}

/* The next value. `near` is 3 where no near tap lies farther and there is one component, else 0. */
INLINE void decode_value(const struct prans_model *model, const struct prans_tables *tables,
                         const struct prans_run *run, const struct ahead *ahead, struct state *s,
                         struct last *last, enum prans_kind kind, unsigned near, bool direct, bool refined,
                         size_t i)
{
    const struct prans_stencil *stencil = run->stencil;
    const unsigned shift = model->shift;
    const ptrdiff_t x = near == 3 ? 1 : (ptrdiff_t)model->axes.phases;
    FLOAT *const real = s->real + i, *const error = s->error + i;
    struct prans_refiner *const refiner = s->band.refiner + s->phase;
    double sum = direct ? 0 : ahead->sum[i];
    if (!direct) {
        for (unsigned back = near ? near : stencil->near; back > 1; back--)
            sum += stencil->near_weight[back - 1][s->phase] * (double)real[-(ptrdiff_t)back];
        sum += stencil->near_weight[0][s->phase] * (double)last->real;
        if (!near)
            s->phase = s->phase + 1 == x ? 0 : s->phase + 1;
    }
    WORD index;
    const WORD half = shift ? (WORD)1 << (shift - 1) : 0;
    const struct near_errors errors = {last->error, x == 1 ? last->error : error[-x], error[-2 * x]};
    const FLOAT energy = energy_of(ahead->energy[i], &errors, x);
    double correction = 0;
    if (refined)
        correction = correction_of(&ahead->inputs, refiner, x, real, error, energy,
                                   quantum_of(kind, shift, run->lattice.step, sum));
    const FLOAT predicted =
        settle(kind, shift, half, &run->lattice, s->inverse, refined ? sum + correction : sum, &index);

    const unsigned level = level_of(kind, direct, s->base, energy, predicted);
    unsigned table;
    if (direct)
        table = tables->of_direct[level];
    else
        table =
            tables->of_context[level << 5 | (ahead->context[i] + (s->special[(ptrdiff_t)i - x] ? 8u : 0u) +
                                             near_signs(model, &errors))];
    const unsigned symbol = s->band.match_left ? PRANS_COPY : take_symbol(&s->band, tables, table);
    if (__builtin_expect(symbol < PRANS_EXACT, 0)) {
        take_extra(model, tables, &s->band, s->band.at + i, symbol, predicted);
        last->real = *real;
        last->error = *error;
    } else {
        if (direct) {
            last->real = real_of(take_direct(model, &s->band, symbol));
        } else {
            const struct prans_symbol *meaning = &tables->symbol[symbol];
            const WORD negative = (WORD)(int32_t)meaning->negative;
            const WORD raw = (WORD)take_raw(&s->band, meaning->bits) ^ negative;
            last->real = value_of(kind, shift, &run->lattice, (index + (WORD)meaning->base - negative) + raw);
        }
        last->error = difference_of(last->real, predicted);
        *real = last->real;
        *error = last->error;
        s->special[i] = 0;
    }
    if (refined && !s->special[i])
        refiner_learn(&model->refinement, refiner, (double)*real - sum);
}

INLINE void decode_runs(const struct prans_model *model, const struct prans_tables *tables,
                        const struct prans_run *run_a, struct prans_band *a, const struct prans_run *run_b,
                        struct prans_band *b, enum prans_kind kind, unsigned near, bool direct, bool refined)
{
    struct state state_a, state_b;
    struct last last_a, last_b;
    struct ahead ahead_a, ahead_b;
    begin_run(model, run_a, direct, refined, a, &state_a, &last_a, &ahead_a);
    if (b)
        begin_run(model, run_b, direct, refined, b, &state_b, &last_b, &ahead_b);
    for (size_t i = 0; i < run_a->count; i++) {
        decode_value(model, tables, run_a, &ahead_a, &state_a, &last_a, kind, near, direct, refined, i);
        if (b)
            decode_value(model, tables, run_b, &ahead_b, &state_b, &last_b, kind, near, direct, refined, i);
    }
    *a = state_a.band;
    a->at += run_a->count;
    if (b) {
        *b = state_b.band;
        b->at += run_b->count;
    }
}

/* A run of each band; or of one, and the other is NULL. */
struct turn {
    const struct prans_run *run_a, *run_b;
    struct prans_band *a, *b;
};

INLINE void decode_plain(const struct prans_model *model, const struct prans_tables *tables,
                         const struct turn *t, enum prans_kind kind, unsigned near, bool direct)
{
    if (t->b)
        decode_runs(model, tables, t->run_a, t->a, t->run_b, t->b, kind, near, direct, false);
    else
        decode_runs(model, tables, t->run_a, t->a, NULL, NULL, kind, near, direct, false);
}

/* Functions of their own, for compilers take long over one that has all of the loops. */
static __attribute__((noinline)) void float_direct(const struct prans_model *model,
                                                   const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_FLOAT, 0, true);
}

static __attribute__((noinline)) void float_near(const struct prans_model *model,
                                                 const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_FLOAT, 3, false);
}

static __attribute__((noinline)) void float_any(const struct prans_model *model,
                                                const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_FLOAT, 0, false);
}

static __attribute__((noinline)) void integer_near(const struct prans_model *model,
                                                   const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_INTEGER, 3, false);
}

static __attribute__((noinline)) void integer_any(const struct prans_model *model,
                                                  const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_INTEGER, 0, false);
}

static __attribute__((noinline)) void slab_near(const struct prans_model *model,
                                                const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_SLAB, 3, false);
}

static __attribute__((noinline)) void slab_any(const struct prans_model *model,
                                               const struct prans_tables *tables, const struct turn *t)
{
    decode_plain(model, tables, t, PRANS_SLAB, 0, false);
}

static void decode(const struct prans_model *model, const struct prans_tables *tables,
                   const struct prans_run *run_a, struct prans_band *a, const struct prans_run *run_b,
                   struct prans_band *b)
{
    const bool refined = model->refinement.memory;
    const bool near =
        model->axes.phases == 1 && run_a->stencil->near == 3 && (!b || run_b->stencil->near == 3);
    const struct turn turn = {run_a, run_b, a, b};
    if (b && (refined || run_a->count != run_b->count || run_a->direct != run_b->direct)) {
        decode(model, tables, run_a, a, NULL, NULL);
        decode(model, tables, run_b, b, NULL, NULL);
    } else if (run_a->direct && model->kind == PRANS_FLOAT) {
        float_direct(model, tables, &turn);
    } else if (refined) {
        decode_runs(model, tables, run_a, a, NULL, NULL, model->kind, 0, false, true);
    } else if (model->kind == PRANS_FLOAT) {
        (near ? float_near : float_any)(model, tables, &turn);
    } else if (model->kind == PRANS_INTEGER) {
        (near ? integer_near : integer_any)(model, tables, &turn);
    } else {
        (near ? slab_near : slab_any)(model, tables, &turn);
    }
}

#endif

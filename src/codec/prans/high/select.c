/* SPDX-License-Identifier: MIT
 * Stencils are tried on samples of all tiles; each tile takes the cheapest, and those that do not pay go. */
#include "codec/prans/high/select.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"

enum {
    SAMPLED = 4,            /* of so many runs of a tile one is looked at */
    DOUBT_PART = 2,         /* by such a part half a sample may be wrong */
    UNFIT = UINT32_MAX / 4, /* costs more than anything */
    ENTRY_BITS = 16,
    TAP_BITS = 32,
};

/* Special values are coded without their residuals. Returns how many there are. */
static size_t drop_specials(const uint8_t *special, size_t count, bool is_f64, void *residual)
{
    size_t specials = 0;
    for (size_t i = 0; i < count; i++) {
        specials += special[i] != 0;
        if (is_f64)
            ((uint64_t *)residual)[i] = special[i] ? 0 : ((uint64_t *)residual)[i];
        else
            ((uint32_t *)residual)[i] = special[i] ? 0 : ((uint32_t *)residual)[i];
    }
    return specials;
}

/* What a run's values cost, in 2^-16 bits. */
static uint64_t run_cost(const struct prans_field *field, const void *y, unsigned band, size_t at,
                         const struct prans_run *run)
{
    const size_t size = field->is_f64 ? 8 : 4;
    uint64_t predicted[PRANS_RUN], residual[PRANS_RUN];
    size_t specials = 0;
    field->kernels->residuals(&field->model, run, (const uint8_t *)field->real[band] + at * size,
                              (const uint8_t *)y + (field->first[band] + at) * size, predicted, residual);
    if (field->model.specials)
        specials = drop_specials(field->special[band] + at, run->count, field->is_f64, residual);
    if (run->direct)
        return (run->count - specials) * ((field->is_f64 ? 52 : 23) + 4 - field->model.shift) << 16;
    return field->kernels->cost(residual, run->count);
}

/* Whether the run's values are all special: it costs nothing, and no sample is taken of it. */
static bool is_special(const struct prans_field *field, const struct prans_place *place, size_t at)
{
    return field->model.specials &&
           !memchr(field->special[place->band] + at, 0, fpgz_min(field->model.run, place->end - at));
}

/* Whether a tile has so few runs that all are looked at. */
static bool is_short(const struct prans_place *place)
{
    return place->end - place->at < SAMPLED * PRANS_RUN;
}

/* Of so many of a tile's runs one is looked at: where most are special, more of the others. */
static unsigned sampled_part(const struct prans_field *field, size_t tile)
{
    const struct prans_place place = fpgz_prans_place(field, tile);
    size_t runs = 0;
    if (!field->model.specials || is_short(&place))
        return SAMPLED;
    for (size_t at = place.at; at < place.end; at += field->model.run)
        runs += !is_special(field, &place, at);
    return runs >= SAMPLED * SAMPLED ? SAMPLED : runs >= 2 * SAMPLED ? 2 : 1;
}

/* What the tile's sample costs under a stencil; where its half is far above `least`, twice that. */
static uint32_t tile_cost(const struct prans_field *field, const void *y, size_t tile,
                          const struct prans_stencil *stencil, unsigned part, uint32_t least)
{
    const struct prans_place place = fpgz_prans_place(field, tile);
    if (place.at + PRANS_PAD < stencil->reach)
        return UNFIT;
    const uint64_t limit = ((uint64_t)least + least / DOUBT_PART) << 8;
    const bool all = is_short(&place);
    uint64_t cost = 0;
    for (unsigned half = 0; half < 2; half++) {
        size_t number = tile + half * part;
        for (size_t at = place.at; at < place.end;) {
            const bool looked_at = !is_special(field, &place, at) && (all || number++ % (2 * part) == 0);
            if (!looked_at && field->model.kind != PRANS_SLAB) {
                at += field->model.run;
                continue;
            }
            const struct prans_run run = fpgz_prans_run(field, place.band, at, place.end, stencil);
            cost += looked_at ? run_cost(field, y, place.band, at, &run) * part / SAMPLED : 0;
            at += run.count;
        }
        if (all || (!half && 2 * cost > limit))
            return (uint32_t)((all ? cost : 2 * cost) >> 8);
    }
    return (uint32_t)(cost >> 8);
}

/* Adds the entry at the end of the bank and what it costs all tiles. */
static void try_entry(struct prans_field *field, const void *y, struct prans_selection *s)
{
    const unsigned number = field->stencils;
    if (number == PRANS_BANK ||
        !fpgz_prans_entry(&field->model.axes, &s->entry[number], &field->bank[number]))
        return;
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const uint32_t cost = tile_cost(field, y, tile, &field->bank[number], s->part[tile], s->least[tile]);
        s->cost[tile][number] = cost;
        s->least[tile] = cost < s->least[tile] ? cost : s->least[tile];
    }
    field->stencils++;
}

/* Every tile takes its cheapest stencil. */
static void choose(struct prans_field *field, const struct prans_selection *s)
{
    for (size_t tile = 0; tile < field->tiles; tile++) {
        unsigned best = 0;
        for (unsigned i = 1; i < field->stencils; i++)
            if (s->cost[tile][i] < s->cost[tile][best])
                best = i;
        field->tile[tile] = (uint8_t)best;
    }
}

static double real_at(const struct prans_field *field, const void *real, ptrdiff_t at)
{
    return field->is_f64 ? ((const double *)real)[at] : (double)((const float *)real)[at];
}

static double bounded(double real)
{
    return real > -1e150 && real < 1e150 ? real : 0;
}

/* The step of the integers that stand for the value. */
static double quantum(const struct prans_field *field, const struct prans_run *run, double value)
{
    if (field->model.kind == PRANS_INTEGER)
        return 1;
    if (field->model.kind == PRANS_SLAB)
        return run->lattice.step;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF) - (field->is_f64 ? 52 : 23) + (int)field->model.shift;
    bits = (uint64_t)(exponent < 1 ? 1 : exponent) << 52;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What the stencil predicts there, but for rounding. */
static double sum_of(const struct prans_field *field, const struct prans_stencil *stencil, unsigned phase,
                     const void *real)
{
    double sum = 0;
    for (unsigned tap = 0; tap < stencil->far; tap++)
        sum += stencil->far_weight[tap][phase] * real_at(field, real, -(ptrdiff_t)stencil->offset[tap]);
    for (unsigned back = 1; back <= stencil->near; back++)
        sum += stencil->near_weight[back - 1][phase] * real_at(field, real, -(ptrdiff_t)back);
    return bounded(sum);
}

/* Samples of all tiles, with the errors of the stencils that they have. */
static void take_samples(const struct prans_field *field, struct prans_samples *s)
{
    const size_t size = field->is_f64 ? 8 : 4;
    size_t wanted = PRANS_FIT_SAMPLES / field->tiles;
    wanted = wanted < PRANS_FIT_LEAST ? PRANS_FIT_LEAST : wanted > PRANS_FIT_MOST ? PRANS_FIT_MOST : wanted;
    s->count = 0;
    s->tiles = field->tiles;
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const struct prans_stencil *stencil = &field->bank[field->tile[tile]];
        const size_t values = place.end - place.at, samples = values < wanted ? values : wanted;
        s->first[tile] = (uint32_t)s->count;
        for (size_t i = 0; i < fpgz_round_up(samples, PRANS_FIT_LANES); i++, s->count++) {
            const bool fills = i >= samples; /* the last block */
            const size_t begin = values * i / samples, next = values * (i + 1) / samples;
            const size_t at = fills ? place.at : place.at + begin + (i * 2654435761u >> 7) % (next - begin);
            const struct prans_run run = fpgz_prans_run(field, place.band, at, at + 1, stencil);
            const void *real = (const uint8_t *)field->real[place.band] + at * size;
            const double value = bounded(real_at(field, real, 0));
            s->at[s->count] = at;
            s->phase[s->count] = (uint8_t)run.phase;
            s->target[s->count] = value;
            s->quantum[s->count] =
                fills || field->special[place.band][at] ? 1e150 : quantum(field, &run, value);
            s->start[s->count] = value - sum_of(field, stencil, run.phase, real);
        }
    }
    s->first[field->tiles] = (uint32_t)s->count;
}

static void gather(const struct prans_field *field, unsigned taps, const uint64_t *offset,
                   struct prans_samples *s)
{
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const void *real = field->real[fpgz_prans_place(field, tile).band];
        for (size_t i = s->first[tile]; i < s->first[tile + 1]; i++) {
            double(*const column)[PRANS_FIT_LANES] = fpgz_prans_block(s, i, taps);
            const size_t lane = i % PRANS_FIT_LANES;
            for (unsigned tap = 0; tap < taps; tap++)
                column[tap][lane] =
                    s->at[i] + PRANS_PAD < offset[tap]
                        ? 0
                        : bounded(real_at(field, real, (ptrdiff_t)s->at[i] - (ptrdiff_t)offset[tap]));
            for (unsigned tap = 1; tap < taps; tap++)
                column[tap][lane] -= column[0][lane];
            column[taps][lane] = s->target[i] - column[0][lane];
            for (size_t zero = taps + 1; zero < fpgz_prans_stride(taps); zero++)
                column[zero][lane] = 0;
        }
    }
}

/* Tiles in order of their cost a value, then of their number. */
struct ranked {
    uint64_t cost;
    size_t tile;
};

static int by_cost(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : (x->tile > y->tile) - (x->tile < y->tile);
}

/* Tiles of about the same cost begin in one group. */
static void group_tiles(const struct prans_field *field, struct prans_selection *s)
{
    struct ranked *const ranked = (struct ranked *)s->samples.column; /* not in use yet */
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        ranked[tile] = (struct ranked){
            ((uint64_t)s->cost[tile][field->tile[tile]] << 16) / (place.end - place.at), tile};
    }
    qsort(ranked, field->tiles, sizeof *ranked, by_cost);
    for (size_t i = 0; i < field->tiles; i++)
        s->start[ranked[i].tile] = (uint8_t)(i * PRANS_FIT_GROUPS / field->tiles);
}

/* Entries that save less than they cost go, the worst first. */
static void prune(struct prans_field *field, struct prans_selection *s)
{
    for (;;) {
        uint64_t loss[PRANS_BANK] = {0};
        bool used[PRANS_BANK] = {false};
        for (size_t tile = 0; tile < field->tiles; tile++) {
            const unsigned best = field->tile[tile];
            uint32_t second = UNFIT;
            for (unsigned i = 0; i < field->stencils; i++)
                if (i != best && s->cost[tile][i] < second)
                    second = s->cost[tile][i];
            loss[best] += second - s->cost[tile][best];
            used[best] = true;
        }
        unsigned worst = PRANS_BANK;
        int64_t most = 0;
        for (unsigned i = 0; i < field->stencils; i++) {
            uint64_t offset[PRANS_TAPS];
            const unsigned taps =
                s->entry[i].id < PRANS_FIXED
                    ? 0
                    : fpgz_prans_shape(&field->model.axes, s->entry[i].id - PRANS_FIXED, offset);
            const uint64_t bits = ENTRY_BITS + TAP_BITS * taps * field->model.axes.phases;
            const int64_t saved = (int64_t)(bits << 8) - (int64_t)(loss[i] * SAMPLED);
            if (i != PRANS_ZERO && (!used[i] || saved > most)) {
                most = used[i] ? saved : INT64_MAX;
                worst = i;
            }
        }
        if (worst == PRANS_BANK)
            return;
        field->stencils--;
        memmove(&s->entry[worst], &s->entry[worst + 1], (field->stencils - worst) * sizeof *s->entry);
        memmove(&field->bank[worst], &field->bank[worst + 1],
                (field->stencils - worst) * sizeof *field->bank);
        for (size_t tile = 0; tile < field->tiles; tile++)
            memmove(&s->cost[tile][worst], &s->cost[tile][worst + 1],
                    (field->stencils - worst) * sizeof(uint32_t));
        choose(field, s);
    }
}

uint64_t fpgz_prans_survey(struct prans_field *field, const void *y)
{
    enum { STEP = 8 }; /* of so many tiles one is looked at */
    uint64_t sum = 0, values = 0;
    field->stencils = 0;
    for (unsigned id = 0; id < PRANS_FIXED; id++)
        field->stencils += fpgz_prans_stencil_fixed(&field->model.axes, id, &field->bank[field->stencils]);
    const size_t step = field->tiles > STEP ? STEP : 1;
    for (size_t part = 0; part < field->tiles; part += step) {
        /* Somewhere in its part: the grid may have periods. */
        const size_t tile = part + ((uint32_t)part * UINT32_C(0x9e3779b9) >> 16) % step;
        if (tile >= field->tiles)
            break;
        const struct prans_place place = fpgz_prans_place(field, tile);
        const unsigned sampled = sampled_part(field, tile);
        uint32_t least = UNFIT;
        for (unsigned i = 0; i < field->stencils; i++) {
            const uint32_t cost = tile_cost(field, y, tile, &field->bank[i], sampled, least);
            least = cost < least ? cost : least;
        }
        sum += (uint64_t)least * (is_short(&place) ? 1 : SAMPLED);
        values += place.end - place.at;
    }
    return (uint64_t)((double)(sum >> 8) * (double)field->first[field->bands] / (double)values);
}

void fpgz_prans_select(struct prans_field *field, const void *y, struct prans_selection *s)
{
    const struct prans_axes *axes = &field->model.axes;
    field->stencils = 0;
    for (size_t tile = 0; tile < field->tiles; tile++) {
        s->least[tile] = UNFIT;
        s->part[tile] = (uint8_t)sampled_part(field, tile);
    }
    for (unsigned id = 0; id < PRANS_FIXED; id++) {
        s->entry[field->stencils].id = (uint8_t)id;
        try_entry(field, y, s);
    }
    choose(field, s);
    take_samples(field, &s->samples);
    group_tiles(field, s);
    for (unsigned shape = 0; shape < PRANS_SHAPES; shape++) {
        uint64_t offset[PRANS_TAPS];
        double weight[PRANS_FIT_GROUPS][PRANS_PHASES * PRANS_TAPS];
        const unsigned taps = fpgz_prans_shape(axes, shape, offset);
        if (!taps)
            continue;
        gather(field, taps, offset, &s->samples);
        memcpy(s->group, s->start, field->tiles);
        fpgz_prans_fit(&field->kernels->fit, axes->phases, taps, &s->samples, s->group, weight);
        for (unsigned g = 0; g < PRANS_FIT_GROUPS && field->stencils < PRANS_BANK; g++) {
            s->entry[field->stencils].id = (uint8_t)(PRANS_FIXED + shape);
            memcpy(s->entry[field->stencils].weight, weight[g], sizeof weight[g]);
            try_entry(field, y, s);
        }
    }
    choose(field, s);
    prune(field, s);
}

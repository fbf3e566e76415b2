/* SPDX-License-Identifier: MIT
 * Domains and predictions are compared on pieces of rows, the best two on all values. */
#include "codec/prans/bins/choose.h"

#include <string.h>

#include "codec/prans/bins/aided.h"
#include "codec/prans/bins/candidates.h"
#include "codec/prans/bins/heavy.h"
#include "codec/prans/bins/modes.h"
#include "core/bytes.h"

enum { CLOSE = 32 /* the second best is measured if it is larger by less than one part of so many */ };

/* Whether the room has a candidate's dictionary, or has it again. */
static bool has_ranks(struct bins_choice *c, struct bins_candidate *chosen)
{
    if (chosen->domain.id != PRANS_DOMAIN_RANK || !chosen->stale || !c->is_widened)
        return chosen->domain.id == PRANS_DOMAIN_RANK && !chosen->stale;
    c->w->domains->narrow(&c->w->room, &c->ranks);
    c->is_widened = false;
    fpgz_prans_bins_take_room(c, PRANS_DOMAIN_RANK);
    chosen->stale = false;
    return true;
}

/* Enters the candidate's domain with all values. False where its parameters are not those of the pieces. */
static bool settle(struct bins_choice *c, unsigned number)
{
    struct bins_work *const w = c->w;
    struct bins_candidate *const chosen = &c->best[number], *const other = &c->best[1 - number];
    const struct prans_domain seen = chosen->domain;
    uint8_t *const all = c->count > 1 && other->all == w->y ? w->other : w->y;
    if (chosen->all)
        return true;
    if (has_ranks(c, chosen)) {
        w->domains->ranks(c->values, chosen->marks, w->layout.values, &w->room, &seen, all);
        chosen->all = all;
        return true;
    }
    if (!fpgz_prans_bins_enter_all(w, c->values, chosen, all))
        return false;
    if (c->count > 1)
        other->stale |= bins_share_room(seen.id, other->domain.id);
    chosen->stale = false;
    chosen->description = w->domains->description(&chosen->domain);
    return chosen->domain.shift == seen.shift && chosen->domain.step == seen.step &&
           chosen->domain.scale == seen.scale && chosen->domain.digits == seen.digits;
}

/* Whether parts are worth a trial: of integers they seldom are where these are short already, unless they
 * take a high order. */
static bool may_be_parted(const struct bins_work *w, const struct bins_candidate *best)
{
    enum { SHORT = 3 /* a part of a value */ };
    const uint64_t bits = (uint64_t)w->layout.values * w->bits;
    return w->is_wide &&
           (best->domain.id == PRANS_DOMAIN_FLOAT || best->mode.order > 1 || best->cost > bits / SHORT);
}

/* Whether first parts, as integers in place of floats, and what is estimated of second parts would be shorter
 * than the best candidate. */
static bool is_parted(struct bins_choice *c, struct prans_parts_wanted *wanted)
{
    enum { LEAST_PART = 64 /* of what is saved */ };
    struct bins_work *const w = c->w;
    const struct bins_candidate *const best = &c->best[0];
    struct bins_candidate *const tried = &c->best[2];
    const struct middle_rows none = {0, 0, {0}, {0}};
    const bool whole = w->pieces->whole;
    const struct prans_parted_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_parted_kernels, w->size);
    struct prans_plan plan[PRANS_PLANS];
    const unsigned plans =
        fpgz_prans_plan(c->values, best->marks, w->layout.values, w->size,
                        (double)best->cost / (double)w->layout.values, wanted->thorough, plan);
    /* What takes a high order as a float mostly does as an integer, and is long before that. All values may
     * show a better mode of these: then both are coded. */
    const bool steep = best->mode.order > 1;
    uint64_t least = steep ? best->cost + best->cost / LEAST_PART : best->cost - best->cost / LEAST_PART;
    if (c->copied != best->flag && plans)
        fpgz_prans_bins_copy(c, best->flag);
    wanted->any = false;
    wanted->otherwise = best->cost / 8;
    for (unsigned i = 0; i < plans; i++) {
        uint8_t *const y = tried->y;
        *tried = *best;
        tried->y = y;
        tried->domain.id = prans_parts_places(&plan[i].parts) ? PRANS_DOMAIN_INTEGER : PRANS_DOMAIN_LATTICE;
        tried->all = whole ? y : NULL;
        k->first(&plan[i].parts, whole ? c->values : w->copies, w->pieces->words, y);
        if (whole && tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, y);
        fpgz_prans_bins_choose_mode(w, best, steep ? UINT64_MAX : least, tried);
        const uint64_t cost =
            tried->cost - tried->description + (uint64_t)(plan[i].second * (double)w->layout.values);
        if (cost >= least)
            continue;
        least = wanted->about = cost;
        wanted->any = true;
        wanted->parts = plan[i].parts;
    }
    return wanted->any;
}

/* Long segments have fewer states, of which short words would see much. Of few values no GPU has much to do
 * at once in any case. */
static void choose_segments(struct bins_work *w, uint64_t cost)
{
    enum { SHORT_BITS = 2, FEW = 1 << 19 };
    const size_t values = w->layout.values;
    if (values <= FEW || cost < SHORT_BITS * (uint64_t)values)
        w->description.segment_bits = BINS_SEGMENT_MOST;
}

/* Measures the best candidate, or the best two, and keeps the better one. False where the pieces did not tell
 * what the values are. */
static bool measure_best(struct bins_choice *c)
{
    struct bins_work *const w = c->w;
    struct bins_candidate *const best = c->best, *chosen = &best[0];
    /* With or without special values: heavy words would decide, which are found later. */
    const bool alike = !best[0].flag == !best[1].flag,
               close = c->count > 1 && alike && best[1].cost - best[0].cost < best[0].cost / CLOSE;
    const struct bins_candidate seen[2] = {best[0], best[1]};
    w->aided = fpgz_prans_bins_settle_aided(w, c->values, best, 1 + close);
    if (!w->aided && !fpgz_buffer_complete(w->raw))
        return false;
    if (!w->aided)
        fpgz_prans_bins_flag(w);
    if (!w->aided && (!settle(c, 0) || (close && !settle(c, 1))))
        return false;
    const uint64_t other = close ? fpgz_prans_bins_measure_mode(w, &best[1], true) : UINT64_MAX;
    if (fpgz_prans_bins_measure_mode(w, chosen, close) > other) {
        chosen = &best[1];
        fpgz_prans_bins_measure(w, chosen, false);
    }
    if (chosen->stale && !has_ranks(c, chosen))
        w->domains->enter[bins_number_of(chosen->domain.id)](c->values, chosen->marks, w->layout.values,
                                                             &w->room, &w->description.domain, chosen->all);
    if (w->residual == w->other)
        w->residual = memcpy(chosen->all, w->other, w->layout.values * w->size);
    if (!w->aided || w->aide)
        fpgz_prans_bins_set_heavy_apart(w, chosen->flag);
    c->chosen = chosen;
    if (!w->aided || w->aide)
        return true;
    memcpy(best, seen, sizeof seen); /* the aide has failed */
    return measure_best(c);
}

/* Tells the lead what was chosen by pieces. */
static void tell(const struct bins_choice *c, struct fpgz_lead *lead)
{
    enum { ALIKE_PART = 8 };
    const struct bins_candidate *const chosen = c->chosen;
    if (c->w->pieces->whole)
        return;
    lead->state = FPGZ_LEAD_FOUND;
    lead->parted = false;
    lead->way[0] = (struct prans_way){
        .domain = chosen->domain.id,
        .special = c->special,
        .apart = chosen->flag != NULL,
        .equal = bins_is_direct(&chosen->mode) && chosen->direct.equal,
        .mode = chosen->mode,
        .flat = chosen->flat,
        .cost = chosen->cost,
        .margin = chosen->cost / ALIKE_PART,
    };
}

bool fpgz_prans_bins_choose(struct bins_work *w, const void *values, struct prans_parts_wanted *wanted,
                            struct fpgz_lead *lead)
{
    enum { RANKS_PART = 128 };
    struct bins_choice c = {.w = w, .values = values};
    w->hasty = false;
    c.ranks_save = wanted ? 8 * (uint64_t)wanted->first / RANKS_PART : 0;
    fpgz_prans_bins_candidates(&c, false);
    if (wanted && may_be_parted(w, c.best) && is_parted(&c, wanted))
        return false;
    choose_segments(w, c.best->cost);
    if (!measure_best(&c)) {
        fpgz_prans_bins_candidates(&c, true);
        measure_best(&c);
    }
    if (lead)
        tell(&c, lead);
    return true;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

bool fpgz_prans_bins_follow(struct bins_work *w, const void *values, const struct prans_way *way)
{
    enum { SAME_PART = 64 /* of the cost: where it differs by no more, the mode is the way's */ };
    struct bins_choice c = {.w = w, .values = values, .way = way};
    w->hasty = false;
    struct prans_domain apart = fpgz_prans_bins_look(&c, false);
    if (w->pieces->whole || c.special != way->special)
        return false;
    if (way->special && !way->apart)
        fpgz_prans_bins_unflag(&c, &apart, w->flag);
    if (!fpgz_prans_bins_enter(&c, way->domain, &apart, w->flag) || c.best->domain.id != way->domain)
        return false;
    if (distance(c.best->cost, way->cost) > way->cost / SAME_PART)
        fpgz_prans_bins_choose_mode(w, NULL, UINT64_MAX, c.best);
    choose_segments(w, c.best->cost);
    return distance(c.best->cost, way->cost) <= way->margin && measure_best(&c);
}

uint64_t fpgz_prans_bins_survey(struct bins_work *w, const void *values, bool by_parts)
{
    struct bins_choice c = {.w = w, .values = values};
    struct prans_parts_wanted wanted = {.first = 0};
    w->hasty = true;
    fpgz_prans_bins_candidates(&c, false);
    return by_parts && may_be_parted(w, c.best) && is_parted(&c, &wanted) ? wanted.about : c.best[0].cost;
}

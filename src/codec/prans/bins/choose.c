/* SPDX-License-Identifier: MIT
 * Domains and predictions are compared on pieces of rows, the best two on all values. */
#include "codec/prans/bins/choose.h"

#include <string.h>

#include "codec/prans/bins/aided.h"
#include "codec/prans/bins/heavy.h"
#include "codec/prans/bins/modes.h"
#include "core/bytes.h"

enum { CLOSE = 32 /* the second best is measured if it is larger by less than one part of so many */ };

/* By which number a domain is entered: integers are entered as floats are. */
static unsigned number_of(enum prans_domain_id id)
{
    return id == PRANS_DOMAIN_INTEGER ? PRANS_DOMAIN_FLOAT : id;
}

/* Whether two domains keep their parameters in the same room. */
static bool share_room(enum prans_domain_id a, enum prans_domain_id b)
{
    const bool lattices = (a == PRANS_DOMAIN_LATTICE || a == PRANS_DOMAIN_SLAB) &&
                          (b == PRANS_DOMAIN_LATTICE || b == PRANS_DOMAIN_SLAB);
    return lattices || (a == PRANS_DOMAIN_RANK && b == PRANS_DOMAIN_RANK);
}

/* The values while candidates are compared. */
struct choice {
    struct bins_work *w;
    const void *values;
    struct bins_candidate best[3]; /* in order; the last one has the room that is left */
    unsigned count;
    struct prans_domain ranks;   /* without special values; the room has their dictionary, */
    bool is_widened;             /* with these values since */
    const uint8_t *copied;       /* the flags with which special values were copied */
    bool special;                /* there are special values */
    const struct prans_way *way; /* whose mode candidates take; NULL: they get one by trial */
    const struct bins_candidate *chosen;
};

/* Copies the pieces' values; false if all are special. */
static bool copy(struct choice *c, const uint8_t *flag)
{
    struct bins_work *const w = c->w;
    c->copied = flag;
    return w->pieces->whole ||
           fpgz_prans_bins_gather(w->pieces, w->size, c->values, flag, w->copies, w->copied_flags);
}

/* Enters a domain with all values, whose integers go to `all`; those of special values mean nothing. */
static bool enter_all(struct bins_work *w, const void *values, struct bins_candidate *tried, uint8_t *all)
{
    tried->all = all;
    return w->domains->enter[number_of(tried->domain.id)](values, tried->marks, w->layout.values, &w->room,
                                                          &tried->domain, all);
}

/* Finds the distinct values, or adds special ones to those that were found without. */
static bool find_ranks(struct choice *c, struct bins_candidate *tried)
{
    struct bins_work *const w = c->w;
    if (c->ranks.distinct && !tried->flag) {
        tried->domain = c->ranks;
        return c->is_widened = w->domains->widen(w->layout.values, &w->room, &tried->domain);
    }
    if (!fpgz_prans_bins_may_rank(w, c->values, tried->marks, &tried->domain) ||
        !w->domains->distinct(c->values, tried->marks, w->layout.values, &w->room, &tried->domain))
        return false;
    c->ranks = tried->domain;
    return true;
}

/* Whether the pieces' integers stand so close together in a domain that their ranks would tell no less. */
static bool is_crowded(const struct choice *c)
{
    enum { LONELY_PART = 32 /* of the words may have no successor */ };
    const struct bins_work *const w = c->w;
    const size_t words = w->pieces->words;
    for (unsigned i = 0; i < c->count && w->size >= 4; i++) { /* ranks of short words take little time */
        const struct prans_domain *const known = &c->best[i].domain;
        if (known->id == PRANS_DOMAIN_INTEGER || (known->id == PRANS_DOMAIN_LATTICE && !known->exceptions))
            return words - w->domains->followed(c->best[i].y, words) <= words / LONELY_PART;
    }
    return false;
}

/* The same with the pieces. Of ranks and slabs the parameters hang on all values. */
static bool enter_pieces(struct choice *c, struct bins_candidate *tried)
{
    struct bins_work *const w = c->w;
    const struct bins_pieces *const p = w->pieces;
    const struct middle_rows none = {0, 0, {0}, {0}};
    if (tried->domain.id == PRANS_DOMAIN_RANK) {
        uint8_t *const all = p->whole ? tried->y : NULL;
        if (is_crowded(c) || !find_ranks(c, tried))
            return false;
        tried->all = all;
        w->domains->ranks(all ? c->values : w->copies, all ? tried->marks : w->no_flags, p->words, &w->room,
                          &tried->domain, tried->y);
        if (all && tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, all);
        return true;
    }
    if (p->whole || tried->domain.id == PRANS_DOMAIN_SLAB) {
        uint8_t *const all = p->whole ? tried->y : w->y;
        if (!enter_all(w, c->values, tried, all))
            return false;
        if (tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, all);
        return p->whole || fpgz_prans_bins_gather(p, w->size, all, NULL, tried->y, NULL);
    }
    return w->domains->enter[number_of(tried->domain.id)](w->copies, w->no_flags, p->words, &w->room,
                                                          &tried->domain, tried->y);
}

/* What shares the domain's room is to be entered anew. */
static void take_room_of(struct choice *c, unsigned id)
{
    for (unsigned i = 0; i < c->count; i++)
        if (share_room(id, c->best[i].domain.id)) {
            c->best[i].stale = true;
            c->best[i].all = c->w->pieces->whole ? c->best[i].all : NULL;
        }
}

/* Enters a domain with the special values of `apart`, which `flag` marks, and keeps the best two of the
 * candidates and this one, in order. False if the values are not in the domain. */
static bool enter(struct choice *c, unsigned id, const struct prans_domain *apart, const uint8_t *flag)
{
    struct bins_work *const w = c->w;
    struct bins_candidate *const best = c->best, *const tried = &best[2];
    if (!w->domains->enter[id])
        return false;
    tried->domain = *apart;
    tried->domain.id = (enum prans_domain_id)id;
    tried->stale = false;
    tried->line = (struct bins_line){.inverse = 0};
    tried->all = NULL;
    tried->marks = flag;
    tried->flag = apart->specials ? flag : NULL;
    const bool entered = enter_pieces(c, tried);
    /* Slabs that are not entered take room for exceptions alone. */
    if (entered || id != PRANS_DOMAIN_SLAB || tried->domain.exceptions)
        take_room_of(c, id);
    if (!entered)
        return false;
    /* Slabs of a grid whose values are all on a lattice, as far as pieces tell, say the same by its step. */
    if (id == PRANS_DOMAIN_LATTICE && !tried->domain.exceptions)
        w->room.known_step = (double)tried->domain.step / fpgz_prans_scale_of(tried->domain.scale);
    /* What is better by high orders in one domain may be so in others. */
    const unsigned rival = c->count && best->mode.order > 1;
    if (c->way)
        fpgz_prans_bins_take_mode(w, c->way, tried);
    else
        fpgz_prans_bins_choose_mode(w, c->count > 1 ? best : NULL,
                                    c->count > rival ? best[rival].cost : UINT64_MAX, tried);
    for (unsigned at = 2; at-- > 0;) /* it moves before those that are worse */
        if (at >= c->count || best[at + 1].cost < best[at].cost) {
            const struct bins_candidate worse = best[at];
            best[at] = best[at + 1];
            best[at + 1] = worse;
        }
    c->count += c->count < 2;
    return true;
}

/* Plans the pieces, and where they and the candidates' integers go: nobody needs the rooms of residuals and
 * of the stream before. */
static void plan_pieces(struct choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    const size_t bytes = w->layout.values * w->size;
    uint8_t *rooms[] = {w->y, w->other, w->residual};
    fpgz_prans_bins_pieces(&w->layout, whole ? 0 : bytes / (2 * w->size + 2), w->pieces);
    if (!w->pieces->whole) {
        const size_t words = w->pieces->words * w->size;
        w->copies = w->residual;
        rooms[0] = w->copies + words;
        rooms[1] = w->other;
        rooms[2] = w->other + words;
        w->copied_flags = w->other + 2 * words;
        w->no_flags = w->copied_flags + w->pieces->words;
        memset(w->no_flags, 0, w->pieces->words);
    }
    for (unsigned i = 0; i < 3; i++)
        c->best[i].y = rooms[i];
}

/* Finds the special values, and copies the pieces, or takes all values. */
static struct prans_domain look(struct choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    const size_t count = w->layout.values;
    struct prans_domain apart = {.number = w->description.domain.number,
                                 .infinity = w->description.domain.infinity};
    w->domains->specials(c->values, count, &apart);
    if (apart.specials) /* flags are 0 at first */
        w->domains->flags(c->values, count, &apart, w->flag);
    w->room.known_step = 0;
    *c = (struct choice){.w = w, .values = c->values, .special = apart.specials, .way = c->way};
    plan_pieces(c, whole);
    if (!copy(c, apart.specials ? w->flag : NULL)) {
        plan_pieces(c, true);
        c->copied = w->flag;
    }
    return apart;
}

/* Finds the best two candidates, by all values if they are not to be told by pieces. */
static void find_candidates(struct choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    const size_t count = w->layout.values;
    struct prans_domain apart = look(c, whole);
    /* Where there is a lattice, others are mostly far behind. */
    static const unsigned order[PRANS_DOMAINS] = {PRANS_DOMAIN_LATTICE, PRANS_DOMAIN_FLOAT, PRANS_DOMAIN_RANK,
                                                  PRANS_DOMAIN_SLAB};
    bool entered[PRANS_DOMAINS];
    for (unsigned i = 0; i < PRANS_DOMAINS; i++)
        entered[order[i]] = enter(c, order[i], &apart, w->flag);
    /* What comes in runs may also be a plain in a landscape of few heights. */
    const unsigned first = number_of(c->best[0].domain.id);
    if (apart.specials) {
        apart.specials = 0;
        memset(w->symbol, 0, count);
        copy(c, NULL);
        enter(c, first, &apart, w->symbol);
        if (entered[PRANS_DOMAIN_RANK] && first != PRANS_DOMAIN_RANK)
            enter(c, PRANS_DOMAIN_RANK, &apart, w->symbol);
    }
    if (w->pieces->whole)
        w->residual = c->best[2].y;
}

/* Whether the room has a candidate's dictionary, or has it again. */
static bool has_ranks(struct choice *c, struct bins_candidate *chosen)
{
    if (chosen->domain.id != PRANS_DOMAIN_RANK || !chosen->stale || !c->is_widened)
        return chosen->domain.id == PRANS_DOMAIN_RANK && !chosen->stale;
    c->w->domains->narrow(&c->w->room, &c->ranks);
    c->is_widened = false;
    take_room_of(c, PRANS_DOMAIN_RANK);
    chosen->stale = false;
    return true;
}

/* Enters the candidate's domain with all values. False where its parameters are not those of the pieces. */
static bool settle(struct choice *c, unsigned number)
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
    if (!enter_all(w, c->values, chosen, all))
        return false;
    if (c->count > 1)
        other->stale |= share_room(number_of(seen.id), other->domain.id);
    chosen->stale = false;
    chosen->description = w->domains->description(&chosen->domain);
    return chosen->domain.shift == seen.shift && chosen->domain.step == seen.step &&
           chosen->domain.scale == seen.scale;
}

/* Whether first parts, as integers in place of floats, and what is estimated of second parts would be shorter
 * than the best candidate. */
static bool is_parted(struct choice *c, struct prans_parts_wanted *wanted)
{
    enum { LEAST_PART = 64 /* of what is saved */ };
    struct bins_work *const w = c->w;
    const struct bins_candidate *const best = &c->best[0];
    struct bins_candidate *const tried = &c->best[2];
    const struct middle_rows none = {0, 0, {0}, {0}};
    const bool whole = w->pieces->whole;
    const struct prans_parted_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_parted_kernels, w->size);
    struct prans_plan plan[PRANS_PLANS];
    const unsigned plans = fpgz_prans_plan(c->values, best->marks, w->layout.values, w->size,
                                           (double)best->cost / (double)w->layout.values, plan);
    uint64_t least = best->cost - best->cost / LEAST_PART;
    if (c->copied != best->flag && plans)
        copy(c, best->flag);
    wanted->any = false;
    wanted->otherwise = best->cost / 8;
    for (unsigned i = 0; i < plans; i++) {
        uint8_t *const y = tried->y;
        *tried = *best;
        tried->y = y;
        tried->domain.id =
            plan[i].parts.parting == PRANS_PARTED_BITS ? PRANS_DOMAIN_INTEGER : PRANS_DOMAIN_LATTICE;
        tried->all = whole ? y : NULL;
        k->first(&plan[i].parts, whole ? c->values : w->copies, w->pieces->words, y);
        if (whole && tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, y);
        fpgz_prans_bins_choose_mode(w, best, least, tried);
        const uint64_t cost =
            tried->cost - tried->description + (uint64_t)(plan[i].second * (double)w->layout.values);
        if (cost >= least)
            continue;
        least = cost;
        wanted->any = true;
        wanted->parts = plan[i].parts;
    }
    return wanted->any;
}

/* Measures the best candidate, or the best two, and keeps the better one. False where the pieces did not tell
 * what the values are. */
static bool measure_best(struct choice *c)
{
    struct bins_work *const w = c->w;
    struct bins_candidate *const best = c->best, *chosen = &best[0];
    /* With or without special values: heavy words would decide, which are found later. */
    const bool alike = !best[0].flag == !best[1].flag,
               close = c->count > 1 && alike && best[1].cost - best[0].cost < best[0].cost / CLOSE;
    const struct bins_candidate seen[2] = {best[0], best[1]};
    w->aided = fpgz_prans_bins_settle_aided(w, c->values, best, 1 + close);
    if (!w->aided && (!settle(c, 0) || (close && !settle(c, 1))))
        return false;
    const uint64_t other = close ? fpgz_prans_bins_measure_mode(w, &best[1], true) : UINT64_MAX;
    if (fpgz_prans_bins_measure_mode(w, chosen, close) > other) {
        chosen = &best[1];
        fpgz_prans_bins_measure(w, chosen, false);
    }
    if (chosen->stale && !has_ranks(c, chosen))
        w->domains->enter[number_of(chosen->domain.id)](c->values, chosen->marks, w->layout.values, &w->room,
                                                        &w->description.domain, chosen->all);
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
static void tell(const struct choice *c, struct fpgz_lead *lead)
{
    const struct bins_candidate *const chosen = c->chosen;
    if (c->w->pieces->whole || c->special != (chosen->flag != NULL))
        return;
    lead->state = FPGZ_LEAD_FOUND;
    lead->parted = false;
    lead->way[0] = (struct prans_way){
        .domain = chosen->domain.id,
        .special = c->special,
        .equal = bins_is_direct(&chosen->mode) && chosen->direct.equal,
        .mode = chosen->mode,
        .flat = chosen->flat,
        .cost = chosen->cost,
    };
}

bool fpgz_prans_bins_choose(struct bins_work *w, const void *values, struct prans_parts_wanted *wanted,
                            struct fpgz_lead *lead)
{
    struct choice c = {.w = w, .values = values};
    w->hasty = false;
    find_candidates(&c, false);
    if (wanted && w->is_wide && c.best[0].domain.id == PRANS_DOMAIN_FLOAT && is_parted(&c, wanted))
        return false;
    if (!measure_best(&c)) {
        find_candidates(&c, true);
        measure_best(&c);
    }
    if (lead)
        tell(&c, lead);
    return true;
}

/* Whether costs differ by less than one part of so many. */
static bool is_close(uint64_t cost, uint64_t other, unsigned part)
{
    return fpgz_max(cost, other) - fpgz_min(cost, other) <= other / part;
}

bool fpgz_prans_bins_follow(struct bins_work *w, const void *values, const struct prans_way *way)
{
    enum { SAME_PART = 64 /* the way is not asked for its mode again */, ALIKE_PART = 8 };
    struct choice c = {.w = w, .values = values, .way = way};
    w->hasty = false;
    const struct prans_domain apart = look(&c, false);
    if (w->pieces->whole || c.special != way->special ||
        !enter(&c, number_of(way->domain), &apart, w->flag) || c.best->domain.id != way->domain)
        return false;
    if (!is_close(c.best->cost, way->cost, SAME_PART))
        fpgz_prans_bins_choose_mode(w, NULL, UINT64_MAX, c.best);
    return is_close(c.best->cost, way->cost, ALIKE_PART) && measure_best(&c);
}

uint64_t fpgz_prans_bins_survey(struct bins_work *w, const void *values)
{
    struct choice c = {.w = w, .values = values};
    w->hasty = true;
    find_candidates(&c, false);
    return c.best[0].cost;
}

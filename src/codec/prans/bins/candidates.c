/* SPDX-License-Identifier: MIT
 * Each domain is entered with pieces of rows, or with all values where its parameters hang on these. */
#include "codec/prans/bins/candidates.h"

#include <string.h>

#include "codec/prans/bins/aided.h"
#include "codec/prans/bins/modes.h"
#include "core/bytes.h"

void fpgz_prans_bins_flag(struct bins_work *w)
{
    if (!w->flagged)
        memset(w->flag, 0, w->layout.blocks * MIDDLE_BLOCK);
    w->flagged = true;
}

void fpgz_prans_bins_copy(struct bins_choice *c, const uint8_t *flag)
{
    struct bins_work *const w = c->w;
    c->copied = flag;
    if (!w->pieces->whole)
        fpgz_prans_bins_gather(w->pieces, w->size, c->values, flag, w->copies, w->copied_flags);
}

bool fpgz_prans_bins_enter_all(struct bins_work *w, const void *values, struct bins_candidate *tried,
                               uint8_t *all)
{
    tried->all = all;
    return w->domains->enter[bins_number_of(tried->domain.id)](values, tried->marks, w->layout.values,
                                                               &w->room, &tried->domain, all);
}

/* Finds the distinct values, or adds special ones to those that were found without. */
static bool find_ranks(struct bins_choice *c, struct bins_candidate *tried)
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
static bool is_crowded(const struct bins_choice *c)
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
static bool enter_pieces(struct bins_choice *c, struct bins_candidate *tried)
{
    struct bins_work *const w = c->w;
    const struct bins_pieces *const p = w->pieces;
    const struct middle_rows none = {0, 0, {0}, {0}};
    const bool whole = p->whole || tried->domain.id == PRANS_DOMAIN_SLAB;
    if (whole || tried->domain.id == PRANS_DOMAIN_RANK)
        fpgz_prans_bins_flag(w);
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
    if (whole) {
        uint8_t *const all = p->whole ? tried->y : w->y;
        if (!fpgz_prans_bins_enter_all(w, c->values, tried, all))
            return false;
        if (tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, all);
        if (!p->whole)
            fpgz_prans_bins_gather(p, w->size, all, NULL, tried->y, NULL);
        return true;
    }
    return w->domains->enter[bins_number_of(tried->domain.id)](w->copies, w->no_flags, p->words, &w->room,
                                                               &tried->domain, tried->y);
}

void fpgz_prans_bins_take_room(struct bins_choice *c, enum prans_domain_id id)
{
    for (unsigned i = 0; i < c->count; i++)
        if (bins_share_room(id, c->best[i].domain.id)) {
            c->best[i].stale = true;
            c->best[i].all = c->w->pieces->whole ? c->best[i].all : NULL;
        }
}

bool fpgz_prans_bins_enter(struct bins_choice *c, enum prans_domain_id id, const struct prans_domain *apart,
                           const uint8_t *flag)
{
    enum { DECIMAL_PART = 64 };
    struct bins_work *const w = c->w;
    struct bins_candidate *const best = c->best, *const tried = &best[2];
    if (!w->domains->enter[bins_number_of(id)])
        return false;
    tried->domain = *apart;
    tried->domain.id = id;
    tried->stale = false;
    tried->line = (struct bins_line){.inverse = 0};
    tried->counted = false;
    tried->all = NULL;
    tried->marks = flag;
    tried->flag = apart->specials ? flag : NULL;
    const bool entered = enter_pieces(c, tried);
    /* Slabs that are not entered take room for exceptions alone. */
    if (entered || id != PRANS_DOMAIN_SLAB || tried->domain.exceptions)
        fpgz_prans_bins_take_room(c, id);
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
    /* Decimals take longer both ways than a lattice. */
    if (id == PRANS_DOMAIN_DECIMAL && c->count && tried->cost > best->cost - best->cost / DECIMAL_PART)
        return false;
    for (unsigned at = 2; at-- > 0;) /* it moves before those that are worse */
        if (at >= c->count || best[at + 1].cost < best[at].cost) {
            const struct bins_candidate worse = best[at];
            best[at] = best[at + 1];
            best[at + 1] = worse;
        }
    c->count += c->count < 2;
    return true;
}

/* Whether ranks are the best candidate and save enough; else they are none, if there is another one. */
static bool keep_ranks(struct bins_choice *c)
{
    struct bins_candidate *const best = c->best;
    const bool first = best[0].domain.id == PRANS_DOMAIN_RANK,
               kept = first && best[1].cost - best[0].cost >= c->ranks_save;
    if (!kept && (first || best[1].domain.id == PRANS_DOMAIN_RANK)) {
        const struct bins_candidate ranks = best[!first];
        best[0] = best[first];
        best[1] = ranks;
        c->count = 1;
    }
    return kept;
}

/* Plans the pieces, and where they and the candidates' integers go: nobody needs the rooms of residuals and
 * of the stream before. */
static void plan_pieces(struct bins_choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    const size_t bytes = w->layout.values * w->size;
    uint8_t *rooms[] = {w->y, w->other, w->residual};
    fpgz_prans_bins_pieces(&w->layout, whole ? 0 : bins_pieces_most(bytes, w->size), w->pieces);
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

void fpgz_prans_bins_unflag(struct bins_choice *c, struct prans_domain *apart, uint8_t *flag)
{
    apart->specials = 0;
    memset(flag, 0, c->w->layout.values);
    fpgz_prans_bins_copy(c, NULL);
}

struct prans_domain fpgz_prans_bins_look(struct bins_choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    const size_t count = w->layout.values;
    struct prans_domain apart = {.number = w->description.domain.number,
                                 .infinity = w->description.domain.infinity};
    w->domains->specials(c->values, count, &apart);
    if (apart.specials) {
        fpgz_prans_bins_flag(w);          /* those behind the last value are 0, too */
        if (fpgz_buffer_complete(w->raw)) /* else there will be no stream */
            w->domains->flags(c->values, count, &apart, w->flag);
    }
    w->room.known_step = 0;
    *c = (struct bins_choice){
        .w = w,
        .values = c->values,
        .special = apart.specials,
        .ranks_save = c->ranks_save,
        .way = c->way,
    };
    plan_pieces(c, whole);
    const bool all = apart.specials && !memchr(w->flag, 0, count);
    if (all &&
        (apart.specials > 1 || !w->pieces->whole)) { /* those before predict which of them a value is */
        c->special = false;
        fpgz_prans_bins_unflag(c, &apart, w->flag);
    } else {
        fpgz_prans_bins_copy(c, apart.specials ? w->flag : NULL);
    }
    return apart;
}

void fpgz_prans_bins_candidates(struct bins_choice *c, bool whole)
{
    struct bins_work *const w = c->w;
    struct prans_domain apart = fpgz_prans_bins_look(c, whole);
    fpgz_prans_bins_flag(w);
    /* Where there is a lattice, others are mostly far behind. */
    static const enum prans_domain_id order[PRANS_ENTRIES] = {
        PRANS_DOMAIN_LATTICE, PRANS_DOMAIN_DECIMAL, PRANS_DOMAIN_FLOAT, PRANS_DOMAIN_RANK, PRANS_DOMAIN_SLAB};
    bool has_ranks = false;
    for (unsigned i = 0; i < PRANS_ENTRIES; i++) {
        const bool entered = fpgz_prans_bins_enter(c, order[i], &apart, w->flag);
        has_ranks |= entered && order[i] == PRANS_DOMAIN_RANK;
    }
    if (c->ranks_save && c->count > 1)
        has_ranks = keep_ranks(c);
    /* What comes in runs may also be a plain in a landscape of few heights. */
    const enum prans_domain_id first = c->best[0].domain.id;
    if (apart.specials) {
        fpgz_prans_bins_unflag(c, &apart, w->symbol); /* the best so far has the other flags */
        fpgz_prans_bins_enter(c, first, &apart, w->symbol);
        if (has_ranks && first != PRANS_DOMAIN_RANK)
            fpgz_prans_bins_enter(c, PRANS_DOMAIN_RANK, &apart, w->symbol);
    }
    if (w->pieces->whole)
        w->residual = c->best[2].y;
}

/* SPDX-License-Identifier: MIT
 * Domains and predictions are compared on pieces of rows, the best two on all values. */
#include "codec/prans/bins/choose.h"

#include <stdlib.h>
#include <string.h>

#include "codec/prans/bins/estimate.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum { CLOSE = 16 /* the second best is measured if it is larger by less than one part of so many */ };

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

/* Enters a domain with the special values of `apart`, which `flag` marks, and keeps the best two of *count
 * and this one, in order. False if the values are not in the domain. */
static bool enter(struct bins_work *w, unsigned id, const struct prans_domain *apart, const void *values,
                  const uint8_t *flag, struct bins_candidate best[3], unsigned *count)
{
    const struct middle_rows none = {0, 0, {0}, {0}};
    struct bins_candidate *const tried = &best[2];
    for (unsigned i = 0; i < 2; i++)
        best[i].stale |= i < *count && share_room(id, best[i].domain.id);
    tried->domain = *apart;
    tried->stale = false;
    tried->marks = flag;
    tried->flag = apart->specials ? flag : NULL;
    if (!w->domains->enter[id] ||
        !w->domains->enter[id](values, flag, w->layout.values, &w->room, &tried->domain, tried->y))
        return false;
    if (tried->flag)
        w->kernels->fill(&none, 1, w->layout.values, flag, tried->y);
    fpgz_prans_bins_choose_mode(w, *count > 1 ? &best[0] : NULL, tried);
    for (unsigned at = 2; at-- > 0;) /* it moves before those that are worse */
        if (at >= *count || best[at + 1].cost < best[at].cost) {
            const struct bins_candidate worse = best[at];
            best[at] = best[at + 1];
            best[at + 1] = worse;
        }
    *count += *count < 2;
    return true;
}

/* Whether a word that stands `times` times in a sample is coded shorter by a symbol of its own than in its
 * bin, whose other words then cost more. */
static bool is_heavy(const struct bins_work *w, size_t times, size_t samples, const struct bins_bin *bin)
{
    uint64_t words = 0;
    const uint64_t width = fpgz_prans_bins_width(&w->description.grid, w->bits, bin->first, bin->end);
    for (size_t c = bin->first; c < bin->end; c++)
        words += w->histogram[c];
    /* A sample may promise more than there is. */
    const uint64_t mine = fpgz_min((uint64_t)times * w->layout.values / samples, words), rest = words - mine;
    const uint64_t apart = mine * bins_log2(w->learning, mine + 1) + rest * bins_log2(w->learning, rest + 1);
    const int64_t gain =
        (int64_t)(mine * width << 16) + (int64_t)apart - (int64_t)(words * bins_log2(w->learning, words + 1));
    return gain >> 16 > 2 * (int64_t)(w->bits + fpgz_prans_bins_price(w));
}

/* Single words that stand so often in a sample that they get symbols of their own, in place of a bin's. */
static void find_heavy(struct bins_work *w, const uint8_t *flag)
{
    enum { SAMPLES = 4096, LEAST_TIMES = 12 };
    struct bins_description *const d = &w->description;
    uint64_t sample[SAMPLES];
    const size_t wanted = fpgz_min(SAMPLES, w->layout.values);
    size_t samples = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const size_t at = fpgz_sample_place(i, wanted, w->layout.values);
        if (flag && flag[at])
            continue;
        sample[samples] = 0;
        memcpy(&sample[samples++], w->residual + at * w->size, w->size);
    }
    qsort(sample, samples, sizeof *sample, fpgz_sample_by_word);
    for (size_t i = 0, end; i < samples && d->heavies < BINS_HEAVY; i = end) {
        for (end = i; end < samples && sample[end] == sample[i];)
            end++;
        if (end - i < LEAST_TIMES)
            continue;
        const uint32_t class = w->kernels->class_of(&d->grid, sample[i]);
        for (unsigned b = 0; b < d->bins; b++)
            if (d->bin[b].first <= class && class < d->bin[b].end &&
                is_heavy(w, end - i, samples, &d->bin[b]))
                d->heavy[d->heavies++] = sample[i];
    }
}

/* Finds heavy words, marks them in w->symbol, and learns bins without them. */
static void set_heavy_apart(struct bins_work *w, const uint8_t *flag)
{
    struct bins_description *const d = &w->description;
    uint32_t times[BINS_HEAVY];
    d->heavies = 0;
    find_heavy(w, flag);
    if (!d->heavies)
        return;
    w->kernels->heavy(d->heavy, d->heavies, w->residual, flag, w->layout.values, w->symbol, times);
    for (unsigned h = 0; h < d->heavies; h++)
        w->histogram[w->kernels->class_of(&d->grid, d->heavy[h])] -= times[h];
    fpgz_prans_bins_relearn(w);
}

/* The best two candidates; best[2] has the room that is left. Returns how many there are. */
static unsigned find_candidates(struct bins_work *w, const void *values, struct bins_candidate best[3])
{
    struct prans_domain apart = {.number = w->description.domain.number,
                                 .infinity = w->description.domain.infinity};
    uint8_t *const rooms[] = {w->y, w->other, w->residual};
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        best[i].y = rooms[i];
    w->domains->specials(values, w->layout.values, &apart);
    w->domains->flags(values, w->layout.values, &apart, w->flag);
    bool entered[PRANS_DOMAINS];
    for (unsigned id = 0; id < PRANS_DOMAINS; id++)
        entered[id] = enter(w, id, &apart, values, w->flag, best, &count);
    /* What comes in runs may also be a plain in a landscape of few heights. */
    const unsigned first = number_of(best[0].domain.id);
    if (apart.specials) {
        apart.specials = 0;
        memset(w->symbol, 0, w->layout.values);
        enter(w, first, &apart, values, w->symbol, best, &count);
        if (entered[PRANS_DOMAIN_RANK] && first != PRANS_DOMAIN_RANK)
            enter(w, PRANS_DOMAIN_RANK, &apart, values, w->symbol, best, &count);
    }
    w->residual = best[2].y;
    return count;
}

/* Measures a candidate. Higher orders run away where special values are many, which samples do not see. */
static uint64_t measure(struct bins_work *w, struct bins_candidate *c)
{
    enum { MORE = 32 /* than the sample told: one part of so many */ };
    const uint64_t cost = fpgz_prans_bins_measure(w, c);
    if (!c->flag || c->mode.order < 2 || cost < c->cost + c->cost / MORE)
        return cost;
    struct bins_candidate flat = *c;
    flat.mode = c->flat;
    const uint64_t flat_cost = fpgz_prans_bins_measure(w, &flat);
    if (flat_cost > cost)
        return fpgz_prans_bins_measure(w, c);
    c->mode = c->flat;
    return flat_cost;
}

/* Whether first parts, as integers in place of floats, and what is estimated of second parts would be shorter
 * than the best candidate. */
static bool is_parted(struct bins_work *w, const void *values, const struct bins_candidate *best,
                      struct bins_candidate *tried, struct prans_parts_wanted *wanted)
{
    enum { LEAST_PART = 64 /* of what is saved */ };
    const struct middle_rows none = {0, 0, {0}, {0}};
    const struct prans_parted_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_parted_kernels, w->size);
    struct prans_plan plan[PRANS_PLANS];
    const unsigned plans = fpgz_prans_plan(values, best->marks, w->layout.values, w->size,
                                           (double)best->cost / (double)w->layout.values, plan);
    uint64_t least = best->cost - best->cost / LEAST_PART;
    wanted->any = false;
    wanted->otherwise = best->cost / 8;
    for (unsigned i = 0; i < plans; i++) {
        uint8_t *const y = tried->y;
        *tried = *best;
        tried->y = y;
        tried->domain.id =
            plan[i].parts.parting == PRANS_PARTED_BITS ? PRANS_DOMAIN_INTEGER : PRANS_DOMAIN_LATTICE;
        k->first(&plan[i].parts, values, w->layout.values, y);
        if (tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, tried->flag, y);
        fpgz_prans_bins_choose_mode(w, best, tried);
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

bool fpgz_prans_bins_choose(struct bins_work *w, const void *values, struct prans_parts_wanted *wanted)
{
    struct bins_candidate best[3] = {{.stale = false}}, *chosen = &best[0];
    const unsigned count = find_candidates(w, values, best);
    if (wanted && w->is_wide && best[0].domain.id == PRANS_DOMAIN_FLOAT &&
        is_parted(w, values, &best[0], &best[2], wanted))
        return false;
    const bool close = count > 1 && best[1].cost - best[0].cost < best[0].cost / CLOSE;
    const uint64_t other = close ? measure(w, &best[1]) : UINT64_MAX;
    if (measure(w, chosen) > other) {
        chosen = &best[1];
        fpgz_prans_bins_measure(w, chosen);
    }
    if (chosen->stale)
        w->domains->enter[number_of(chosen->domain.id)](values, chosen->marks, w->layout.values, &w->room,
                                                        &w->description.domain, chosen->y);
    if (w->residual == w->other)
        w->residual = memcpy(chosen->y, w->other, w->layout.values * w->size);
    set_heavy_apart(w, chosen->flag);
    return true;
}

uint64_t fpgz_prans_bins_survey(struct bins_work *w, const void *values)
{
    struct bins_candidate best[3] = {{.stale = false}};
    find_candidates(w, values, best);
    return best[0].cost;
}

/* SPDX-License-Identifier: MIT
 * The domain's parameters by what an aide finds that values have in common. */
#include "codec/prans/bins/aided.h"

#include <string.h>

#include "core/bytes.h"

static const uint64_t lattice_bias = (uint64_t)1 << 63; /* of places */

/* Whether the aide can fill in special values, by the mode. */
static bool may_fill(const struct bins_work *w, const struct middle_mode *mode)
{
    const size_t rows = mode->joined ? w->layout.components : w->layout.rows;
    return mode->order == 1 ? !mode->axes || rows <= BINS_AIDED_ROWS : bins_is_direct(mode);
}

/* Whether the aide may enter the candidate's values: pieces have told its mode. */
static bool may_aid(const struct bins_work *w, const struct bins_candidate *c)
{
    return w->aide && (!c->flag || may_fill(w, &c->mode)) && !c->all &&
           w->description.lane_bits == BINS_LANES_MOST && bins_is_aided(c->domain.id);
}

struct bins_shape fpgz_prans_bins_shape(const struct bins_work *w)
{
    return (struct bins_shape){w->layout.values, w->layout.blocks, bins_segments(w), w->size,
                               w->description.segment_bits};
}

/* The integer of a place. */
static uint64_t integer_of(const struct bins_work *w, const struct bins_line *line, uint64_t place)
{
    return (((place - line->base) >> line->shift) * line->inverse - line->below) &
           UINT64_MAX >> (64 - w->bits);
}

/* The line of values of a domain whose parameters are known. Integers' begins and special values go without.
 */
static struct bins_line line_of(const struct bins_entry *entry, const struct prans_domain *domain)
{
    struct bins_line line = {
        .id = entry->id,
        .number = entry->number,
        .scale = entry->scale,
        .specials = entry->specials,
        .inverse = 1,
        .shift = domain->shift,
    };
    memcpy(line.special, entry->special, sizeof line.special);
    if (domain->id == PRANS_DOMAIN_FLOAT)
        return line;
    line.shift = (unsigned)__builtin_ctzll(domain->step);
    line.inverse = fpgz_inverse(domain->step >> line.shift);
    if (domain->id == PRANS_DOMAIN_LATTICE) { /* from the least place that may be there */
        const uint64_t origin = lattice_bias + (uint64_t)domain->origin;
        line.base = origin % domain->step;
        line.below = origin / domain->step;
    }
    return line;
}

/* The domain's parameters and its line, as entering it on the CPU would set them. */
static void set_domain(const struct bins_work *w, const struct bins_entry *entry,
                       const struct bins_common *common, struct bins_candidate *c)
{
    const unsigned digits = w->size == 4 ? 23 : 52, most_shift = w->is_wide ? digits - 1 : w->bits - 2;
    struct prans_domain *const domain = &c->domain;
    uint64_t below = 0;
    if (domain->id == PRANS_DOMAIN_FLOAT) {
        const unsigned shift = common->all ? (unsigned)__builtin_ctzll(common->all) : 0;
        domain->shift = fpgz_min(shift, most_shift);
    } else if (domain->id == PRANS_DOMAIN_INTEGER) {
        below = fpgz_prans_set_integers(domain, w->bits, common->least, common->step);
    } else {
        domain->step = common->step ? common->step : 1;
        domain->origin =
            fpgz_prans_lattice_origin((int64_t)(common->least ^ lattice_bias), (int64_t)domain->step);
        domain->exceptions = common->exceptions;
        domain->exception = w->room.exception;
        domain->exact = w->room.exact;
    }
    c->line = line_of(entry, domain);
    c->line.exceptions = common->exceptions;
    if (domain->id == PRANS_DOMAIN_INTEGER) {
        c->line.base = common->least;
        c->line.below = below;
    }
    if (domain->id != PRANS_DOMAIN_FLOAT)
        c->line.absent = integer_of(w, &c->line, common->least);
}

/* Finds the range of the integers; exceptions and special values have those of others. False where these
 * wrap, so that their order is not that of places. */
static bool set_range(const struct bins_work *w, const struct bins_common *common, struct bins_candidate *c)
{
    const uint64_t bias = fpgz_prans_bins_bias(w, &c->domain);
    c->low = integer_of(w, &c->line, common->least) ^ bias;
    c->high = integer_of(w, &c->line, common->most) ^ bias;
    return c->low <= c->high;
}

bool fpgz_prans_bins_may_rank(struct bins_work *w, const void *values, const uint8_t *flag,
                              const struct prans_domain *domain)
{
    const size_t count = w->layout.values;
    struct bins_entry entry = {
        .shape = fpgz_prans_bins_shape(w),
        .values = values,
        .id = PRANS_DOMAIN_RANK,
        .specials = domain->specials,
        .most = count / PRANS_DISTINCT_PART,
    };
    struct bins_returns returns;
    if (!w->aide || !w->is_wide || w->description.lane_bits != BINS_LANES_MOST)
        return true;
    if (!w->domains->repeats(values, flag, count, w->room, domain))
        return false;
    memcpy(entry.special, domain->special, sizeof entry.special);
    if (w->aide->distinct(w->aide, &entry, &returns))
        return returns.once * 100 <= returns.sampled * PRANS_RETURN_PERCENT && returns.distinct <= entry.most;
    w->aide = NULL;
    return true;
}

/* Whether it is known what will be counted of a candidate, if its values are as the pieces are. */
static bool is_foreseen(const struct bins_candidate *c)
{
    return (c->domain.id == PRANS_DOMAIN_FLOAT || c->domain.id == PRANS_DOMAIN_LATTICE) && !c->flag &&
           !(bins_is_direct(&c->mode) && c->direct.equal);
}

/* Whether the parameters are those of the pieces. foresees: it will be the only candidate. */
static bool enter(struct bins_work *w, const void *values, bool foresees, struct bins_candidate *c)
{
    const size_t count = w->layout.values;
    struct bins_candidate aided = *c;
    struct prans_domain *const domain = &aided.domain;
    struct bins_entry entry = {
        .shape = fpgz_prans_bins_shape(w),
        .values = values,
        .id = domain->id,
        .number = domain->number,
        .specials = domain->specials,
        .most = count / PRANS_EXCEPTION_PART,
        .exception = w->room.exception,
    };
    struct bins_counting next;
    struct bins_common common;
    memcpy(entry.special, domain->special, sizeof entry.special);
    if (domain->id == PRANS_DOMAIN_LATTICE) {
        if (!w->domains->scale(values, c->flag, count, &domain->scale) || domain->scale != c->domain.scale)
            return false;
        entry.scale = fpgz_prans_scale_of(domain->scale);
    }
    if (foresees) {
        aided.line = line_of(&entry, domain);
        next = fpgz_prans_bins_counting(w, &aided);
    }
    if (!w->aide->enter(w->aide, &entry, foresees ? &next : NULL, &common)) {
        w->aide = NULL;
        return false;
    }
    if (common.least > common.most || common.exceptions > entry.most)
        return false;
    if (common.exceptions && !fpgz_buffer_complete(w->raw))
        return false;
    set_domain(w, &entry, &common, &aided);
    if (!set_range(w, &common, &aided) || domain->shift != c->domain.shift || domain->step != c->domain.step)
        return false;
    for (size_t i = 0; i < common.exceptions; i++)
        memcpy((uint8_t *)w->room.exact + i * w->size,
               (const uint8_t *)values + w->room.exception[i] * w->size, w->size);
    aided.description = w->domains->description(domain);
    aided.stale = false;
    aided.counted = foresees && !common.exceptions && domain->origin == c->domain.origin;
    *c = aided;
    return true;
}

bool fpgz_prans_bins_settle_aided(struct bins_work *w, const void *values, struct bins_candidate *c,
                                  unsigned count)
{
    struct bins_candidate entered[2];
    bool aided = true;
    memcpy(entered, c, count * sizeof *c);
    for (unsigned i = 0; i < count; i++)
        aided &= may_aid(w, &c[i]);
    for (unsigned i = 0; i < count; i++)
        aided = aided && enter(w, values, count == 1 && is_foreseen(&c[i]), &entered[i]);
    if (aided)
        memcpy(c, entered, count * sizeof *c);
    else if (w->aide)
        w->aide->drop(w->aide);
    return aided;
}

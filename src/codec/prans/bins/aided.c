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
    const enum prans_domain_id id = c->domain.id;
    return w->aide && (!c->flag || may_fill(w, &c->mode)) && !c->all &&
           w->description.lane_bits == BINS_LANES_MOST &&
           (id == PRANS_DOMAIN_FLOAT || id == PRANS_DOMAIN_LATTICE || id == PRANS_DOMAIN_INTEGER);
}

struct bins_shape fpgz_prans_bins_shape(const struct bins_work *w)
{
    return (struct bins_shape){w->layout.values, w->layout.blocks, bins_segments(w), w->size,
                               w->description.segment_bits};
}

/* The domain's parameters and its line, as entering it on the CPU would set them. */
static void set_domain(const struct bins_work *w, const struct bins_common *common,
                       struct prans_domain *domain, struct bins_line *line)
{
    const unsigned digits = w->size == 4 ? 23 : 52, most_shift = w->is_wide ? digits - 1 : w->bits - 2;
    line->base = common->least;
    line->inverse = 1;
    if (domain->id == PRANS_DOMAIN_FLOAT) {
        const unsigned shift = common->all ? (unsigned)__builtin_ctzll(common->all) : 0;
        domain->shift = line->shift = shift < most_shift ? shift : most_shift;
        line->base = 0;
        return;
    }
    if (domain->id == PRANS_DOMAIN_INTEGER) {
        line->below = fpgz_prans_set_integers(domain, w->bits, common->least, common->step);
    } else {
        const int64_t least = (int64_t)(common->least ^ lattice_bias),
                      step = common->step ? (int64_t)common->step : 1;
        domain->step = (uint64_t)step;
        domain->origin = fpgz_prans_lattice_origin(least, step);
        line->below = (uint64_t)((domain->origin - least) / step);
    }
    line->shift = (unsigned)__builtin_ctzll(domain->step);
    line->inverse = fpgz_inverse(domain->step >> line->shift);
    line->absent = 0 - line->below;
}

static uint64_t integer_of(const struct bins_work *w, const struct bins_line *line, uint64_t place)
{
    return (((place - line->base) >> line->shift) * line->inverse - line->below) &
           UINT64_MAX >> (64 - w->bits);
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

/* Whether the parameters are those of the pieces. */
static bool enter(struct bins_work *w, const void *values, struct bins_candidate *c)
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
    struct bins_common common;
    memcpy(entry.special, domain->special, sizeof entry.special);
    if (domain->id == PRANS_DOMAIN_LATTICE) {
        if (!w->domains->scale(values, c->marks, count, &domain->scale) || domain->scale != c->domain.scale)
            return false;
        entry.scale = fpgz_prans_scale_of(domain->scale);
    }
    if (!w->aide->enter(w->aide, &entry, &common)) {
        w->aide = NULL;
        return false;
    }
    if (common.least > common.most || common.exceptions > entry.most)
        return false;
    aided.line = (struct bins_line){.id = entry.id,
                                    .number = entry.number,
                                    .scale = entry.scale,
                                    .specials = entry.specials,
                                    .exceptions = common.exceptions};
    memcpy(aided.line.special, entry.special, sizeof entry.special);
    set_domain(w, &common, domain, &aided.line);
    if (domain->id == PRANS_DOMAIN_LATTICE) {
        domain->exceptions = common.exceptions;
        domain->exception = w->room.exception;
        domain->exact = w->room.exact;
    }
    if (!set_range(w, &common, &aided) || domain->shift != c->domain.shift || domain->step != c->domain.step)
        return false;
    for (size_t i = 0; i < common.exceptions; i++)
        memcpy((uint8_t *)w->room.exact + i * w->size,
               (const uint8_t *)values + w->room.exception[i] * w->size, w->size);
    aided.description = w->domains->description(domain);
    aided.stale = false;
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
        aided = aided && enter(w, values, &entered[i]);
    if (aided)
        memcpy(c, entered, count * sizeof *c);
    else if (w->aide)
        w->aide->drop(w->aide);
    return aided;
}

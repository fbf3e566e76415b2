/* SPDX-License-Identifier: MIT
 * Modes are compared roughly at first, the likely ones by all pieces. */
#include "codec/prans/bins/modes.h"

#include "core/bytes.h"

enum { SAMPLE_CLASSES = 4096 /* of equal ones */ };

/* Whether a rough estimate is so much above the one that all pieces told to be best. */
static bool is_far(uint64_t rough, uint64_t best)
{
    enum { DOUBT_PART = 16 };
    return rough > best && rough - best > best / DOUBT_PART;
}

/* Modes of which the best one is sought. */
struct contest {
    const struct bins_work *w;
    struct bins_candidate *c;
    uint64_t least; /* of c->mode: what it costs, or would roughly, if that is more */
};

/* Tries a mode by all pieces, unless they are not worth it. */
static bool try_after(struct contest *t, struct middle_mode mode, uint64_t rough)
{
    if (is_far(rough, t->least))
        return false;
    const uint64_t cost = t->w->hasty ? rough : fpgz_prans_bins_predict(t->w, t->c, &mode, false);
    if (cost >= t->c->cost)
        return false;
    t->least = fpgz_max(rough, cost);
    t->c->cost = cost;
    t->c->mode = mode;
    return true;
}

static void try_mode(struct contest *t, unsigned axes, unsigned order, bool joined)
{
    const struct middle_mode mode = {axes, order, joined};
    try_after(t, mode, fpgz_prans_bins_predict(t->w, t->c, &mode, true));
}

/* A mode, and where nothing is predicted the classes. */
struct rough_mode {
    struct middle_mode mode;
    bool equal;
    uint64_t rough;
};

/* Adds a mode to a list in the order of rough estimates. */
static void list_mode(const struct contest *t, struct middle_mode mode, bool equal, struct rough_mode *list,
                      unsigned *count)
{
    const uint64_t rough = fpgz_prans_bins_predict(t->w, t->c, &mode, true);
    unsigned at = (*count)++;
    for (; at && list[at - 1].rough > rough; at--)
        list[at] = list[at - 1];
    list[at] = (struct rough_mode){mode, equal, rough};
}

/* Tries orders 0 and 1 with axes: all or, where `other` is known, its own. The likely ones come first. Where
 * nothing is predicted there are classes of both kinds. */
static void try_axes(struct contest *t, const struct bins_candidate *other)
{
    static const struct middle_mode direct = {0, 0, false};
    const struct bins_work *const w = t->w;
    struct bins_candidate *const c = t->c;
    const uint8_t *const flag = w->pieces->whole ? c->flag : NULL; /* copies are filled */
    const struct bins_grid about_0 = fpgz_prans_bins_residual_grid(w),
                           equal = fpgz_prans_bins_direct_grid(w, &c->domain, c->y, flag, w->pieces->words,
                                                               SAMPLE_CLASSES);
    struct rough_mode list[1 + (2 << MIDDLE_AXES)];
    unsigned count = 0;
    c->direct = equal;
    list_mode(t, direct, true, list, &count);
    c->direct = about_0;
    for (unsigned i = 0; i < 2u << w->layout.axes; i++) {
        const struct middle_mode mode = {i / 2, i % 2, false};
        if (!mode.axes || !other || mode.axes == other->mode.axes)
            list_mode(t, mode, false, list, &count);
    }
    struct bins_grid best = equal;
    for (unsigned i = 0; i < count; i++) {
        c->direct = list[i].equal ? equal : about_0;
        if (try_after(t, list[i].mode, list[i].rough))
            best = c->direct;
    }
    c->direct = best;
}

/* Axes at first, then higher orders with these. What predicts well in one domain does so in others. */
void fpgz_prans_bins_choose_mode(const struct bins_work *w, const struct bins_candidate *other,
                                 uint64_t limit, struct bins_candidate *c)
{
    struct contest t = {w, c, UINT64_MAX};
    c->cost = UINT64_MAX;
    try_axes(&t, other);
    if (w->pieces->joined.count)
        try_mode(&t, 0, 1, true);
    c->flat = c->mode;
    if (!is_far(c->cost, limit)) {
        try_mode(&t, 0, 2, c->mode.joined);
        for (unsigned order = 2; order < BINS_ORDERS && c->mode.order + 1 >= order; order++)
            try_mode(&t, c->mode.axes, order, c->mode.joined);
    }
    if (w->hasty)
        c->cost = fpgz_prans_bins_predict(w, c, &c->mode, false);
    c->description = w->domains->description(&c->domain);
    if (c->domain.id == PRANS_DOMAIN_LATTICE && !c->all) /* its exceptions are those of the pieces */
        c->description = c->description * w->layout.values / w->pieces->words;
    c->cost += c->description;
}

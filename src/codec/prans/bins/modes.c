/* SPDX-License-Identifier: MIT
 * Modes are compared roughly at first, the likely ones by all pieces. */
#include "codec/prans/bins/modes.h"

#include "core/bytes.h"

/* Modes of which the best one is sought. */
struct contest {
    const struct bins_work *w;
    struct bins_candidate *c;
    uint64_t length; /* of the best one's residuals */
};

/* A mode and the length of its residuals. */
struct rough_mode {
    struct middle_mode mode;
    uint64_t length;
};

/* Whether a number is so much above another that what costs differ by besides does not matter. */
static bool is_far(uint64_t number, uint64_t other, uint64_t cost)
{
    enum { DOUBT_PART = 48 };
    return number > other && number - other > cost / DOUBT_PART;
}

/* The same of lengths. Where words cost little, some residuals are so frequent that their lengths tell
 * little. */
static bool is_too_long(const struct contest *t, uint64_t length)
{
    enum { LITTLE = 4 /* bits a word */ };
    const size_t values = t->w->layout.values;
    return is_far(length, t->length, t->c->cost) &&
           (t->c->cost / LITTLE >= values || length - t->length > values);
}

/* Tries a mode by the pieces, unless it is not worth it. */
static void try_length(struct contest *t, const struct rough_mode *rough)
{
    enum { LOW = 4, LEAST_PART = 64 /* what higher orders must save: each takes a twentieth of decoding */ };
    struct bins_candidate *const c = t->c;
    if (is_too_long(t, rough->length))
        return;
    const uint64_t cost = fpgz_prans_bins_predict(t->w, c, &rough->mode, t->w->hasty);
    if (cost >= c->cost - (rough->mode.order > LOW ? c->cost / LEAST_PART : 0))
        return;
    t->length = rough->length;
    c->cost = cost;
    c->mode = rough->mode;
}

static void try_mode(struct contest *t, unsigned axes, unsigned order, bool joined)
{
    struct rough_mode rough = {{axes, order, joined}, 0};
    rough.length = fpgz_prans_bins_length(t->w, t->c, &rough.mode);
    try_length(t, &rough);
}

/* Tries orders 0 and 1 with axes: all or, where `other` is known, its own. The likely ones come first. */
static void try_axes(struct contest *t, const struct bins_candidate *other)
{
    struct rough_mode list[2 << MIDDLE_AXES];
    unsigned count = 0;
    for (unsigned i = 0; i < 2u << t->w->layout.axes; i++) {
        const struct middle_mode mode = {i / 2, i % 2, false};
        if (mode.axes && other && mode.axes != other->mode.axes)
            continue;
        const uint64_t length = fpgz_prans_bins_length(t->w, t->c, &mode);
        unsigned at = count++;
        for (; at && list[at - 1].length > length; at--)
            list[at] = list[at - 1];
        list[at] = (struct rough_mode){mode, length};
    }
    for (unsigned i = 0; i < count; i++)
        try_length(t, &list[i]);
}

/* Tries orders from `order` on with the axes of the best mode, as long as they are better. */
static void try_orders(struct contest *t, unsigned order)
{
    const struct middle_mode *const mode = &t->c->mode;
    for (; order < BINS_ORDERS && mode->order + 1 >= order; order++)
        try_mode(t, mode->axes, order, mode->joined);
}

/* Takes equal classes of the integers of the pieces. */
static void take_equal(const struct bins_work *w, struct bins_candidate *c)
{
    const uint8_t *const flag = w->pieces->whole ? c->flag : NULL; /* copies are filled */
    c->direct = fpgz_prans_bins_direct_grid(w, &c->domain, c->y, flag, w->pieces->words, BINS_SAMPLE_CLASSES);
    c->sizes = fpgz_prans_bins_sizes(w, c);
}

/* Tries equal classes of the integers themselves. */
static void try_equal(const struct bins_work *w, struct bins_candidate *c)
{
    static const struct middle_mode direct = {0, 0, false};
    const struct bins_grid about_0 = c->direct;
    take_equal(w, c);
    uint64_t cost = fpgz_prans_bins_predict(w, c, &direct, true);
    if (!w->hasty && !is_far(cost, c->cost, c->cost))
        cost = fpgz_prans_bins_predict(w, c, &direct, false);
    if (cost < c->cost) {
        c->cost = cost;
        c->mode = c->flat = direct;
    } else {
        c->direct = about_0;
    }
}

/* Adds what says what the domain is. */
static void add_description(const struct bins_work *w, struct bins_candidate *c)
{
    c->description = w->domains->description(&c->domain);
    if (fpgz_prans_has_exceptions(c->domain.id) && !c->all) /* they are those of the pieces */
        c->description = c->description * w->layout.values / w->pieces->words;
    c->cost += c->description;
}

void fpgz_prans_bins_take_mode(const struct bins_work *w, const struct prans_way *way,
                               struct bins_candidate *c)
{
    c->mode = way->mode;
    c->flat = way->flat;
    c->direct = fpgz_prans_bins_residual_grid(w);
    if (way->equal)
        take_equal(w, c);
    c->cost = fpgz_prans_bins_predict(w, c, &c->mode, false);
    add_description(w, c);
}

/* Axes at first, then higher orders with these. What predicts well in one domain does so in others. */
void fpgz_prans_bins_choose_mode(const struct bins_work *w, const struct bins_candidate *other,
                                 uint64_t limit, struct bins_candidate *c)
{
    struct contest t = {w, c, UINT64_MAX};
    c->cost = UINT64_MAX;
    c->direct = fpgz_prans_bins_residual_grid(w);
    try_axes(&t, other);
    const bool is_hopeless = c->cost / 2 > limit;
    if (w->pieces->joined.count && !is_hopeless)
        try_mode(&t, 0, 1, true);
    c->flat = c->mode;
    if (!is_far(c->cost, limit, limit)) {
        try_mode(&t, 0, 2, c->mode.joined);
        try_orders(&t, 2);
        const unsigned high = c->mode.order, axes = c->mode.axes;
        /* What is smooth along rows and an axis may at first look as if one of them told more. */
        for (unsigned some = 0; high > 1 && !c->mode.joined && some < 1u << w->layout.axes; some++)
            if (some != axes)
                try_mode(&t, some, high - (some > axes), false);
        if (c->mode.axes != axes)
            try_orders(&t, c->mode.order + 1);
    }
    if (w->hasty)
        c->cost = fpgz_prans_bins_predict(w, c, &c->mode, false);
    if (!is_hopeless)
        try_equal(w, c);
    add_description(w, c);
}

uint64_t fpgz_prans_bins_measure_mode(struct bins_work *w, struct bins_candidate *c, bool close)
{
    enum { MORE = 32 /* than the sample told: one part of so many */ };
    const bool steep = c->flag && c->mode.order > 1;
    const uint64_t cost = fpgz_prans_bins_measure(w, c, close || steep);
    if (!steep || cost < c->cost + c->cost / MORE)
        return cost;
    struct bins_candidate flat = *c;
    flat.mode = c->flat;
    const uint64_t flat_cost = fpgz_prans_bins_measure(w, &flat, true);
    if (flat_cost > cost)
        return fpgz_prans_bins_measure(w, c, close);
    c->mode = c->flat;
    return flat_cost;
}

/* SPDX-License-Identifier: MIT
 * Costs by histograms of classes. A block's table suits the size of its words, and so do histograms: there is
 * one for each level of sizes. */
#include "codec/prans/bins/estimate.h"

#include <string.h>

#include "core/bytes.h"

enum {
    SAMPLE_CLASSES = 4096, /* of equal ones */
    EQUAL_LEVELS = 16,
    OCTAVE = 8, /* classes about 0 */
    STRETCH = 4096,
};

/* What is counted of words on their levels. */
struct survey {
    const struct bins_work *w;
    struct bins_grid grid;
    size_t classes;
    int64_t zero;
    uint32_t of_0;         /* the class of the word 0 */
    unsigned levels, unit; /* classes of a level */
    uint64_t words[BINS_LEVELS], specials[BINS_LEVELS];
    int64_t saved; /* of estimates: by all classes, and raw bits */
    uint64_t raw;
};

static bool is_direct(const struct middle_mode *mode)
{
    return !mode->axes && !mode->order;
}

/* Equal classes over the range of `count` integers, as many as `most`. */
static struct bins_grid direct_grid(const struct bins_work *w, const struct prans_domain *domain,
                                    const uint8_t *y, const uint8_t *flag, size_t count, uint64_t most)
{
    const bool is_signed = domain->id == PRANS_DOMAIN_LATTICE || domain->id == PRANS_DOMAIN_SLAB ||
                           (domain->id == PRANS_DOMAIN_INTEGER && domain->number == PRANS_SIGNED);
    const uint64_t bias = is_signed ? (uint64_t)1 << (w->bits - 1) : 0;
    uint64_t low, high;
    struct bins_grid grid = {true, 0, 1, 0};
    if (!w->kernels->range(y, flag, count, bias, &low, &high))
        return grid;
    grid.first = low ^ bias;
    while ((high - low) >> grid.shift >= most)
        grid.shift++;
    grid.count = (uint32_t)((high - low) >> grid.shift) + 1;
    return grid;
}

/* Classes of residuals. All those of bytes have their own. */
static struct bins_grid residual_grid(const struct bins_work *w)
{
    return (struct bins_grid){w->bits == 8, 0, 256, 0x80};
}

static void begin(struct survey *s, const struct bins_work *w, const struct bins_candidate *c,
                  const struct middle_mode *mode, const struct bins_grid *grid)
{
    *s = (struct survey){.w = w, .grid = *grid};
    s->classes = fpgz_prans_bins_classes(grid, w->bits);
    s->of_0 = w->kernels->class_of(grid, 0);
    s->zero = fpgz_prans_bins_zero(w, grid, &c->domain, mode);
    s->levels = (unsigned)fpgz_min(BINS_LEVELS, BINS_CLASSES / s->classes);
    s->unit = OCTAVE;
    if (grid->equal) {
        s->levels = fpgz_min(s->levels, EQUAL_LEVELS);
        s->unit = (unsigned)s->classes / s->levels + 1;
    }
}

/* The level of a run of words, from some of them. */
static unsigned level_of(const struct survey *s, const uint16_t *class, size_t count)
{
    enum { LOOKED_AT = 16 };
    uint64_t sum = 0;
    for (size_t i = 0; i < LOOKED_AT && i < count; i++) {
        const int64_t from = class[count < LOOKED_AT ? i : i * count / LOOKED_AT] - s->zero;
        sum += (uint64_t)(from < 0 ? -from : from);
    }
    sum = count < LOOKED_AT ? sum / count : sum / LOOKED_AT;
    return (unsigned)fpgz_min(sum / s->unit, s->levels - 1);
}

/* Finds the classes of a run of at most BINS_PIECE_VALUES words. Returns the histogram of their level, where
 * they are to be counted. */
static uint32_t *classify(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count,
                          uint16_t *class)
{
    s->w->kernels->classes(&s->grid, words, count, class);
    const unsigned level = level_of(s, class, count);
    uint32_t *const histogram = s->w->levels + level * s->classes;
    if (!s->words[level])
        memset(histogram, 0, s->classes * sizeof *histogram);
    s->words[level] += count;
    for (size_t i = 0; flag && i < count; i++)
        s->specials[level] += flag[i] != 0;
    return histogram;
}

static void add(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count)
{
    uint16_t class[BINS_PIECE_VALUES];
    uint32_t *const histogram = classify(s, words, flag, count, class);
    for (size_t i = 0; i < count; i++)
        histogram[class[i]]++;
}

/* The same, and what the words save and cost with a symbol for each class. */
static void add_and_price(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count)
{
    const struct bins_learning *const l = s->w->learning;
    uint16_t class[BINS_PIECE_VALUES];
    uint32_t *const histogram = classify(s, words, flag, count, class);
    int64_t saved = 0;
    uint64_t raw = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t before = histogram[class[i]]++;
        saved += before < BINS_COUNTS ? l->more[before]
                                      : (int64_t)(bins_surprise(l, before + 1) - bins_surprise(l, before));
    }
    if (!s->grid.equal)
        for (size_t i = 0; i < count; i++)
            raw += s->w->widths[class[i]];
    s->saved += saved;
    s->raw += s->grid.equal ? count * s->grid.shift : raw;
}

/* Takes special values, whose residuals are 0, from the histograms. */
static void take_specials(struct survey *s)
{
    const unsigned width = s->grid.equal ? s->grid.shift : 0;
    for (unsigned level = 0; level < s->levels; level++) {
        uint32_t *const of_0 = s->w->levels + level * s->classes + s->of_0;
        const uint64_t specials = s->specials[level];
        if (!specials)
            continue;
        s->saved -= (int64_t)bins_surprise(s->w->learning, *of_0);
        *of_0 -= (uint32_t)specials;
        s->saved += (int64_t)bins_surprise(s->w->learning, *of_0) + (*of_0 ? 0 : BINS_USED);
        s->raw -= specials * width;
    }
}

/* What levels cost before their classes do. */
static uint64_t cost_of_levels(const struct survey *s)
{
    uint64_t cost = 0;
    for (unsigned level = 0; level < s->levels; level++)
        cost += bins_surprise(s->w->learning, s->words[level]) -
                bins_surprise(s->w->learning, s->specials[level]);
    return cost;
}

/* What all words cost with the bins of the description, in 2^-16 bits. */
static uint64_t cost_by_bins(const struct survey *s)
{
    const struct bins_description *const d = &s->w->description;
    uint64_t cost = cost_of_levels(s);
    for (unsigned b = 0; b < d->bins; b++) {
        const struct bins_bin *const bin = &d->bin[b];
        const uint64_t width = fpgz_prans_bins_width(&s->grid, s->w->bits, bin->first, bin->end);
        for (unsigned level = 0; level < s->levels; level++) {
            const uint32_t *const histogram = s->w->levels + level * s->classes;
            uint64_t words = 0;
            for (size_t c = bin->first; s->words[level] && c < bin->end; c++)
                words += histogram[c];
            cost += (words * width << 16) - bins_surprise(s->w->learning, words);
        }
    }
    return cost;
}

/* What the pieces' residuals would cost all values; roughly by a quarter of them, which lie as evenly. */
static uint64_t estimate(const struct bins_work *w, const struct bins_candidate *c,
                         const struct middle_mode *mode, bool roughly)
{
    enum { PART = 4 };
    const struct bins_piece_set *const set = mode->joined ? &w->pieces->joined : &w->pieces->plain;
    const uint8_t *const flags = !c->flag ? NULL : w->pieces->whole ? c->flag : w->copied_flags;
    const struct bins_grid residuals = residual_grid(w);
    struct survey s;
    size_t sampled = 0;
    begin(&s, w, c, mode, is_direct(mode) ? &c->direct : &residuals);
    const unsigned pieces = roughly ? (set->count + PART - 1) / PART : set->count;
    for (unsigned i = 0; i < pieces; i++) {
        uint64_t residual[BINS_PIECE_VALUES];
        const struct bins_piece *const p = &set->piece[i];
        const struct middle_rows rows = fpgz_prans_bins_rows(w->pieces, set, p, mode->axes);
        const uint8_t *const flag = flags ? flags + p->place : NULL;
        w->kernels->difference(&rows, mode->order, p->at, p->count, c->y + p->place * w->size, flag,
                               residual);
        add_and_price(&s, (const uint8_t *)residual, flag, p->count);
        sampled += p->count;
    }
    take_specials(&s);
    const uint64_t cost = cost_of_levels(&s) + (s.raw << 16) - (uint64_t)s.saved;
    return (uint64_t)((double)cost / 0x10000 / (double)sampled * (double)w->layout.values);
}

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
    const uint64_t cost = t->w->hasty ? rough : estimate(t->w, t->c, &mode, false);
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
    try_after(t, mode, estimate(t->w, t->c, &mode, true));
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
    const uint64_t rough = estimate(t->w, t->c, &mode, true);
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
    const struct bins_grid about_0 = residual_grid(w),
                           equal = direct_grid(w, &c->domain, c->y, flag, w->pieces->words, SAMPLE_CLASSES);
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
        c->cost = estimate(w, c, &c->mode, false);
    c->description = w->domains->description(&c->domain);
    if (c->domain.id == PRANS_DOMAIN_LATTICE && !c->all) /* its exceptions are those of the pieces */
        c->description = c->description * w->layout.values / w->pieces->words;
    c->cost += c->description;
}

/* Residuals of all values, and their histograms. Special values get the words that decoding finds there. */
static void difference(const struct bins_work *w, const struct bins_candidate *c, struct survey *s)
{
    const uint8_t *const flag = c->flag;
    const struct middle_layout l = c->mode.joined ? fpgz_prans_middle_joined(&w->layout) : w->layout;
    const size_t row = l.row;
    struct middle_cursor cursor;
    size_t added = 0;
    fpgz_prans_middle_first(&l, c->mode.axes, &cursor);
    for (size_t r = 0; r < l.rows; r++, fpgz_prans_middle_next(&cursor)) {
        uint8_t *const y = c->all + r * row * w->size;
        if (flag)
            w->kernels->fill(&cursor.rows, c->mode.order, row, flag + r * row, y);
        for (size_t at = 0, part; at < row; at += part) { /* that the nearest caches have */
            part = fpgz_min(row - at, STRETCH);
            const size_t end = r * row + at + part;
            w->kernels->difference(&cursor.rows, c->mode.order, at, part, y + at * w->size,
                                   flag ? flag + r * row + at : NULL, w->residual + (end - part) * w->size);
            for (size_t count; added + MIDDLE_BLOCK <= end || (end == l.values && added < end);
                 added += count) {
                count = fpgz_min(end - added, MIDDLE_BLOCK);
                add(s, w->residual + added * w->size, flag ? flag + added : NULL, count);
            }
        }
    }
}

/* Of a bin's price each table has a part: it also loses by rare symbols. */
unsigned fpgz_prans_bins_price(const struct bins_work *w)
{
    return 8 + 12 * fpgz_prans_middle_table_count(w->layout.blocks);
}

void fpgz_prans_bins_relearn(struct bins_work *w)
{
    struct bins_description *const d = &w->description;
    fpgz_prans_bins_learn(&d->grid, w->bits, w->histogram, fpgz_prans_bins_price(w), w->learning, d->bin,
                          &d->bins);
}

uint64_t fpgz_prans_bins_measure(struct bins_work *w, const struct bins_candidate *c)
{
    struct bins_description *const d = &w->description;
    const uint64_t most = fpgz_min(BINS_CLASSES, 1024 + w->layout.values / 4);
    struct survey s;
    d->domain = c->domain;
    d->mode = c->mode;
    d->grid = is_direct(&c->mode) && c->direct.equal
                  ? direct_grid(w, &c->domain, c->all, c->flag, w->layout.values, most)
                  : residual_grid(w);
    begin(&s, w, c, &c->mode, &d->grid);
    difference(w, c, &s);
    take_specials(&s);
    memset(w->histogram, 0, s.classes * sizeof *w->histogram);
    for (unsigned level = 0; level < s.levels; level++)
        for (size_t class = 0; s.words[level] && class < s.classes; class ++)
            w->histogram[class] += w->levels[level * s.classes + class];
    fpgz_prans_bins_relearn(w);
    return (cost_by_bins(&s) >> 16) + d->bins * fpgz_prans_bins_price(w) + c->description;
}

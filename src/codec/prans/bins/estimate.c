/* SPDX-License-Identifier: MIT
 * Costs by histograms of classes. A block's table suits the size of its words, and so do histograms: there is
 * one for each level of sizes. */
#include "codec/prans/bins/estimate.h"

#include <string.h>

#include "codec/sample.h"
#include "core/bytes.h"

enum {
    SAMPLED = 8192, /* values that modes are compared on, about */
    LEAST_PIECES = 32,
    PIECE_VALUES = 256,
    SAMPLE_CLASSES = 4096, /* of equal ones */
    EQUAL_LEVELS = 16,
    OCTAVE = 8, /* classes about 0 */
    USED =
        0xB8AA, /* 2^-16 bits: a sample of few words for each class looks more regular than all of them are */
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
};

static bool is_direct(const struct middle_mode *mode)
{
    return !mode->axes && !mode->order;
}

/* Equal classes over the range of y, as many as `most`. */
static struct bins_grid direct_grid(const struct bins_work *w, const struct bins_candidate *c, uint64_t most)
{
    const bool is_signed = c->domain.id == PRANS_DOMAIN_LATTICE || c->domain.id == PRANS_DOMAIN_SLAB ||
                           (c->domain.id == PRANS_DOMAIN_INTEGER && c->domain.number == PRANS_SIGNED);
    const uint64_t bias = is_signed ? (uint64_t)1 << (w->bits - 1) : 0;
    uint64_t low, high;
    struct bins_grid grid = {true, 0, 1, 0};
    if (!w->kernels->range(c->y, c->flag, w->layout.values, bias, &low, &high))
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
    const size_t looks = fpgz_min(count, LOOKED_AT);
    uint64_t sum = 0;
    for (size_t i = 0; i < looks; i++) {
        const int64_t from = class[i * count / looks] - s->zero;
        sum += (uint64_t)(from < 0 ? -from : from);
    }
    return (unsigned)fpgz_min(sum / looks / s->unit, s->levels - 1);
}

/* Adds a run of at most PIECE_VALUES words to the histogram of its level. */
static void add(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count)
{
    uint16_t class[PIECE_VALUES];
    s->w->kernels->classes(&s->grid, words, count, class);
    const unsigned level = level_of(s, class, count);
    uint32_t *const histogram = s->w->levels + level * s->classes;
    unsigned specials = 0;
    if (!s->words[level])
        memset(histogram, 0, s->classes * sizeof *histogram);
    for (size_t i = 0; i < count; i++)
        histogram[class[i]]++;
    for (size_t i = 0; flag && i < count; i++)
        specials += flag[i] != 0;
    histogram[s->of_0] -= specials; /* their residuals are 0 */
    s->words[level] += count;
    s->specials[level] += specials;
}

/* number times its logarithm, in 2^-16 bits. */
static uint64_t surprise(const struct bins_work *w, uint64_t number)
{
    return number ? number * bins_log2(w->learning, number) : 0;
}

/* What of a level's cost depends on how its words are coded. */
typedef uint64_t level_cost(const struct survey *s, const uint32_t *histogram);

/* With a symbol for each class. */
static uint64_t cost_by_classes(const struct survey *s, const uint32_t *histogram)
{
    uint64_t cost = 0;
    for (size_t c = 0; c < s->classes; c++) {
        if (!histogram[c])
            continue;
        const uint64_t width =
            s->grid.equal ? s->grid.shift : fpgz_prans_bins_width(&s->grid, s->w->bits, c, c + 1);
        cost += (histogram[c] * width << 16) + USED - surprise(s->w, histogram[c]);
    }
    return cost;
}

/* With the bins of the description. */
static uint64_t cost_by_bins(const struct survey *s, const uint32_t *histogram)
{
    const struct bins_description *const d = &s->w->description;
    uint64_t cost = 0;
    for (unsigned b = 0; b < d->bins; b++) {
        const struct bins_bin *const bin = &d->bin[b];
        uint64_t words = 0;
        for (size_t c = bin->first; c < bin->end; c++)
            words += histogram[c];
        const uint64_t width = fpgz_prans_bins_width(&s->grid, s->w->bits, bin->first, bin->end);
        cost += (words * width << 16) - surprise(s->w, words);
    }
    return cost;
}

/* What all words cost, in 2^-16 bits. */
static uint64_t cost_of(const struct survey *s, level_cost *cost_of_level)
{
    uint64_t cost = 0;
    for (unsigned level = 0; level < s->levels; level++)
        if (s->words[level])
            cost += surprise(s->w, s->words[level]) - surprise(s->w, s->specials[level]) +
                    cost_of_level(s, s->w->levels + level * s->classes);
    return cost;
}

/* What the sample's residuals would cost all values. */
static uint64_t estimate(const struct bins_work *w, const struct bins_candidate *c,
                         const struct middle_mode *mode)
{
    const struct middle_layout joined = fpgz_prans_middle_joined(&w->layout);
    const struct middle_layout *const l = mode->joined ? &joined : &w->layout;
    const struct bins_grid residuals = residual_grid(w);
    const size_t parts = (l->row + PIECE_VALUES - 1) / PIECE_VALUES, pieces = l->rows * parts;
    const size_t wanted = LEAST_PIECES + SAMPLED / fpgz_min(l->row, PIECE_VALUES);
    struct survey s;
    size_t sampled = 0;
    begin(&s, w, c, mode, is_direct(mode) ? &c->direct : &residuals);
    for (uint32_t i = 0; i < wanted && i < pieces; i++) {
        uint64_t residual[PIECE_VALUES];
        const size_t piece = fpgz_sample_place(i, wanted, pieces);
        const size_t row = piece / parts, at = piece % parts * PIECE_VALUES;
        const size_t count = fpgz_min(l->row - at, PIECE_VALUES), value = row * l->row + at;
        const struct middle_rows rows = fpgz_prans_middle_rows(l, mode->axes, row);
        const uint8_t *const flag = c->flag ? c->flag + value : NULL;
        w->kernels->difference(&rows, mode->order, at, count, c->y + value * w->size, flag, residual);
        add(&s, (const uint8_t *)residual, flag, count);
        sampled += count;
    }
    return (uint64_t)((double)cost_of(&s, cost_by_classes) / 0x10000 / (double)sampled * (double)l->values);
}

static void try_mode(const struct bins_work *w, struct bins_candidate *c, unsigned axes, unsigned order,
                     bool joined)
{
    const struct middle_mode mode = {axes, order, joined};
    const uint64_t cost = estimate(w, c, &mode);
    if (cost < c->cost) {
        c->cost = cost;
        c->mode = mode;
    }
}

/* Axes at first, then higher orders with these. What predicts well in one domain does so in others. */
void fpgz_prans_bins_choose_mode(const struct bins_work *w, const struct bins_candidate *other,
                                 struct bins_candidate *c)
{
    static const struct middle_mode direct = {0, 0, false};
    c->cost = UINT64_MAX;
    c->direct = direct_grid(w, c, SAMPLE_CLASSES);
    const uint64_t equal = estimate(w, c, &direct);
    const struct bins_grid equal_grid = c->direct;
    c->direct = residual_grid(w);
    if (equal <= estimate(w, c, &direct))
        c->direct = equal_grid;
    for (unsigned axes = 0; axes < 1u << w->layout.axes; axes++)
        for (unsigned order = 0; order < 2; order++)
            if (!axes || !other || axes == other->mode.axes)
                try_mode(w, c, axes, order, false);
    try_mode(w, c, 0, 1, w->layout.rows > w->layout.components);
    c->flat = c->mode;
    try_mode(w, c, 0, 2, c->mode.joined);
    for (unsigned order = 2; order < BINS_ORDERS && c->mode.order + 1 >= order; order++)
        try_mode(w, c, c->mode.axes, order, c->mode.joined);
    c->description = w->domains->description(&c->domain);
    c->cost += c->description;
}

/* Residuals of all values. Special values get the words that decoding finds there. */
static void difference(const struct bins_work *w, const struct bins_candidate *c)
{
    const uint8_t *const flag = c->flag;
    const struct middle_layout l = c->mode.joined ? fpgz_prans_middle_joined(&w->layout) : w->layout;
    const size_t row = l.row;
    for (size_t r = 0; r < l.rows; r++) {
        const struct middle_rows rows = fpgz_prans_middle_rows(&l, c->mode.axes, r);
        uint8_t *const y = c->y + r * row * w->size;
        if (flag)
            w->kernels->fill(&rows, c->mode.order, row, flag + r * row, y);
        w->kernels->difference(&rows, c->mode.order, 0, row, y, flag ? flag + r * row : NULL,
                               w->residual + r * row * w->size);
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
    d->grid = is_direct(&c->mode) && c->direct.equal ? direct_grid(w, c, most) : residual_grid(w);
    difference(w, c);
    begin(&s, w, c, &c->mode, &d->grid);
    for (size_t at = 0; at < w->layout.values; at += MIDDLE_BLOCK)
        add(&s, w->residual + at * w->size, c->flag ? c->flag + at : NULL,
            fpgz_min(w->layout.values - at, MIDDLE_BLOCK));
    memset(w->histogram, 0, s.classes * sizeof *w->histogram);
    for (unsigned level = 0; level < s.levels; level++)
        for (size_t class = 0; s.words[level] && class < s.classes; class ++)
            w->histogram[class] += w->levels[level * s.classes + class];
    fpgz_prans_bins_relearn(w);
    return (cost_of(&s, cost_by_bins) >> 16) + d->bins * fpgz_prans_bins_price(w) + c->description;
}

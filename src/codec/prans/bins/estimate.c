/* SPDX-License-Identifier: MIT
 * Costs by histograms of classes. A block's table suits the size of its words, and so do histograms: there is
 * one for each level of sizes. */
#include "codec/prans/bins/estimate.h"

#include <string.h>

#include "core/bytes.h"

enum {
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
    size_t stride;         /* between the histograms of two levels */
    unsigned levels, unit; /* classes of a level */
    uint64_t words[BINS_LEVELS], specials[BINS_LEVELS];
};

static void begin(struct survey *s, const struct bins_work *w, const struct bins_candidate *c,
                  const struct middle_mode *mode, const struct bins_grid *grid)
{
    *s = (struct survey){.w = w, .grid = *grid};
    s->classes = s->stride = fpgz_prans_bins_classes(grid, w->bits);
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

/* Finds the classes of a run of words. Returns the histogram of their level, where they are to be counted. */
static uint32_t *classify(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count,
                          uint16_t *class)
{
    s->w->kernels->classes(&s->grid, words, count, class);
    const unsigned level = s->levels > 1 ? level_of(s, class, count) : 0;
    uint32_t *const histogram = s->w->levels + level * s->stride;
    if (!s->words[level])
        memset(histogram, 0, s->stride * sizeof *histogram);
    s->words[level] += count;
    uint32_t specials = 0;
    for (size_t i = 0; flag && i < count; i++)
        specials += flag[i] != 0;
    s->specials[level] += specials;
    return histogram;
}

/* Counts classes in `ways` histograms in turns: those of the same class behind each other would wait for one
 * another. */
static inline void count_classes(const uint16_t *class, size_t count, unsigned ways, size_t classes,
                                 uint32_t *histogram)
{
    size_t i = 0;
    for (; i + ways <= count; i += ways)
        for (unsigned way = 0; way < ways; way++)
            histogram[way * classes + class[i + way]]++;
    for (; i < count; i++)
        histogram[class[i]]++;
}

/* Adds a run of words to their level; of at most STRETCH, where all are of one. */
static void add(struct survey *s, const uint8_t *words, const uint8_t *flag, size_t count)
{
    uint16_t class[STRETCH];
    uint32_t *const histogram = classify(s, words, flag, count, class);
    if (s->stride / s->classes == 4)
        count_classes(class, count, 4, s->classes, histogram);
    else if (s->stride / s->classes == 2)
        count_classes(class, count, 2, s->classes, histogram);
    else
        count_classes(class, count, 1, s->classes, histogram);
}

/* Adds the other histograms of each level to the first one. */
static void add_ways(struct survey *s)
{
    for (unsigned level = 0; level < s->levels; level++) {
        uint32_t *const histogram = s->w->levels + level * s->stride;
        for (size_t way = 1; s->words[level] && way < s->stride / s->classes; way++)
            for (size_t c = 0; c < s->classes; c++)
                histogram[c] += histogram[way * s->classes + c];
    }
}

/* Takes special values, whose residuals are 0, from the histograms. */
static void take_specials(struct survey *s)
{
    for (unsigned level = 0; level < s->levels; level++)
        if (s->specials[level])
            s->w->levels[level * s->stride + s->of_0] -= (uint32_t)s->specials[level];
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

/* What words cost with a symbol for each class, in 2^-16 bits. */
static uint64_t cost_by_classes(const struct survey *s)
{
    enum { TOGETHER = 8 /* most classes have no words */ };
    const struct bins_learning *const learning = s->w->learning;
    uint64_t cost = cost_of_levels(s), raw = 0;
    for (unsigned level = 0; level < s->levels; level++) {
        const uint32_t *const histogram = s->w->levels + level * s->stride;
        for (size_t c = 0, end; s->words[level] && c < s->classes; c = end) {
            uint32_t any = 0;
            end = fpgz_min(c + TOGETHER, s->classes);
            for (size_t i = c; i < end; i++)
                any |= histogram[i];
            for (size_t i = c; any && i < end; i++) {
                const uint32_t words = histogram[i];
                cost -= words < BINS_COUNTS ? (uint64_t)learning->saved[words]
                                            : bins_surprise(learning, words) - BINS_USED;
                raw += (uint64_t)words * (s->grid.equal ? s->grid.shift : s->w->widths[i]);
            }
        }
    }
    return cost + (raw << 16);
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
            const uint32_t *const histogram = s->w->levels + level * s->stride;
            uint64_t words = 0;
            for (size_t c = bin->first; s->words[level] && c < bin->end; c++)
                words += histogram[c];
            cost += (words * width << 16) - bins_surprise(s->w->learning, words);
        }
    }
    return cost;
}

/* The pieces of a set one by one, and their residuals by a mode. */
struct walk {
    const struct bins_work *w;
    const struct bins_candidate *c;
    const struct middle_mode *mode;
    const struct bins_piece_set *set;
    const uint8_t *flags;
    unsigned pieces;
    uint64_t residual[BINS_PIECE_VALUES];
};

/* The first quarter of the pieces lie as evenly. */
static void begin_walk(struct walk *walk, const struct bins_work *w, const struct bins_candidate *c,
                       const struct middle_mode *mode, bool roughly)
{
    enum { PART = 4 };
    walk->w = w;
    walk->c = c;
    walk->mode = mode;
    walk->set = mode->joined ? &w->pieces->joined : &w->pieces->plain;
    walk->flags = !c->flag ? NULL : w->pieces->whole ? c->flag : w->copied_flags;
    walk->pieces = roughly ? (walk->set->count + PART - 1) / PART : walk->set->count;
}

/* Finds the residuals of a piece, and its flags. */
static const struct bins_piece *walk_to(struct walk *walk, unsigned number, const uint8_t **flag)
{
    const struct bins_work *const w = walk->w;
    const struct bins_piece *const p = &walk->set->piece[number];
    const struct middle_rows rows = fpgz_prans_bins_rows(w->pieces, walk->set, p, walk->mode->axes);
    *flag = walk->flags ? walk->flags + p->place : NULL;
    w->kernels->difference(&rows, walk->mode->order, p->at, p->count, walk->c->y + p->place * w->size, *flag,
                           walk->residual);
    return p;
}

uint64_t fpgz_prans_bins_predict(const struct bins_work *w, const struct bins_candidate *c,
                                 const struct middle_mode *mode, bool roughly)
{
    const struct bins_grid residuals = fpgz_prans_bins_residual_grid(w);
    struct survey s;
    struct walk walk;
    size_t sampled = 0;
    begin(&s, w, c, mode, bins_is_direct(mode) ? &c->direct : &residuals);
    begin_walk(&walk, w, c, mode, roughly);
    s.stride *= s.grid.equal ? 1 : 2; /* equal classes are many, and seldom the same behind each other */
    for (unsigned i = 0; i < walk.pieces; i++) {
        const uint8_t *flag;
        const struct bins_piece *const p = walk_to(&walk, i, &flag);
        add(&s, (const uint8_t *)walk.residual, flag, p->count);
        sampled += p->count;
    }
    add_ways(&s);
    take_specials(&s);
    return (uint64_t)((double)cost_by_classes(&s) / 0x10000 / (double)sampled * (double)w->layout.values);
}

uint64_t fpgz_prans_bins_length(const struct bins_work *w, const struct bins_candidate *c,
                                const struct middle_mode *mode)
{
    const struct bins_grid about_0 = {.equal = false};
    const struct bins_learning *const l = w->learning;
    const uint16_t zero = (uint16_t)(fpgz_prans_bins_classes(&about_0, w->bits) / 2);
    struct walk walk;
    uint64_t eighths = 0, zeros = 0, sampled = 0;
    begin_walk(&walk, w, c, mode, true);
    for (unsigned i = 0; i < walk.pieces; i++) {
        uint16_t class[BINS_PIECE_VALUES];
        const uint8_t *flag;
        const struct bins_piece *const p = walk_to(&walk, i, &flag);
        uint32_t sum = 0, none = 0;
        w->kernels->classes(&about_0, walk.residual, p->count, class);
        for (size_t k = 0; k < p->count; k++) {
            sum += (uint32_t)(class[k] > zero ? class[k] - zero : zero - class[k]);
            none += class[k] == zero;
        }
        eighths += sum;
        zeros += none;
        sampled += p->count;
    }
    const uint64_t others = sampled - zeros,
                   bits = eighths / OCTAVE + others +
                          ((bins_surprise(l, sampled) - bins_surprise(l, zeros) - bins_surprise(l, others)) >>
                           16);
    return bits * w->layout.values / sampled;
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
            const size_t least = s->levels > 1 ? MIDDLE_BLOCK : 1,
                         most = s->levels > 1 ? MIDDLE_BLOCK : STRETCH;
            for (size_t count; added + least <= end || (end == l.values && added < end); added += count) {
                count = fpgz_min(end - added, most);
                add(s, w->residual + added * w->size, flag ? flag + added : NULL, count);
            }
        }
    }
}

/* What an aide is to count. */
static struct bins_counting counting_of(const struct bins_candidate *c, struct survey *s)
{
    const struct bins_work *const w = s->w;
    return (struct bins_counting){
        .line = c->line,
        .layout = c->mode.joined ? fpgz_prans_middle_joined(&w->layout) : w->layout,
        .axes = c->mode.axes,
        .order = c->mode.order,
        .grid = s->grid,
        .classes = s->classes,
        .levels = s->levels,
        .unit = s->unit,
        .zero = s->zero,
        .histogram = w->levels,
        .words = s->words,
        .specials = s->specials,
        .sample = w->residual,
    };
}

struct bins_counting fpgz_prans_bins_counting(const struct bins_work *w, const struct bins_candidate *c)
{
    const struct bins_grid residuals = fpgz_prans_bins_residual_grid(w);
    struct survey s;
    begin(&s, w, c, &c->mode, &residuals);
    s.levels = 1;
    return counting_of(c, &s);
}

uint64_t fpgz_prans_bins_measure(struct bins_work *w, const struct bins_candidate *c, bool priced)
{
    struct bins_description *const d = &w->description;
    const uint64_t most = fpgz_min(BINS_CLASSES, 1024 + w->layout.values / 4);
    struct survey s;
    d->domain = c->domain;
    d->mode = c->mode;
    if (!bins_is_direct(&c->mode) || !c->direct.equal)
        d->grid = fpgz_prans_bins_residual_grid(w);
    else if (bins_has_line(c))
        d->grid = fpgz_prans_bins_equal_grid(fpgz_prans_bins_bias(w, &c->domain), c->low, c->high, most);
    else
        d->grid = fpgz_prans_bins_direct_grid(w, &c->domain, c->all, c->flag, w->layout.values, most);
    begin(&s, w, c, &c->mode, &d->grid);
    s.levels = priced ? s.levels : 1;
    if (!bins_has_line(c)) {
        s.stride *= s.levels == 1 && s.classes <= BINS_CLASSES / 2 ? 4 : 2;
        difference(w, c, &s);
        add_ways(&s);
    } else {
        const struct bins_counting counting = counting_of(c, &s);
        if (w->aide && !w->aide->count(w->aide, &counting, c->counted && s.levels == 1))
            w->aide = NULL;
        if (!w->aide)
            return 0;
    }
    take_specials(&s);
    memset(w->histogram, 0, s.classes * sizeof *w->histogram);
    for (unsigned level = 0; level < s.levels; level++)
        for (size_t class = 0; s.words[level] && class < s.classes; class ++)
            w->histogram[class] += w->levels[level * s.stride + class];
    fpgz_prans_bins_relearn(w);
    return !priced ? 0 : (cost_by_bins(&s) >> 16) + d->bins * fpgz_prans_bins_price(w) + c->description;
}

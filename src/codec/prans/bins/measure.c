/* SPDX-License-Identifier: MIT
 * Candidates are measured by histograms of all words. */
#include <string.h>

#include "codec/prans/bins/estimate.h"
#include "core/bytes.h"

enum { STRETCH = 4096 };

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
static void add(struct bins_survey *s, const uint8_t *words, const uint8_t *flag, size_t count)
{
    uint16_t class[STRETCH];
    bool fresh;
    uint32_t *const histogram =
        s->w->levels + bins_classify(s, words, flag, count, class, &fresh) * s->stride;
    if (fresh)
        memset(histogram, 0, s->stride * sizeof *histogram);
    if (s->stride / s->classes == 4)
        count_classes(class, count, 4, s->classes, histogram);
    else
        count_classes(class, count, 2, s->classes, histogram);
}

/* Adds the other histograms of each level to the first one. */
static void add_ways(struct bins_survey *s)
{
    for (unsigned level = 0; level < s->levels; level++) {
        uint32_t *const histogram = s->w->levels + level * s->stride;
        for (size_t way = 1; s->words[level] && way < s->stride / s->classes; way++)
            for (size_t c = 0; c < s->classes; c++)
                histogram[c] += histogram[way * s->classes + c];
    }
}

/* Takes special values, whose residuals are 0, from the histograms. */
static void take_specials(struct bins_survey *s)
{
    for (unsigned level = 0; level < s->levels; level++)
        if (s->specials[level])
            s->w->levels[level * s->stride + s->of_0] -= (uint32_t)s->specials[level];
}

/* What all words cost with the bins of the description, in 2^-16 bits. */
static uint64_t cost_by_bins(const struct bins_survey *s)
{
    const struct bins_description *const d = &s->w->description;
    uint64_t cost = bins_cost_of_levels(s);
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

/* Residuals of the values from number `from` to before `end`. */
static void residuals_of(const struct bins_work *w, const struct bins_candidate *c,
                         struct middle_cursor *cursor, size_t from, size_t end, uint8_t *residual)
{
    const size_t row = cursor->layout->row;
    for (size_t at = from, part; at < end; at += part, residual += part * w->size) {
        fpgz_prans_middle_go(cursor, at / row);
        part = fpgz_min(end - at, row - at % row);
        w->kernels->difference(&cursor->rows, c->mode.order, at % row, part, c->all + at * w->size,
                               c->flag ? c->flag + at : NULL, residual);
    }
}

/* Special values get the words that decoding finds there. */
static void fill(const struct bins_work *w, const struct bins_candidate *c, const struct middle_layout *l)
{
    struct middle_cursor cursor;
    fpgz_prans_middle_first(l, c->mode.axes, &cursor);
    for (size_t r = 0; r < l->rows; r++, fpgz_prans_middle_next(&cursor))
        w->kernels->fill(&cursor.rows, c->mode.order, l->row, c->flag + r * l->row,
                         c->all + r * l->row * w->size);
}

/* Residuals of all values, and their histograms, by stretches that the nearest cache has. In place: where the
 * values are, of which the last stretch is done first, so that none is needed any more. */
static void difference(struct bins_work *w, const struct bins_candidate *c, bool in_place,
                       struct bins_survey *s)
{
    const struct middle_layout l = c->mode.joined ? fpgz_prans_middle_joined(&w->layout) : w->layout;
    const size_t step = s->levels > 1 ? MIDDLE_BLOCK : STRETCH,
                 stretches = (l.values + STRETCH - 1) / STRETCH;
    uint64_t room[STRETCH];
    struct middle_cursor cursor;
    if (c->flag)
        fill(w, c, &l);
    fpgz_prans_middle_first(&l, c->mode.axes, &cursor);
    for (size_t k = 0; k < stretches; k++) {
        const size_t from = (in_place ? stretches - 1 - k : k) * STRETCH,
                     count = fpgz_min(l.values - from, STRETCH);
        uint8_t *const residual = in_place ? (uint8_t *)room : w->residual + from * w->size;
        residuals_of(w, c, &cursor, from, from + count, residual);
        for (size_t at = 0; at < count; at += step)
            add(s, residual + at * w->size, c->flag ? c->flag + from + at : NULL, fpgz_min(count - at, step));
        if (in_place)
            memcpy(c->all + from * w->size, residual, count * w->size);
    }
    w->residual = in_place ? c->all : w->residual;
}

/* What an aide is to count. */
static struct bins_counting counting_of(const struct bins_candidate *c, struct bins_survey *s)
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
        .least = s->least,
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
    struct bins_survey s = bins_survey_of(w, &c->domain, &c->sizes, &c->mode, &residuals);
    s.levels = 1;
    return counting_of(c, &s);
}

/* Counts by the aide; false where it fails, and is none any more. */
static bool count_aided(struct bins_work *w, const struct bins_candidate *c, struct bins_survey *s)
{
    const struct bins_counting counting = counting_of(c, s);
    if (w->aide && !w->aide->count(w->aide, &counting, c->counted && s->levels == 1))
        w->aide = NULL;
    return w->aide;
}

uint64_t fpgz_prans_bins_measure(struct bins_work *w, const struct bins_candidate *c, bool priced)
{
    struct bins_description *const d = &w->description;
    const uint64_t most = fpgz_min(BINS_CLASSES, 1024 + w->layout.values / 4);
    struct bins_survey s;
    d->domain = c->domain;
    d->mode = c->mode;
    if (!bins_is_direct(&c->mode) || !c->direct.equal)
        d->grid = fpgz_prans_bins_residual_grid(w);
    else if (bins_has_line(c))
        d->grid = fpgz_prans_bins_equal_grid(fpgz_prans_bins_bias(w, &c->domain), c->low, c->high, most);
    else
        d->grid = fpgz_prans_bins_direct_grid(w, &c->domain, c->all, c->flag, w->layout.values, most);
    s = bins_survey_of(w, &c->domain, &c->sizes, &c->mode, &d->grid);
    s.levels = priced ? s.levels : 1;
    if (!bins_has_line(c)) {
        s.stride *= s.levels == 1 && s.classes <= BINS_CLASSES / 2 ? 4 : 2;
        /* Unless others are compared, or values are entered once more, residuals may take the place of these.
         */
        difference(w, c, !priced && !c->stale && c->all != w->other, &s);
        add_ways(&s);
    } else if (!count_aided(w, c, &s)) {
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

/* SPDX-License-Identifier: MIT
 * Domains and predictions are compared on pieces of rows, the best two on all values. */
#include "codec/prans/bins/choose.h"

#include <stdlib.h>
#include <string.h>

#include "codec/sample.h"
#include "core/bytes.h"

enum {
    SAMPLED = 8192, /* values that modes are compared on, about */
    LEAST_PIECES = 32,
    PIECE_VALUES = 256,
    SAMPLE_CLASSES = 4096, /* of equal ones */
    SYMBOL_PRICE = 6,      /* bits that a class costs in a sample's estimate */
    CLOSE = 16,            /* the second best is measured if it is larger by less than one part of so many */
};

struct candidate {
    struct prans_domain domain;
    struct middle_mode mode;
    struct middle_mode flat; /* the best of the orders 0 and 1 */
    struct bins_grid direct; /* where nothing is predicted */
    uint64_t cost;           /* of all values, in bits */
    const uint8_t *flag;     /* NULL, or where its special values are */
    uint8_t *y;
};

static bool is_direct(const struct middle_mode *mode)
{
    return !mode->axes && !mode->order;
}

/* Equal classes over the range of y, as many as `most`. */
static struct bins_grid direct_grid(const struct bins_work *w, const struct prans_domain *domain,
                                    const uint8_t *y, const uint8_t *flag, uint64_t most)
{
    const bool is_signed = domain->id == PRANS_DOMAIN_LATTICE || domain->id == PRANS_DOMAIN_SLAB;
    const uint64_t bias = is_signed ? (uint64_t)1 << (w->bits - 1) : 0;
    uint64_t low, high;
    struct bins_grid grid = {true, 0, 1, 0};
    if (!w->kernels->range(y, flag, w->layout.values, bias, &low, &high))
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

/* What a histogram's words cost with a symbol for each class. */
static uint64_t entropy(const struct bins_work *w, const struct bins_grid *grid, uint64_t words)
{
    const size_t classes = fpgz_prans_bins_classes(grid, w->bits);
    const uint32_t all = words ? bins_log2(w->learning, words) : 0;
    uint64_t bits = 0, used = 0;
    for (size_t c = 0; c < classes; c++) {
        const uint32_t count = w->histogram[c];
        if (!count)
            continue;
        const uint64_t width = grid->equal ? grid->shift : fpgz_prans_bins_width(grid, w->bits, c, c + 1);
        bits += count * ((uint64_t)(all - bins_log2(w->learning, count)) + (width << 16));
        used++;
    }
    /* A sample of few words for each class looks more regular than all of them are. */
    return bits + used * 0xB8AA;
}

/* What the sample's residuals would cost all values. */
static uint64_t estimate(const struct bins_work *w, const struct candidate *c, const struct middle_mode *mode)
{
    const struct middle_layout joined = fpgz_prans_middle_joined(&w->layout);
    const struct middle_layout *const l = mode->joined ? &joined : &w->layout;
    const struct bins_grid grid = is_direct(mode) ? c->direct : residual_grid(w);
    const size_t parts = (l->row + PIECE_VALUES - 1) / PIECE_VALUES, pieces = l->rows * parts;
    const size_t wanted = LEAST_PIECES + SAMPLED / fpgz_min(l->row, PIECE_VALUES),
                 classes = fpgz_prans_bins_classes(&grid, w->bits);
    memset(w->histogram, 0, classes * sizeof *w->histogram);
    for (uint32_t i = 0; i < wanted && i < pieces; i++) {
        uint64_t residual[PIECE_VALUES];
        const size_t piece = fpgz_sample_place(i, wanted, pieces);
        const size_t row = piece / parts, at = piece % parts * PIECE_VALUES;
        const size_t count = fpgz_min(l->row - at, PIECE_VALUES), value = row * l->row + at;
        const struct middle_rows rows = fpgz_prans_middle_rows(l, mode->axes, row);
        const uint8_t *const flag = c->flag ? c->flag + value : NULL;
        w->kernels->difference(&rows, mode->order, at, count, c->y + value * w->size, flag, residual);
        w->kernels->count(&grid, residual, flag, count, w->histogram);
    }
    uint64_t words = 0;
    for (size_t s = 0; s < classes; s++) /* special values were not counted */
        words += w->histogram[s];
    const uint64_t cost = entropy(w, &grid, words);
    return words ? (uint64_t)((double)cost / 0x10000 / (double)words * (double)l->values) : 0;
}

static void try_mode(const struct bins_work *w, struct candidate *c, unsigned axes, unsigned order,
                     bool joined)
{
    const struct middle_mode mode = {axes, order, joined};
    const uint64_t cost = estimate(w, c, &mode);
    if (cost < c->cost) {
        c->cost = cost;
        c->mode = mode;
    }
}

/* The mode that codes y best: axes at first, then higher orders with these. */
static void choose_mode(const struct bins_work *w, struct candidate *c)
{
    c->cost = UINT64_MAX;
    c->direct = direct_grid(w, &c->domain, c->y, c->flag, SAMPLE_CLASSES);
    for (unsigned axes = 0; axes < 1u << w->layout.axes; axes++)
        for (unsigned order = 0; order < 2; order++)
            try_mode(w, c, axes, order, false);
    try_mode(w, c, 0, 1, w->layout.rows > w->layout.components);
    c->flat = c->mode;
    try_mode(w, c, 0, 2, c->mode.joined);
    for (unsigned order = 2; order < BINS_ORDERS && c->mode.order + 1 >= order; order++)
        try_mode(w, c, c->mode.axes, order, c->mode.joined);
    c->cost += w->domains->description(&c->domain);
}

/* Residuals of all values. Special values get the words that decoding finds there. */
static void difference(const struct bins_work *w, const struct candidate *c)
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

/* What a bin costs besides its words: in the list of bins and in tables, which also lose by rare symbols. */
static unsigned price_of(const struct bins_work *w)
{
    return 8 + 12 * fpgz_prans_middle_table_count(w->layout.blocks);
}

static uint64_t learn(struct bins_work *w)
{
    struct bins_description *const d = &w->description;
    return fpgz_prans_bins_learn(&d->grid, w->bits, w->histogram, price_of(w), w->learning, d->bin, &d->bins);
}

/* Learns bins for a candidate. Returns what all values cost. */
static uint64_t measure(struct bins_work *w, const struct candidate *c)
{
    struct bins_description *const d = &w->description;
    const uint64_t most = fpgz_min(BINS_CLASSES, 1024 + w->layout.values / 4);
    d->domain = c->domain;
    d->mode = c->mode;
    d->grid = is_direct(&c->mode) ? direct_grid(w, &c->domain, c->y, c->flag, most) : residual_grid(w);
    difference(w, c);
    memset(w->histogram, 0, fpgz_prans_bins_classes(&d->grid, w->bits) * sizeof *w->histogram);
    w->kernels->count(&d->grid, w->residual, c->flag, w->layout.values, w->histogram);
    return learn(w) + w->domains->description(&c->domain);
}

/* Enters the domains with the special values of `apart`, which `flag` marks, and keeps the best two of *count
 * and these, in order. */
static void enter(struct bins_work *w, const struct prans_domain *apart, const void *values,
                  const uint8_t *flag, struct candidate best[3], unsigned *count)
{
    const struct middle_rows none = {0, 0, {0}, {0}};
    for (unsigned id = 0; id < PRANS_DOMAINS; id++) {
        struct candidate *const tried = &best[2];
        struct prans_domain_room room = w->room;
        if (id == PRANS_DOMAIN_SLAB) {
            room.exception = w->exception_of_slabs;
            room.exact = w->exact_of_slabs;
        }
        room.dictionary = apart->specials ? room.dictionary : w->other_dictionary;
        tried->domain = *apart;
        tried->flag = apart->specials ? flag : NULL;
        if (!w->domains->enter[id] ||
            !w->domains->enter[id](values, flag, w->layout.values, &room, &tried->domain, tried->y))
            continue;
        if (tried->flag)
            w->kernels->fill(&none, 1, w->layout.values, flag, tried->y);
        choose_mode(w, tried);
        for (unsigned at = 2; at-- > 0;) /* it moves before those that are worse */
            if (at >= *count || best[at + 1].cost < best[at].cost) {
                const struct candidate worse = best[at];
                best[at] = best[at + 1];
                best[at + 1] = worse;
            }
        *count += *count < 2;
    }
}

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether a word that stands `times` times in a sample is coded shorter by a symbol of its own than in a
 * bin of `width` raw bits. */
static bool is_heavy(const struct bins_work *w, size_t times, size_t samples, const struct bins_bin *bin)
{
    uint64_t words = 1;
    const int64_t width = fpgz_prans_bins_width(&w->description.grid, w->bits, bin->first, bin->end);
    for (size_t c = bin->first; c < bin->end; c++)
        words += w->histogram[c];
    const uint64_t mine = (uint64_t)times * w->layout.values / samples;
    const int64_t gain = width * 0x10000 + bins_log2(w->learning, mine + 1) - bins_log2(w->learning, words);
    return gain > 0 && mine * (uint64_t)gain >> 16 > 2 * (w->bits + price_of(w));
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
    qsort(sample, samples, sizeof *sample, by_word);
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
    learn(w);
}

/* The best two candidates; best[2] has the room that is left. Returns how many there are. */
static unsigned find_candidates(struct bins_work *w, const void *values, struct candidate best[3])
{
    struct prans_domain apart = {.number = w->description.domain.number,
                                 .infinity = w->description.domain.infinity};
    uint8_t *const rooms[] = {w->y, w->other, w->residual};
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        best[i].y = rooms[i];
    w->domains->specials(values, w->layout.values, &apart);
    w->domains->flags(values, w->layout.values, &apart, w->flag);
    enter(w, &apart, values, w->flag, best, &count);
    /* What comes in runs may also be a plain in a landscape of few heights. */
    if (apart.specials) {
        apart.specials = 0;
        memset(w->symbol, 0, w->layout.values);
        enter(w, &apart, values, w->symbol, best, &count);
    }
    w->residual = best[2].y;
    return count;
}

void fpgz_prans_bins_choose(struct bins_work *w, const void *values)
{
    struct candidate best[3];
    const unsigned count = find_candidates(w, values, best);
    /* Higher orders run away where special values are many, which samples do not see. */
    if (best[0].flag && best[0].mode.order > 1) {
        best[2] = best[0];
        best[2].mode = best[2].flat;
        if (measure(w, &best[2]) < measure(w, &best[0]))
            best[0].mode = best[0].flat;
    }
    const struct candidate *chosen = &best[0];
    uint64_t cost = UINT64_MAX;
    if (count > 1 && best[1].cost - best[0].cost < best[0].cost / CLOSE)
        cost = measure(w, &best[1]);
    if (measure(w, chosen) > cost) {
        chosen = &best[1];
        measure(w, chosen);
    }
    set_heavy_apart(w, chosen->flag);
}

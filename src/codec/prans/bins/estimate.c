/* SPDX-License-Identifier: MIT
 * Costs by histograms of the classes of samples. */
#include "codec/prans/bins/estimate.h"

#include <string.h>

#include "core/inline.h"

enum { TOGETHER = 16 /* classes that are looked at: most have no words */ };

/* Histograms of a level, in turns for words: those of the same class behind each other would wait for one
 * another. Equal classes are many and seldom the same, and those of wide words are more than others. */
static unsigned ways_of(const struct bins_survey *s)
{
    return s->grid.equal ? 1 : s->w->bits > 32 ? 2 : 4;
}

/* Samples have fewer than 2^16 words. */
static uint16_t *level_of(const struct bins_survey *s, unsigned level)
{
    return (uint16_t *)s->w->levels + level * s->stride;
}

/* Adds a run of words of a piece to their level. */
static void add(struct bins_survey *s, const uint64_t *words, const uint8_t *flag, size_t count)
{
    uint16_t class[BINS_PIECE_VALUES];
    bool fresh;
    uint16_t *const times = level_of(s, bins_classify(s, (const uint8_t *)words, flag, count, class, &fresh));
    const unsigned ways = ways_of(s);
    const size_t second = ways > 1 ? s->stride / ways : 0, third = ways > 2 ? 2 * second : 0;
    if (fresh)
        memset(times, 0, s->stride * sizeof *times);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const uint64_t four = fpgz_load64(&class[i]);
        times[four & UINT16_MAX]++;
        times[second + (four >> 16 & UINT16_MAX)]++;
        times[third + (four >> 32 & UINT16_MAX)]++;
        times[third + second + (four >> 48)]++;
    }
    for (; i < count; i++)
        times[class[i]]++;
}

/* What the words of a level cost besides the level, and add to *raw. */
INLINE uint64_t cost_of_level(const struct bins_survey *s, unsigned ways, const uint16_t *times,
                              uint64_t *raw)
{
    const struct bins_learning *const learning = s->w->learning;
    const size_t way = s->stride / ways;
    uint64_t cost = 0;
    for (size_t first = 0; first < s->classes; first += TOGETHER, times += TOGETHER) {
        uint16_t words[TOGETHER];
        uint64_t any = 0;
        for (size_t i = 0; i < TOGETHER; i++) {
            const unsigned two = times[i] + (ways > 1 ? times[way + i] : 0u),
                           others = ways > 2 ? times[2 * way + i] + times[3 * way + i] : 0;
            words[i] = (uint16_t)(two + others);
        }
        for (size_t i = 0; i < TOGETHER; i += 4)
            any |= fpgz_load64(&words[i]);
        for (size_t i = 0; any && i < TOGETHER; i++) {
            cost -= words[i] < BINS_COUNTS ? (uint64_t)learning->saved[words[i]]
                                           : bins_surprise(learning, words[i]) - BINS_USED;
            *raw += (uint64_t)words[i] * (ways == 1 ? s->grid.shift : s->w->widths[first + i]);
        }
    }
    return cost;
}

/* What words cost with a symbol for each class, in 2^-16 bits. Special values, whose residuals are 0, do not
 * count. Logarithms are rounded: what costs nothing may come out below. */
static uint64_t cost_of(const struct bins_survey *s)
{
    const unsigned ways = ways_of(s);
    uint64_t cost = bins_cost_of_levels(s), raw = 0;
    for (unsigned level = 0; level < s->levels; level++) {
        uint16_t *const times = level_of(s, level);
        if (!s->words[level])
            continue;
        times[s->of_0] = (uint16_t)(times[s->of_0] - s->specials[level]);
        cost += ways == 1   ? cost_of_level(s, 1, times, &raw)
                : ways == 2 ? cost_of_level(s, 2, times, &raw)
                            : cost_of_level(s, 4, times, &raw);
    }
    cost += raw << 16;
    return (int64_t)cost < 0 ? 0 : cost;
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

struct bins_sizes fpgz_prans_bins_sizes(const struct bins_work *w, const struct bins_candidate *c)
{
    static const struct middle_mode direct = {0, 0, false};
    enum { APART_PART = 32 /* of the runs, on either side */ };
    const struct bins_survey s = bins_survey_of(w, &c->domain, &c->sizes, &direct, &c->direct);
    if (s.levels == 1)
        return (struct bins_sizes){0, 0};
    uint16_t runs[BINS_SAMPLE_CLASSES] = {0};
    struct walk walk;
    begin_walk(&walk, w, c, &direct, false);
    for (unsigned i = 0; i < walk.pieces; i++) {
        uint16_t class[BINS_PIECE_VALUES];
        const uint8_t *flag;
        const struct bins_piece *const p = walk_to(&walk, i, &flag);
        w->kernels->classes(&s.grid, (const uint8_t *)walk.residual, p->count, class);
        runs[bins_size_of(&s, class, p->count)]++;
    }
    const unsigned apart = walk.pieces / APART_PART;
    uint64_t least = 0, most = BINS_SAMPLE_CLASSES - 1;
    for (unsigned below = runs[least]; below <= apart; below += runs[++least])
        ;
    for (unsigned above = runs[most]; above <= apart; above += runs[--most])
        ;
    return (struct bins_sizes){least << s.grid.shift, most << s.grid.shift};
}

/* What it costs to tell which ones special values are, in 2^-16 bits: their tables do not. */
static uint64_t cost_of_specials(const struct bins_learning *learning,
                                 const uint64_t times[PRANS_SPECIALS + 1])
{
    uint64_t all = 0, each = 0;
    for (unsigned s = 1; s <= PRANS_SPECIALS; s++) {
        all += times[s];
        each += bins_surprise(learning, times[s]);
    }
    return bins_surprise(learning, all) - each;
}

uint64_t fpgz_prans_bins_predict(const struct bins_work *w, const struct bins_candidate *c,
                                 const struct middle_mode *mode, bool roughly)
{
    const struct bins_grid residuals = fpgz_prans_bins_residual_grid(w);
    struct bins_survey s =
        bins_survey_of(w, &c->domain, &c->sizes, mode, bins_is_direct(mode) ? &c->direct : &residuals);
    uint64_t specials[PRANS_SPECIALS + 1] = {0};
    struct walk walk;
    size_t sampled = 0;
    begin_walk(&walk, w, c, mode, roughly);
    s.stride = fpgz_round_up(s.classes, TOGETHER) * ways_of(&s);
    for (unsigned i = 0; i < walk.pieces; i++) {
        const uint8_t *flag;
        const struct bins_piece *const p = walk_to(&walk, i, &flag);
        add(&s, walk.residual, flag, p->count);
        if (flag && c->domain.specials > 1)
            for (size_t k = 0; k < p->count; k++)
                specials[flag[k]]++;
        sampled += p->count;
    }
    const uint64_t cost = cost_of(&s) + cost_of_specials(w->learning, specials);
    return (uint64_t)((double)cost / 0x10000 / (double)sampled * (double)w->layout.values);
}

uint64_t fpgz_prans_bins_length(const struct bins_work *w, const struct bins_candidate *c,
                                const struct middle_mode *mode)
{
    enum { OCTAVE = 8 /* classes about 0 */ };
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

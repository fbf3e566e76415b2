/* SPDX-License-Identifier: MIT
 * Levels of sizes of words. A block's table suits the size of its words, and so do histograms: there is one
 * for each level. */
#ifndef FPGZ_CODEC_PRANS_BINS_LEVELS_H
#define FPGZ_CODEC_PRANS_BINS_LEVELS_H

#include "codec/prans/bins/work.h"
#include "core/bytes.h"

/* How far from 0 runs of integers are in the mean: from the least of nearly all runs to the most. */
struct bins_sizes {
    uint64_t least, most;
};

/* What is counted of words on their levels. */
struct bins_survey {
    const struct bins_work *w;
    struct bins_grid grid;
    size_t classes;
    int64_t zero;
    uint32_t of_0;         /* the class of the word 0 */
    size_t stride;         /* between the histograms of two levels */
    unsigned levels, unit; /* classes of a level */
    uint64_t least;        /* classes from 0 to the first level */
    uint64_t words[BINS_LEVELS], specials[BINS_LEVELS];
};

/* sizes: of classes that are equal. */
static inline struct bins_survey bins_survey_of(const struct bins_work *w, const struct prans_domain *domain,
                                                const struct bins_sizes *sizes,
                                                const struct middle_mode *mode, const struct bins_grid *grid)
{
    enum { OCTAVE = 8 /* classes about 0 */ };
    struct bins_survey s = {.w = w, .grid = *grid};
    s.classes = s.stride = fpgz_prans_bins_classes(grid, w->bits);
    s.of_0 = w->kernels->class_of(grid, 0);
    s.zero = fpgz_prans_bins_zero(w, grid, domain, mode);
    s.levels = (unsigned)fpgz_min(BINS_LEVELS, BINS_CLASSES / s.classes);
    s.unit = OCTAVE;
    if (grid->equal) {
        s.levels = fpgz_min(s.levels, fpgz_prans_middle_table_count(w->layout.blocks));
        s.least = sizes->least >> grid->shift;
        s.unit = (unsigned)((sizes->most >> grid->shift) - s.least) / s.levels + 1;
    }
    return s;
}

/* How far a run of words is from 0, in classes, from some of them. */
static inline uint64_t bins_size_of(const struct bins_survey *s, const uint16_t *class, size_t count)
{
    enum { LOOKED_AT = 16 };
    uint64_t sum = 0;
    for (size_t i = 0; i < LOOKED_AT && i < count; i++) {
        const int64_t from = class[count < LOOKED_AT ? i : i * count / LOOKED_AT] - s->zero;
        sum += (uint64_t)(from < 0 ? -from : from);
    }
    return count < LOOKED_AT ? sum / count : sum / LOOKED_AT;
}

static inline unsigned bins_level_of(const struct bins_survey *s, const uint16_t *class, size_t count)
{
    const uint64_t size = bins_size_of(s, class, count);
    return size < s->least ? 0 : (unsigned)fpgz_min((size - s->least) / s->unit, s->levels - 1);
}

/* Finds the classes of a run of words, and their level, which notes how many they are. `fresh` tells whether
 * it has had none. */
static inline unsigned bins_classify(struct bins_survey *s, const uint8_t *words, const uint8_t *flag,
                                     size_t count, uint16_t *class, bool *fresh)
{
    s->w->kernels->classes(&s->grid, words, count, class);
    const unsigned level = s->levels > 1 ? bins_level_of(s, class, count) : 0;
    uint32_t specials = 0;
    for (size_t i = 0; flag && i < count; i++)
        specials += flag[i] != 0;
    *fresh = !s->words[level];
    s->words[level] += count;
    s->specials[level] += specials;
    return level;
}

/* What levels cost before their classes do. */
static inline uint64_t bins_cost_of_levels(const struct bins_survey *s)
{
    uint64_t cost = 0;
    for (unsigned level = 0; level < s->levels; level++)
        cost += bins_surprise(s->w->learning, s->words[level]) -
                bins_surprise(s->w->learning, s->specials[level]);
    return cost;
}

#endif

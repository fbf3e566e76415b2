/* SPDX-License-Identifier: MIT
 * What values would cost, in a domain and by a prediction: from a sample of them, or from all. */
#ifndef FPGZ_CODEC_PRANS_BINS_ESTIMATE_H
#define FPGZ_CODEC_PRANS_BINS_ESTIMATE_H

#include "codec/prans/bins/levels.h"

enum { BINS_SAMPLE_CLASSES = 4096 /* equal classes of the pieces, at most */ };

struct bins_candidate {
    struct prans_domain domain;
    struct middle_mode mode;
    struct middle_mode flat; /* the best of the orders 0 and 1 */
    struct bins_grid direct; /* where nothing is predicted */
    struct bins_sizes sizes; /* where its classes are equal */
    uint64_t description;    /* bits that say what the domain is */
    uint64_t cost;           /* of all values with it */
    const uint8_t *marks;    /* a byte a value: which special value it is, or 0 */
    const uint8_t *flag;     /* the same; NULL if there are none */
    uint8_t *y;              /* integers of the pieces */
    uint8_t *all;            /* of all values; NULL as long as there are none */
    struct bins_line line;   /* of a candidate whose values an aide has entered */
    uint64_t low, high;      /* its smallest and its largest integer, as range() has them */
    bool counted;            /* the aide has counted its residuals, without levels, as it entered them */
    bool stale;              /* the domain's exceptions or dictionary have given way to those of another */
};

/* Whether an aide has entered the values. */
static inline bool bins_has_line(const struct bins_candidate *c)
{
    return c->line.inverse;
}

/* Whether nothing is predicted. */
static inline bool bins_is_direct(const struct middle_mode *mode)
{
    return !mode->axes && !mode->order;
}

/* The bits of a domain's integers that are inverted, so that these have their order as words. */
uint64_t fpgz_prans_bins_bias(const struct bins_work *w, const struct prans_domain *domain);

/* Equal classes over integers from `low` to `high`, with inverted bits, or over the range of `count` of them;
 * as many as `most`. Classes of residuals. */
struct bins_grid fpgz_prans_bins_equal_grid(uint64_t bias, uint64_t low, uint64_t high, uint64_t most);
struct bins_grid fpgz_prans_bins_direct_grid(const struct bins_work *w, const struct prans_domain *domain,
                                             const uint8_t *y, const uint8_t *flag, size_t count,
                                             uint64_t most);
struct bins_grid fpgz_prans_bins_residual_grid(const struct bins_work *w);

/* How far from 0 the candidate's pieces are, as its equal classes tell; 0 where these have one level. */
struct bins_sizes fpgz_prans_bins_sizes(const struct bins_work *w, const struct bins_candidate *c);

/* What the pieces' residuals would cost all values in the mode; roughly by a part of them. */
uint64_t fpgz_prans_bins_predict(const struct bins_work *w, const struct bins_candidate *c,
                                 const struct middle_mode *mode, bool roughly);

/* Bits of residuals that are not 0, and those that tell which are, of all values, as few of the pieces tell:
 * what costs of predictions differ by, about. */
uint64_t fpgz_prans_bins_length(const struct bins_work *w, const struct bins_candidate *c,
                                const struct middle_mode *mode);

/* What the next function has an aide count of a candidate with a line, if that is not priced and its classes
 * are those of residuals; but for the results' places. */
struct bins_counting fpgz_prans_bins_counting(const struct bins_work *w, const struct bins_candidate *c);

/* Learns bins for a candidate, of which there are all integers: sets the description but for heavy words and
 * tables, w->residual, and w->histogram of its classes. Returns what all values cost in bits, if that is
 * `priced`. Of a candidate with a line the aide does it, or is none any more. */
uint64_t fpgz_prans_bins_measure(struct bins_work *w, const struct bins_candidate *c, bool priced);

/* Learns bins of w->histogram. */
void fpgz_prans_bins_relearn(struct bins_work *w);

/* What a bin costs besides its words, in bits. */
unsigned fpgz_prans_bins_price(const struct bins_work *w);

#endif

/* SPDX-License-Identifier: MIT */
#include "codec/prans/entropy/frequencies.h"

#include <string.h>

enum { CLASSES = PRANS_SCALE_BITS + 2, LEAD_BITS = 3 };

uint32_t fpgz_prans_log2(uint32_t number)
{
    const unsigned top = 31 - (unsigned)__builtin_clz(number);
    uint64_t mantissa = (uint64_t)number << (31 - top); /* 1 is 2^31 */
    uint32_t log = top;
    for (unsigned bit = 0; bit < 16; bit++) {
        mantissa = mantissa * mantissa >> 31;
        const unsigned two = mantissa >> 32 != 0;
        mantissa >>= two;
        log = log << 1 | two;
    }
    return log;
}

/* What symbols cost under counts: half a count more each, so that none is impossible. */
static void costs_of(const uint32_t *count, uint32_t *cost)
{
    uint64_t total = PRANS_SYMBOLS;
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        total += 2 * (uint64_t)count[s];
    const uint32_t all = fpgz_prans_log2((uint32_t)total);
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        cost[s] = count[s] ? all - fpgz_prans_log2(2 * count[s] + 1) : all;
}

static uint64_t cost_under(const uint32_t *count, const struct prans_support *support, const uint32_t *cost)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < support->symbols; i++)
        sum += (uint64_t)count[support->symbol[i]] * cost[support->symbol[i]];
    return sum;
}

/* Every context goes to the cluster that codes it best, and clusters become the sums of theirs. */
static void reassign(uint32_t (*histogram)[PRANS_SYMBOLS], size_t contexts, unsigned clusters,
                     struct prans_clustering *c, uint8_t *of_context, uint32_t (*cluster)[PRANS_SYMBOLS])
{
    for (unsigned k = 0; k < clusters; k++)
        costs_of(cluster[k], c->cost[k]);
    memset(cluster, 0, clusters * sizeof *cluster);
    for (size_t i = 0; i < contexts; i++) {
        if (!c->support[i].symbols)
            continue;
        c->best[i] = UINT64_MAX;
        for (unsigned k = 0; k < clusters; k++) {
            const uint64_t cost = cost_under(histogram[i], &c->support[i], c->cost[k]);
            if (cost < c->best[i]) {
                c->best[i] = cost;
                of_context[i] = (uint8_t)k;
            }
        }
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            cluster[of_context[i]][s] += histogram[i][s];
    }
}

/* Clusters that no context chose any more give up their numbers. */
static unsigned drop_empty(size_t contexts, unsigned clusters, uint8_t *of_context,
                           uint32_t (*cluster)[PRANS_SYMBOLS])
{
    uint8_t number[PRANS_TABLES];
    unsigned kept = 0;
    for (unsigned k = 0; k < clusters; k++) {
        uint64_t total = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            total += cluster[k][s];
        number[k] = (uint8_t)kept;
        if (total)
            memmove(cluster[kept++], cluster[k], sizeof *cluster);
    }
    for (size_t i = 0; i < contexts; i++)
        if (of_context[i] != PRANS_NONE)
            of_context[i] = number[of_context[i]];
    return kept;
}

unsigned fpgz_prans_cluster(uint32_t (*histogram)[PRANS_SYMBOLS], size_t contexts, unsigned most,
                            struct prans_clustering *c, uint8_t *of_context,
                            uint32_t (*cluster)[PRANS_SYMBOLS])
{
    enum { SYMBOL_BITS = 6 }; /* about what a symbol costs in a table */
    memset(cluster[0], 0, sizeof *cluster);
    for (size_t i = 0; i < contexts; i++) {
        struct prans_support *const support = &c->support[i];
        uint32_t own[PRANS_SYMBOLS];
        support->symbols = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            cluster[0][s] += histogram[i][s];
            if (histogram[i][s])
                support->symbol[support->symbols++] = (uint8_t)s;
        }
        of_context[i] = support->symbols ? 0 : PRANS_NONE;
        costs_of(histogram[i], own);
        c->least[i] =
            cost_under(histogram[i], support, own) + ((uint64_t)support->symbols * SYMBOL_BITS << 16);
    }
    unsigned clusters = 1;
    for (; clusters < most; clusters++) {
        if (!(clusters & (clusters - 1)))
            reassign(histogram, contexts, clusters, c, of_context, cluster);
        /* The context that would gain most from a table of its own. */
        size_t worst = contexts;
        uint64_t gain = 0;
        for (size_t i = 0; i < contexts; i++)
            if (c->support[i].symbols && c->best[i] > c->least[i] && c->best[i] - c->least[i] > gain) {
                gain = c->best[i] - c->least[i];
                worst = i;
            }
        if (worst == contexts)
            break;
        memcpy(cluster[clusters], histogram[worst], sizeof *cluster);
        costs_of(cluster[clusters], c->cost[clusters]);
        for (size_t i = 0; i < contexts; i++) {
            const uint64_t cost = cost_under(histogram[i], &c->support[i], c->cost[clusters]);
            if (cost < c->best[i])
                c->best[i] = cost;
        }
    }
    for (unsigned round = 0; round < 3; round++)
        reassign(histogram, contexts, clusters, c, of_context, cluster);
    return drop_empty(contexts, clusters, of_context, cluster);
}

/* Four significant bits at most. */
static uint32_t shorten(uint32_t frequency)
{
    const unsigned top = 31 - (unsigned)__builtin_clz(frequency);
    return top > LEAD_BITS ? frequency >> (top - LEAD_BITS) << (top - LEAD_BITS) : frequency;
}

void fpgz_prans_scale(const uint32_t count[PRANS_SYMBOLS], uint16_t frequency[PRANS_SYMBOLS])
{
    uint64_t total = 0;
    unsigned largest = 0;
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
        total += count[s];
        largest = count[s] > count[largest] ? s : largest;
    }
    /* The largest takes what rounding leaves; where small ones took too much, all shrink. */
    for (uint64_t scale = PRANS_SCALE;; scale -= scale / 16) {
        int64_t left = PRANS_SCALE;
        uint32_t next = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            uint32_t f = total ? (uint32_t)((count[s] * scale + total / 2) / total) : 0;
            f = count[s] && !f ? 1 : f;
            if (f > 1 << LEAD_BITS) { /* to the nearest of the short ones */
                const unsigned top = 31 - (unsigned)__builtin_clz(f);
                f = shorten(f + (1u << (top - LEAD_BITS) >> 1));
            }
            frequency[s] = (uint16_t)f;
            left -= s == largest ? 0 : f;
            next = s != largest && f > next ? f : next;
        }
        if (left < 1 || (uint32_t)left <= next)
            continue;
        frequency[largest] = (uint16_t)left;
        return;
    }
}

/* A table is its largest symbol, which takes what the others leave, and the others as classes (the number of
 * bits) under the classes of the symbol before and of the same symbol in the table before, with up to three
 * bits below the leading one. */
void fpgz_prans_code_frequencies(struct prans_range *r, uint16_t (*frequency)[PRANS_SYMBOLS], unsigned tables)
{
    uint16_t classes[CLASSES][CLASSES][16], largest_bits[PRANS_SYMBOLS], below[CLASSES][8];
    uint8_t above[PRANS_SYMBOLS] = {0};
    fpgz_prans_chances(&classes[0][0][0], sizeof classes / sizeof(uint16_t));
    fpgz_prans_chances(largest_bits, PRANS_SYMBOLS);
    fpgz_prans_chances(&below[0][0], sizeof below / sizeof(uint16_t));
    for (unsigned t = 0; t < tables; t++) {
        uint16_t *const f = frequency[t];
        unsigned largest = 0, before = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS && !r->reading; s++)
            largest = f[s] > f[largest] ? s : largest;
        largest = fpgz_prans_range_tree(r, largest_bits, 8, largest);
        uint32_t sum = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            unsigned class = s == largest          ? CLASSES - 1
                             : r->reading || !f[s] ? 0
                                                   : 32 - (unsigned)__builtin_clz(f[s]);
            if (s != largest) {
                class = fpgz_prans_range_tree(r, classes[above[s]][before], 4, class);
                if (class > PRANS_SCALE_BITS) {
                    r->failed = true;
                    class = 0;
                }
                const unsigned shift = class > LEAD_BITS + 1 ? class - LEAD_BITS - 1 : 0,
                               bits = class > 1 ? class - 1 - shift : 0, lead = bits ? 1u << bits : class;
                const unsigned rest =
                    fpgz_prans_range_tree(r, below[class], bits, f[s] >> shift & (lead - 1));
                f[s] = (uint16_t)((bits ? lead | rest : lead) << shift);
                sum += f[s];
            }
            above[s] = (uint8_t) class;
            before = class;
        }
        r->failed |= sum >= PRANS_SCALE;
        f[largest] = (uint16_t)(sum < PRANS_SCALE ? PRANS_SCALE - sum : 1);
    }
}

/* SPDX-License-Identifier: MIT
 * Clusters of contexts that share a table of frequencies: one more at a time for the context that gains most,
 * then every context goes where it is coded shortest, as k-means does with points. */
#include "codec/prans/entropy/clustering.h"

#include <string.h>

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
        if (of_context[i] != PRANS_NO_TABLE)
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
        of_context[i] = support->symbols ? 0 : PRANS_NO_TABLE;
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

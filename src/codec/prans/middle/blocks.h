/* SPDX-License-Identifier: MIT
 * What the choice of a table a block does with all symbols. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H
#define FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H

#include <string.h>

#include "codec/prans/middle/kernels.h"
#include "core/inline.h"

/* Four histograms take turns: counts of the same symbol behind each other would wait for one another. */
static void count_blocks(const uint8_t *symbol, const uint8_t *ids, size_t blocks, size_t step,
                         uint32_t (*histogram)[PRANS_SYMBOLS])
{
    enum { WAYS = 4 };
    uint32_t times[MIDDLE_TABLES][PRANS_SYMBOLS][WAYS] = {{{0}}};
    for (size_t block = 0; block < blocks; block += step) {
        const uint8_t *const s = symbol + block * MIDDLE_BLOCK;
        uint32_t(*const here)[WAYS] = times[ids[block]];
        for (unsigned i = 0; i < MIDDLE_BLOCK; i += WAYS)
            for (unsigned way = 0; way < WAYS; way++)
                here[s[i + way]][way]++;
    }
    for (unsigned t = 0; t < MIDDLE_TABLES; t++)
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            for (unsigned way = 0; way < WAYS; way++)
                histogram[t][s] += times[t][s][way];
}

/* Costs of all tables. */
typedef uint16_t table_costs __attribute__((vector_size(2 * MIDDLE_TABLES)));

INLINE table_costs table_costs_of(uint16_t (*cost)[MIDDLE_TABLES], unsigned symbol)
{
    table_costs costs;
    memcpy(&costs, cost[symbol], sizeof costs);
    return costs;
}

static void assign_blocks(const uint8_t *symbol, size_t blocks, size_t step, uint16_t (*cost)[MIDDLE_TABLES],
                          unsigned tables, uint8_t *ids)
{
    for (size_t block = 0; block < blocks; block += step) {
        const uint8_t *const s = symbol + block * MIDDLE_BLOCK;
        table_costs even = {0}, odd = {0};
        for (unsigned i = 0; i < MIDDLE_BLOCK; i += 2) {
            even += table_costs_of(cost, s[i]);
            odd += table_costs_of(cost, s[i + 1]);
        }
        const table_costs sum = even + odd;
        uint32_t best = UINT32_MAX; /* the number of the table behind its cost */
        for (unsigned t = 0; t < MIDDLE_TABLES; t++) {
            const uint32_t numbered = t < tables ? (uint32_t)sum[t] << 4 | t : UINT32_MAX;
            best = numbered < best ? numbered : best;
        }
        ids[block] = (uint8_t)(best % MIDDLE_TABLES);
    }
}

#endif

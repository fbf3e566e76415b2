/* SPDX-License-Identifier: MIT
 * Tables for blocks: blocks are grouped by size at first, then by which table codes them shortest. */
#include "codec/prans/middle/tables.h"

#include <string.h>

#include "codec/prans/entropy/frequencies.h"
#include "core/bytes.h"

enum {
    TABLE_BLOCKS = 24, /* blocks that pay for one more table */
    ROUNDS = 3,
    ROUND_BLOCKS = 640, /* that all rounds but the last look at */
    COST_BITS = 5,
    KEYS = 4096,
    KEY_SHIFT = 3, /* sums of 128 symbols to keys */
};

/* Numbers every `step`-th block by the sums of their symbols' keys, which rise with their lengths: each table
 * gets as many. */
static void group_by_size(const struct prans_middle_kernels *kernels, const uint8_t *symbol,
                          const uint8_t *key, size_t blocks, size_t step, unsigned count, uint8_t *ids)
{
    uint16_t below[KEYS] = {0}, size[ROUND_BLOCKS];
    const size_t all = (blocks + step - 1) / step;
    kernels->sizes(symbol, key, blocks, step, size);
    for (size_t b = 0; b < all; b++)
        below[size[b] >> KEY_SHIFT]++;
    for (unsigned k = 0, sum = 0; k < KEYS; k++) {
        const unsigned these = below[k];
        below[k] = (uint16_t)sum;
        sum += these;
    }
    for (size_t b = 0; b < all; b++)
        ids[b * step] = (uint8_t)((uint64_t)below[size[b] >> KEY_SHIFT]++ * count / all);
}

/* What symbols cost under the histograms; those that a table lacks cost what one in all of them would, and
 * something for their place in it. */
static void price(struct middle_tables *tables)
{
    enum { LACKING = 6 << COST_BITS };
    for (unsigned t = 0; t < tables->count; t++) {
        const uint32_t *const histogram = tables->histogram[t];
        uint32_t total = 1;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            total += histogram[s];
        const uint32_t all = fpgz_prans_log2(total);
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            const uint32_t cost = histogram[s] ? (all - fpgz_prans_log2(histogram[s])) >> (16 - COST_BITS)
                                               : (all >> (16 - COST_BITS)) + LACKING;
            tables->cost[s][t] = (uint16_t)fpgz_min(cost, UINT16_MAX / MIDDLE_BLOCK);
        }
    }
}

/* What symbols take under their own histogram, and about what its description does, in 2^-16 bits. */
static uint64_t bits_of(const uint32_t histogram[PRANS_SYMBOLS])
{
    enum { TABLE_BITS = 12 };
    uint64_t bits = 0;
    uint32_t total = 0;
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        total += histogram[s];
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        if (histogram[s])
            bits += (uint64_t)histogram[s] * (fpgz_prans_log2(total) - fpgz_prans_log2(histogram[s])) +
                    (TABLE_BITS << 16);
    return bits;
}

/* Whether one table for all blocks takes no more than the tables do with their numbers, as where values are
 * random. If so, the first one counts all. */
static bool is_one_enough(struct middle_tables *tables, size_t blocks)
{
    enum { NUMBER_BITS = 4 };
    uint32_t sum[PRANS_SYMBOLS] = {0};
    uint64_t several = (uint64_t)blocks * NUMBER_BITS << 16;
    for (unsigned t = 0; t < tables->count; t++) {
        several += bits_of(tables->histogram[t]);
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            sum[s] += tables->histogram[t][s];
    }
    if (bits_of(sum) > several)
        return false;
    memcpy(tables->histogram[0], sum, sizeof sum);
    return true;
}

unsigned fpgz_prans_middle_table_count(size_t blocks)
{
    return (unsigned)fpgz_min(MIDDLE_TABLES, 1 + blocks / TABLE_BLOCKS);
}

void fpgz_prans_middle_choose_tables(const struct prans_middle_kernels *kernels, const uint8_t *symbol,
                                     const uint8_t *key, size_t blocks, uint8_t *ids,
                                     struct middle_tables *tables)
{
    const size_t step = (blocks + ROUND_BLOCKS - 1) / ROUND_BLOCKS;
    tables->count = fpgz_prans_middle_table_count(blocks);
    memset(tables->cost, 0, sizeof tables->cost);
    group_by_size(kernels, symbol, key, blocks, step, tables->count, ids);
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(tables->histogram, 0, sizeof tables->histogram);
        kernels->count(symbol, ids, blocks, step, tables->histogram);
        price(tables);
        kernels->assign(symbol, blocks, round + 1 < ROUNDS ? step : 1, tables->cost, tables->count, ids);
    }
    memset(tables->histogram, 0, sizeof tables->histogram);
    kernels->count(symbol, ids, blocks, 1, tables->histogram);
    if (tables->count > 1 && is_one_enough(tables, blocks)) {
        tables->count = 1;
        memset(ids, 0, blocks);
    }
    for (unsigned t = 0; t < tables->count; t++)
        fpgz_prans_scale(tables->histogram[t], tables->frequency[t]);
}

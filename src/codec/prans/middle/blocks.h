/* SPDX-License-Identifier: MIT
 * What the choice of a table a block does with all symbols. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H
#define FPGZ_CODEC_PRANS_MIDDLE_BLOCKS_H

#ifdef __SSE4_1__
#include <immintrin.h>
#endif
#include <string.h>

#include "codec/prans/middle/kernels.h"
#include "core/inline.h"

#ifdef __AVX512VBMI__
#include "codec/prans/middle/look_up_avx512.h"
#endif

/* The sum of the keys of a block's symbols. */
INLINE unsigned size_of_block(const uint8_t *symbol, const uint8_t key[PRANS_SYMBOLS])
{
    unsigned sum = 0;
#ifdef __AVX512VBMI__
    __m512i table[PRANS_SYMBOLS / 64];
    memcpy(table, key, sizeof table);
    for (unsigned i = 0; i < MIDDLE_BLOCK; i += 64) {
        const __m512i number = _mm512_loadu_si512(symbol + i),
                      keys = look_up(table, number, _mm512_movepi8_mask(number));
        sum += (unsigned)_mm512_reduce_add_epi64(_mm512_sad_epu8(keys, _mm512_setzero_si512()));
    }
#else
    for (unsigned i = 0; i < MIDDLE_BLOCK; i++)
        sum += key[symbol[i]];
#endif
    return sum;
}

static void block_sizes(const uint8_t *symbol, const uint8_t key[PRANS_SYMBOLS], size_t blocks, size_t step,
                        uint16_t *size)
{
    for (size_t block = 0; block < blocks; block += step)
        *size++ = (uint16_t)size_of_block(symbol + block * MIDDLE_BLOCK, key);
}

enum { WAYS = 4 };

/* Adds what `times` has counted of each symbol, and clears it. */
INLINE void add_times(uint16_t (*times)[PRANS_SYMBOLS][WAYS], uint32_t (*histogram)[PRANS_SYMBOLS])
{
    for (unsigned t = 0; t < MIDDLE_TABLES; t++)
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            for (unsigned way = 0; way < WAYS; way++)
                histogram[t][s] += times[t][s][way];
    memset(times, 0, MIDDLE_TABLES * sizeof *times);
}

/* Four histograms take turns: counts of the same symbol behind each other would wait for one another. They
 * are short, so that the nearest cache has them all. */
static void count_blocks(const uint8_t *symbol, const uint8_t *ids, size_t blocks, size_t step,
                         uint32_t (*histogram)[PRANS_SYMBOLS])
{
    enum { MOST = UINT16_MAX / (MIDDLE_BLOCK / WAYS) /* blocks, which may be of one symbol */ };
    uint16_t times[MIDDLE_TABLES][PRANS_SYMBOLS][WAYS] = {{{0}}};
    unsigned counted = 0;
    for (size_t block = 0; block < blocks; block += step) {
        const uint8_t *const s = symbol + block * MIDDLE_BLOCK;
        uint16_t(*const here)[WAYS] = times[ids[block]];
        for (unsigned i = 0; i < MIDDLE_BLOCK; i += WAYS)
            for (unsigned way = 0; way < WAYS; way++)
                here[s[i + way]][way]++;
        if (++counted % MOST == 0)
            add_times(times, histogram);
    }
    add_times(times, histogram);
}

/* Costs of all tables. */
typedef uint16_t table_costs __attribute__((vector_size(2 * MIDDLE_TABLES)));

/* The first of the tables whose cost is the least. */
INLINE unsigned cheapest_table(table_costs cost)
{
#ifdef __SSE4_1__
    __m128i half[2];
    memcpy(half, &cost, sizeof half);
    const uint32_t low = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(half[0])),
                   high = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(half[1]));
    return (uint16_t)high < (uint16_t)low ? MIDDLE_TABLES / 2 + (high >> 16) : low >> 16;
#else
    uint32_t best = UINT32_MAX; /* the number of the table behind its cost */
    for (unsigned t = 0; t < MIDDLE_TABLES; t++) {
        const uint32_t numbered = (uint32_t)cost[t] << 4 | t;
        best = numbered < best ? numbered : best;
    }
    return best % MIDDLE_TABLES;
#endif
}

static void assign_blocks(const uint8_t *symbol, size_t blocks, size_t step, uint16_t (*cost)[MIDDLE_TABLES],
                          unsigned tables, uint8_t *ids)
{
    table_costs costs[PRANS_SYMBOLS]; /* a line of the cache has two, if they are aligned */
    table_costs none;
    memcpy(costs, cost, sizeof costs);
    for (unsigned t = 0; t < MIDDLE_TABLES; t++)
        none[t] = t < tables ? 0 : UINT16_MAX;
    for (size_t block = 0; block < blocks; block += step) {
        const uint8_t *const s = symbol + block * MIDDLE_BLOCK;
        table_costs sum[WAYS] = {{0}};
        for (unsigned i = 0; i < MIDDLE_BLOCK; i += WAYS)
            for (unsigned way = 0; way < WAYS; way++)
                sum[way] += costs[s[i + way]];
        ids[block] = (uint8_t)cheapest_table(((sum[0] + sum[1]) + (sum[2] + sum[3])) | none);
    }
}

#endif

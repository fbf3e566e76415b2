/* SPDX-License-Identifier: MIT
 * Distinct values are counted by a bitmap: the bits that the values' hashes set. */
#include "codec/distinct.h"

#include <string.h>

enum { MAP_BITS = 20, FEW_PART = 20, FULL_PART = 8 /* a map this full tells too little */ };
_Static_assert(1 << MAP_BITS == 8 * FPGZ_DISTINCT_MEMORY, "the map is all of the scratch");

static inline size_t set(uint64_t *map, uint64_t word)
{
    const uint64_t at = word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MAP_BITS);
    const uint64_t before = map[at / 64], bit = (uint64_t)1 << at % 64;
    map[at / 64] = before | bit;
    return !(before & bit);
}

size_t fpgz_distinct(const struct fpgz_grid *grid, const void *values, void *scratch)
{
    const size_t count = (size_t)fpgz_grid_values(grid), few = count / FEW_PART;
    const size_t most = few < (1 << MAP_BITS) / FULL_PART ? few : (1 << MAP_BITS) / FULL_PART;
    const bool wide = fpgz_dtype_size(grid->dtype) == sizeof(uint64_t);
    size_t distinct = 0;
    memset(scratch, 0, FPGZ_DISTINCT_MEMORY);
    for (size_t i = 0; i < count && distinct <= most; i++)
        distinct += set(scratch, wide ? ((const uint64_t *)values)[i] : ((const uint32_t *)values)[i]);
    return distinct <= most ? distinct : SIZE_MAX;
}

double fpgz_distinct_ratio(const struct fpgz_grid *grid, const void *values, void *scratch)
{
    const double bits = 8 * (double)fpgz_dtype_size(grid->dtype);
    const size_t distinct = bits < 32 ? SIZE_MAX : fpgz_distinct(grid, values, scratch);
    unsigned log = 0;
    while (distinct >> log > 1)
        log++;
    return distinct == SIZE_MAX ? 1 : (log + 1) / bits + (double)distinct / (double)fpgz_grid_values(grid);
}

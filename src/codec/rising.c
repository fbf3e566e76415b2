/* SPDX-License-Identifier: MIT
 * Rising grids: pairs of neighbours tell. */
#include "codec/rising.h"

#include "codec/sample.h"
#include "core/bytes.h"

/* A number that is the larger the larger the value is. */
static uint64_t rank_of(char kind, const uint8_t *value, size_t size)
{
    const uint64_t sign = (uint64_t)1 << (8 * size - 1), word = fpgz_load_word(value, size);
    return kind == 'u' ? word : kind == 'f' && word & sign ? sign - 1 - (word - sign) : word ^ sign;
}

bool fpgz_rises(const struct fpgz_grid *grid, const void *values)
{
    enum { PAIRS = 512, LEAST = PAIRS / 4, OTHER_PART = 8 /* of the pairs that are no equal values */ };
    const size_t size = fpgz_dtype_size(grid->dtype), count = (size_t)fpgz_grid_values(grid);
    const char kind = fpgz_dtypes[grid->dtype].kind;
    if (size < sizeof(uint32_t) || count < PAIRS)
        return false;
    unsigned rising = 0, falling = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint8_t *const at = (const uint8_t *)values + size * fpgz_sample_place(i, PAIRS, count - 1);
        const uint64_t first = rank_of(kind, at, size), second = rank_of(kind, at + size, size);
        rising += first < second;
        falling += first > second;
    }
    const unsigned apart = rising + falling;
    return apart >= LEAST && fpgz_min(rising, falling) <= apart / OTHER_PART;
}

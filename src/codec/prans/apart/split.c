/* SPDX-License-Identifier: MIT
 * Parts of a grid by axes. */
#include "codec/prans/apart/split.h"

#include <string.h>

#include "core/strided.h"

static size_t product(const uint64_t *extent, unsigned count)
{
    size_t values = 1;
    for (unsigned i = 0; i < count; i++)
        values *= (size_t)extent[i];
    return values;
}

bool fpgz_prans_apart_split(const struct fpgz_grid *grid, unsigned slow_axes, unsigned fast_axes,
                            struct apart_split *split)
{
    if (slow_axes + fast_axes >= grid->dims || slow_axes >= grid->dims || fast_axes >= grid->dims)
        return false;
    *split = (struct apart_split){.slow_axes = slow_axes, .fast_axes = fast_axes};
    split->part = (struct fpgz_grid){grid->dtype, grid->dims - slow_axes - fast_axes, {0}};
    memcpy(split->part.extent, grid->extent + slow_axes, split->part.dims * sizeof *grid->extent);
    split->slow = product(grid->extent, slow_axes);
    split->middle = product(split->part.extent, split->part.dims);
    split->fast = product(grid->extent + grid->dims - fast_axes, fast_axes);
    return split->slow <= APART_MOST && split->fast <= APART_MOST && split->slow * split->fast > 1 &&
           split->slow * split->fast <= APART_MOST;
}

bool fpgz_prans_apart_has_parts(const struct fpgz_grid *grid)
{
    struct apart_split split;
    bool any = false;
    for (unsigned axes = 1; axes < grid->dims && !any; axes++)
        any = fpgz_prans_apart_split(grid, axes, 0, &split) || fpgz_prans_apart_split(grid, 0, axes, &split);
    return any;
}

/* How many parts are estimated along an axis. Of tables alone so many differ. */
static uint64_t most_parts(const struct fpgz_grid *grid)
{
    enum { MOST_OF_TABLES = 256, MOST_OF_FIELDS = 64 };
    return grid->dims == 2 ? MOST_OF_TABLES : MOST_OF_FIELDS;
}

unsigned fpgz_prans_apart_slow_axes(const struct fpgz_grid *grid)
{
    unsigned axes = 0;
    while (axes < grid->dims && grid->extent[axes] == 1)
        axes++;
    return axes + 1 < grid->dims && grid->extent[axes] <= most_parts(grid) ? axes + 1 : 0;
}

unsigned fpgz_prans_apart_fast_axes(const struct fpgz_grid *grid)
{
    unsigned axes = 0;
    while (axes < grid->dims && grid->extent[grid->dims - 1 - axes] == 1)
        axes++;
    return axes + 1 < grid->dims && grid->extent[grid->dims - 1 - axes] <= most_parts(grid) ? axes + 1 : 0;
}

void fpgz_prans_apart_take_one(const struct apart_split *split, const void *values, size_t part, void *to)
{
    const size_t size = fpgz_dtype_size(split->part.dtype), fast = split->fast;
    const size_t first = part / fast * split->middle * fast + part % fast;
    fpgz_copy_strided(to, size, (const uint8_t *)values + first * size, fast * size, split->middle, size);
}

/* In pieces, so that lines of the cache are read once for all parts. */
void fpgz_prans_apart_take(const struct apart_split *split, const void *values, void *parts)
{
    enum { PIECE = 1024 };
    const size_t size = fpgz_dtype_size(split->part.dtype), fast = split->fast, middle = split->middle;
    for (size_t s = 0; s < split->slow; s++)
        for (size_t at = 0, count; at < middle; at += count) {
            count = middle - at < PIECE ? middle - at : PIECE;
            for (size_t f = 0; f < fast; f++)
                fpgz_copy_strided((uint8_t *)parts + ((s * fast + f) * middle + at) * size, size,
                                  (const uint8_t *)values + ((s * middle + at) * fast + f) * size,
                                  fast * size, count, size);
        }
}

void fpgz_prans_apart_put(const struct apart_split *split, const void *parts, void *values)
{
    const size_t size = fpgz_dtype_size(split->part.dtype), middle = split->middle,
                 bytes = split->fast * middle * size;
    for (size_t s = 0; s < split->slow; s++)
        fpgz_interleave((uint8_t *)values + s * bytes, (const uint8_t *)parts + s * bytes, middle * size,
                        split->fast, middle, size);
}

void fpgz_prans_apart_put_some(const struct apart_split *split, const void *parts, uint64_t first,
                               uint64_t count, void *values)
{
    const size_t size = fpgz_dtype_size(split->part.dtype), fast = split->fast, middle = split->middle;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)first + i, row = at / fast;
        const size_t from = (row / middle * fast + at % fast) * middle + row % middle;
        memcpy((uint8_t *)values + i * size, (const uint8_t *)parts + from * size, size);
    }
}

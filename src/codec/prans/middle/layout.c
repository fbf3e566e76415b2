/* SPDX-License-Identifier: MIT
 * The order in which values are coded, and the rows that predict a row. */
#include "codec/prans/middle/layout.h"

#include "core/bytes.h"

struct middle_layout fpgz_prans_middle_layout(const struct fpgz_grid *grid)
{
    struct middle_layout l = {.values = (size_t)fpgz_grid_values(grid), .components = 1};
    unsigned dims = grid->dims;
    while (dims > 1 && grid->extent[dims - 1] <= MIDDLE_COMPONENTS / l.components)
        l.components *= (unsigned)grid->extent[--dims];
    l.points = l.values / l.components;
    l.row = (size_t)grid->extent[dims - 1];
    if (l.components > 1)
        l.extent[l.axes++] = l.components;
    for (unsigned d = 0; d + 1 < dims; d++)
        if (grid->extent[d] > 1)
            l.extent[l.axes++] = (size_t)grid->extent[d];
    l.rows = l.values / l.row;
    l.blocks = (l.values + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK;
    l.segments = (l.values + MIDDLE_SEGMENT - 1) / MIDDLE_SEGMENT;
    return l;
}

struct middle_rows fpgz_prans_middle_rows(const struct middle_layout *layout, unsigned axes, size_t row)
{
    struct middle_rows rows = {0, 0, {0}, {0}};
    size_t step[MIDDLE_AXES], stride = layout->row;
    unsigned usable = 0;
    for (unsigned a = layout->axes; a-- > 0;) {
        usable |= (unsigned)(row % layout->extent[a] != 0) << a;
        row /= layout->extent[a];
        step[a] = stride;
        stride *= layout->extent[a];
    }
    usable &= axes;
    for (unsigned some = 1; some < 1u << layout->axes; some++) {
        size_t back = 0;
        if (some & ~usable)
            continue;
        for (unsigned a = 0; a < layout->axes; a++)
            back += some >> a & 1 ? step[a] : 0;
        if (__builtin_popcount(some) % 2)
            rows.add[rows.added++] = back;
        else
            rows.take[rows.taken++] = back;
    }
    return rows;
}

void fpgz_prans_middle_split(const struct middle_layout *layout, size_t size, const void *values,
                             void *planes)
{
    for (unsigned c = 0; c < layout->components; c++)
        for (size_t i = 0; i < layout->points; i++)
            if (size == 4)
                ((uint32_t *)planes)[c * layout->points + i] =
                    ((const uint32_t *)values)[i * layout->components + c];
            else
                ((uint64_t *)planes)[c * layout->points + i] =
                    ((const uint64_t *)values)[i * layout->components + c];
}

void fpgz_prans_middle_join(const struct middle_layout *layout, size_t size, const void *planes, size_t first,
                            size_t count, void *values)
{
    const size_t end = first + count;
    for (size_t i = first / layout->components; i * layout->components < end; i++)
        for (unsigned c = 0; c < layout->components; c++) {
            const size_t at = i * layout->components + c - first;
            if (at >= count)
                continue;
            if (size == 4)
                ((uint32_t *)values)[at] = ((const uint32_t *)planes)[c * layout->points + i];
            else
                ((uint64_t *)values)[at] = ((const uint64_t *)planes)[c * layout->points + i];
        }
}

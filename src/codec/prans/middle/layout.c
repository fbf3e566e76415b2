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

struct middle_layout fpgz_prans_middle_joined(const struct middle_layout *layout)
{
    struct middle_layout l = *layout;
    l.row = l.points;
    l.rows = l.components;
    l.axes = l.components > 1;
    l.extent[0] = l.components;
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

void fpgz_prans_middle_first(const struct middle_layout *layout, unsigned axes, struct middle_cursor *cursor)
{
    *cursor = (struct middle_cursor){.layout = layout, .axes = axes};
}

/* Stencils change where there are rows along other axes before a row, which is at few of them. */
void fpgz_prans_middle_next(struct middle_cursor *c)
{
    unsigned usable = 0;
    c->row++;
    for (unsigned a = c->layout->axes; a-- > 0;) {
        if (++c->index[a] < c->layout->extent[a])
            break;
        c->index[a] = 0;
    }
    for (unsigned a = 0; a < c->layout->axes; a++)
        usable |= (unsigned)(c->index[a] != 0) << a;
    if (usable == c->usable)
        return;
    c->usable = usable;
    c->rows = fpgz_prans_middle_rows(c->layout, c->axes, c->row);
}

/* Copies a value of `size` bytes. */
static inline void move(size_t size, void *to, size_t at, const void *from, size_t place)
{
    if (size == 4)
        ((uint32_t *)to)[at] = ((const uint32_t *)from)[place];
    else if (size == 8)
        ((uint64_t *)to)[at] = ((const uint64_t *)from)[place];
    else if (size == 2)
        ((uint16_t *)to)[at] = ((const uint16_t *)from)[place];
    else
        ((uint8_t *)to)[at] = ((const uint8_t *)from)[place];
}

void fpgz_prans_middle_split(const struct middle_layout *layout, size_t size, const void *values,
                             void *planes)
{
    for (unsigned c = 0; c < layout->components; c++)
        for (size_t i = 0; i < layout->points; i++)
            move(size, planes, c * layout->points + i, values, i * layout->components + c);
}

void fpgz_prans_middle_join(const struct middle_layout *layout, size_t size, const void *planes, size_t first,
                            size_t count, void *values)
{
    const size_t end = first + count;
    for (size_t i = first / layout->components; i * layout->components < end; i++)
        for (unsigned c = 0; c < layout->components; c++) {
            const size_t at = i * layout->components + c - first;
            if (at < count)
                move(size, values, at, planes, c * layout->points + i);
        }
}

size_t fpgz_prans_middle_slab(const struct middle_layout *layout)
{
    enum { LEAST_VALUES = 1024 };
    const unsigned first = layout->components > 1;
    size_t slab = layout->row;
    for (unsigned a = layout->axes; a-- > first && (a + 1 == layout->axes || slab < LEAST_VALUES);)
        slab *= layout->extent[a];
    return slab;
}

size_t fpgz_prans_middle_needed(const struct middle_layout *layout, unsigned axes, size_t at)
{
    size_t unit = layout->row;
    if (axes)
        for (unsigned a = (unsigned)__builtin_ctz(axes); a < layout->axes; a++)
            unit *= layout->extent[a];
    return at / unit * unit;
}

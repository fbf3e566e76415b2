/* SPDX-License-Identifier: MIT
 * The order in which values are coded, and the rows that predict a row. */
#include "codec/prans/middle/layout.h"

#include "core/bytes.h"
#include "core/inline.h"
#include "core/strided.h"

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
    usable &= c->axes;
    if (usable == c->usable)
        return;
    c->usable = usable;
    c->rows = fpgz_prans_middle_rows(c->layout, c->axes, c->row);
}

void fpgz_prans_middle_go(struct middle_cursor *c, size_t row)
{
    if (row == c->row)
        return;
    if (row == c->row + 1) {
        fpgz_prans_middle_next(c);
        return;
    }
    c->row = row;
    c->usable = 0;
    for (unsigned a = c->layout->axes; a-- > 0; row /= c->layout->extent[a]) {
        c->index[a] = row % c->layout->extent[a];
        c->usable |= (unsigned)(c->index[a] != 0) << a;
    }
    c->usable &= c->axes;
    c->rows = fpgz_prans_middle_rows(c->layout, c->axes, c->row);
}

/* Copies a value of `size` bytes. */
INLINE void move(size_t size, void *restrict to, size_t at, const void *restrict from, size_t place)
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

/* `count` points, the first of which is number `first` of planes of `points` each. */
struct points {
    size_t first, count, points;
};

/* By components and sizes that compilers know. */
INLINE void split_points(size_t size, size_t components, const struct points *p, const void *values,
                         void *planes)
{
    for (size_t c = 0; c < components; c++) {
        void *const plane = (uint8_t *)planes + (c * p->points + p->first) * size;
        for (size_t i = 0; i < p->count; i++)
            move(size, plane, i, values, i * components + c);
    }
}

#define OF_COMPONENTS(function, size, components, ...)                                                       \
    ((components) == 2   ? function(size, 2, __VA_ARGS__)                                                    \
     : (components) == 3 ? function(size, 3, __VA_ARGS__)                                                    \
     : (components) == 4 ? function(size, 4, __VA_ARGS__)                                                    \
                         : function(size, components, __VA_ARGS__))
#define OF_SIZE(function, size, components, ...)                                                             \
    ((size) == 4   ? OF_COMPONENTS(function, 4, components, __VA_ARGS__)                                     \
     : (size) == 8 ? OF_COMPONENTS(function, 8, components, __VA_ARGS__)                                     \
     : (size) == 2 ? OF_COMPONENTS(function, 2, components, __VA_ARGS__)                                     \
                   : OF_COMPONENTS(function, 1, components, __VA_ARGS__))

void fpgz_prans_middle_split(const struct middle_layout *layout, size_t size, const void *values,
                             void *planes)
{
    const struct points all = {0, layout->points, layout->points};
    OF_SIZE(split_points, size, layout->components, &all, values, planes);
}

void fpgz_prans_middle_join(const struct middle_layout *layout, size_t size, const void *planes, size_t first,
                            size_t count, void *values)
{
    const size_t components = layout->components, end = first + count;
    size_t at = first;
    uint8_t *out = values;
    while (at < end) {
        const size_t point = at / components, whole = (end - at) / components;
        const uint8_t *const from = (const uint8_t *)planes + point * size;
        if (at % components == 0 && whole) {
            fpgz_interleave(out, from, layout->points * size, components, whole, size);
            at += whole * components;
            out += whole * components * size;
        } else {
            memcpy(out, from + at % components * layout->points * size, size);
            at++;
            out += size;
        }
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

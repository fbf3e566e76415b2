/* SPDX-License-Identifier: MIT
 * The lists of taps of fixed stencils and of the shapes of fitted ones, and what they are for a grid. */
#include "codec/prans/predict/stencil.h"

#include <string.h>

/* A neighbour in steps back along x, y, z, t. */
struct neighbour {
    signed char back[4];
};

struct fixed {
    unsigned dims;
    unsigned taps;
    struct {
        struct neighbour at;
        signed char twice; /* the weight times 2 */
    } tap[15];
};

#define AT(x, y, z, t)                                                                                       \
    {                                                                                                        \
        {                                                                                                    \
            x, y, z, t                                                                                       \
        }                                                                                                    \
    }

/* clang-format off */
static const struct fixed fixed_bank[PRANS_FIXED] = {
    {0, 0, {{AT(0, 0, 0, 0), 0}}},
    {1, 1, {{AT(1, 0, 0, 0), 2}}},
    {1, 2, {{AT(1, 0, 0, 0), 4}, {AT(2, 0, 0, 0), -2}}},
    {1, 3, {{AT(1, 0, 0, 0), 6}, {AT(2, 0, 0, 0), -6}, {AT(3, 0, 0, 0), 2}}},
    {1, 2, {{AT(1, 0, 0, 0), 3}, {AT(2, 0, 0, 0), -1}}},
    {2, 1, {{AT(0, 1, 0, 0), 2}}},
    {2, 3, {{AT(1, 0, 0, 0), 2}, {AT(0, 1, 0, 0), 2}, {AT(1, 1, 0, 0), -2}}},
    {2, 2, {{AT(0, 1, 0, 0), 4}, {AT(0, 2, 0, 0), -2}}},
    {2, 5, {{AT(1, 0, 0, 0), 4}, {AT(2, 0, 0, 0), -2}, {AT(0, 1, 0, 0), 2}, {AT(1, 1, 0, 0), -4},
            {AT(2, 1, 0, 0), 2}}},
    {2, 2, {{AT(1, 0, 0, 0), 1}, {AT(0, 1, 0, 0), 1}}},
    {3, 1, {{AT(0, 0, 1, 0), 2}}},
    {3, 3, {{AT(1, 0, 0, 0), 2}, {AT(0, 0, 1, 0), 2}, {AT(1, 0, 1, 0), -2}}},
    {3, 3, {{AT(0, 1, 0, 0), 2}, {AT(0, 0, 1, 0), 2}, {AT(0, 1, 1, 0), -2}}},
    {3, 7, {{AT(1, 0, 0, 0), 2}, {AT(0, 1, 0, 0), 2}, {AT(0, 0, 1, 0), 2}, {AT(1, 1, 0, 0), -2},
            {AT(1, 0, 1, 0), -2}, {AT(0, 1, 1, 0), -2}, {AT(1, 1, 1, 0), 2}}},
    {4, 1, {{AT(0, 0, 0, 1), 2}}},
    {4, 3, {{AT(1, 0, 0, 0), 2}, {AT(0, 0, 0, 1), 2}, {AT(1, 0, 0, 1), -2}}},
    {4, 15, {{AT(1, 0, 0, 0), 2}, {AT(0, 1, 0, 0), 2}, {AT(0, 0, 1, 0), 2}, {AT(0, 0, 0, 1), 2},
             {AT(1, 1, 0, 0), -2}, {AT(1, 0, 1, 0), -2}, {AT(1, 0, 0, 1), -2}, {AT(0, 1, 1, 0), -2},
             {AT(0, 1, 0, 1), -2}, {AT(0, 0, 1, 1), -2}, {AT(1, 1, 1, 0), 2}, {AT(1, 1, 0, 1), 2},
             {AT(1, 0, 1, 1), 2}, {AT(0, 1, 1, 1), 2}, {AT(1, 1, 1, 1), -2}}},
};

/* Of the shapes; all but the first, which is a run of PRANS_LINE values along x. */
static const struct {
    unsigned dims, taps;
    struct neighbour at[PRANS_TAPS];
} shapes[PRANS_SHAPES] = {
    {1, 12, {AT(1, 0, 0, 0), AT(2, 0, 0, 0), AT(3, 0, 0, 0), AT(4, 0, 0, 0), AT(5, 0, 0, 0), AT(6, 0, 0, 0),
             AT(7, 0, 0, 0), AT(8, 0, 0, 0), AT(9, 0, 0, 0), AT(10, 0, 0, 0), AT(11, 0, 0, 0),
             AT(12, 0, 0, 0)}},
    {2, 11, {AT(1, 0, 0, 0), AT(0, 1, 0, 0), AT(1, 1, 0, 0), AT(-1, 1, 0, 0), AT(2, 0, 0, 0), AT(0, 2, 0, 0),
             AT(2, 1, 0, 0), AT(-2, 1, 0, 0), AT(1, 2, 0, 0), AT(-1, 2, 0, 0), AT(3, 0, 0, 0)}},
    {3, 15, {AT(1, 0, 0, 0), AT(2, 0, 0, 0), AT(0, 1, 0, 0), AT(1, 1, 0, 0), AT(-1, 1, 0, 0), AT(0, 2, 0, 0),
             AT(0, 0, 1, 0), AT(1, 0, 1, 0), AT(-1, 0, 1, 0), AT(0, 1, 1, 0), AT(0, -1, 1, 0),
             AT(1, 1, 1, 0), AT(-1, 1, 1, 0), AT(0, 0, 2, 0), AT(3, 0, 0, 0)}},
    {4, 23, {AT(1, 0, 0, 0), AT(2, 0, 0, 0), AT(0, 1, 0, 0), AT(1, 1, 0, 0), AT(-1, 1, 0, 0), AT(0, 2, 0, 0),
             AT(0, 0, 1, 0), AT(1, 0, 1, 0), AT(-1, 0, 1, 0), AT(0, 1, 1, 0), AT(0, -1, 1, 0),
             AT(1, 1, 1, 0), AT(-1, 1, 1, 0), AT(0, 0, 2, 0), AT(3, 0, 0, 0), AT(0, 0, 0, 1), AT(1, 0, 0, 1),
             AT(-1, 0, 0, 1), AT(0, 1, 0, 1), AT(0, -1, 0, 1), AT(0, 0, 1, 1), AT(0, 0, -1, 1),
             AT(0, 0, 0, 2)}},
    {2, 8, {AT(1, 0, 0, 0), AT(2, 0, 0, 0), AT(3, 0, 0, 0), AT(4, 0, 0, 0), AT(0, 1, 0, 0), AT(1, 1, 0, 0),
            AT(-1, 1, 0, 0), AT(0, 0, 1, 0)}},
    {1, 1, {AT(1, 0, 0, 0)}}, /* and all other near values, of whatever component */
};
/* clang-format on */
#undef AT

enum { SHAPE_COMPONENTS = 4, SHAPE_NEAR = 5 };

struct prans_axes fpgz_prans_axes(const struct fpgz_grid *grid)
{
    struct prans_axes axes = {.phases = 1};
    uint64_t step = 1;
    for (unsigned d = grid->dims; d-- > 0; step *= grid->extent[d]) {
        if (grid->extent[d] == 1)
            continue;
        const bool components = !axes.dims && grid->extent[d] * axes.phases <= PRANS_PHASES;
        if (components)
            axes.phases *= (unsigned)grid->extent[d];
        else
            axes.step[axes.dims++] = step;
    }
    if (!axes.dims) { /* no more than a point */
        axes.phases = 1;
        axes.step[axes.dims++] = 1;
    }
    return axes;
}

/* 0 when it lies not before the value, or along an axis that the grid lacks. */
static uint64_t offset_of(const struct prans_axes *axes, const struct neighbour *at)
{
    int64_t offset = 0;
    for (unsigned d = 0; d < 4; d++) {
        if (at->back[d] && !axes->step[d])
            return 0;
        offset += at->back[d] * (int64_t)axes->step[d];
    }
    return offset > 0 ? (uint64_t)offset : 0;
}

static void add_tap(uint64_t offset, unsigned phase, double weight, struct prans_stencil *s)
{
    if (offset > s->reach)
        s->reach = offset;
    if (offset <= PRANS_NEAR) {
        s->near_weight[offset - 1][phase] += weight;
        if (offset > s->near)
            s->near = (unsigned)offset;
        return;
    }
    unsigned tap = 0;
    while (tap < s->far && s->offset[tap] != offset)
        tap++;
    s->far += tap == s->far;
    s->offset[tap] = offset;
    s->far_weight[tap][phase] += weight;
}

bool fpgz_prans_stencil_fixed(const struct prans_axes *axes, unsigned id, struct prans_stencil *stencil)
{
    const struct fixed *fixed = &fixed_bank[id];
    memset(stencil, 0, sizeof *stencil);
    stencil->near = PRANS_NEAR_LEAST;
    if (fixed->dims > axes->dims)
        return false;
    for (unsigned tap = 0; tap < fixed->taps; tap++) {
        const uint64_t offset = offset_of(axes, &fixed->tap[tap].at);
        for (unsigned phase = 0; phase < axes->phases; phase++)
            add_tap(offset, phase, fixed->tap[tap].twice * 0.5, stencil);
    }
    return true;
}

unsigned fpgz_prans_shape(const struct prans_axes *axes, unsigned shape, uint64_t offset[PRANS_TAPS])
{
    const unsigned dims = axes->dims < 4 ? axes->dims : 4;
    if (shapes[shape].dims > dims || (shape >= SHAPE_COMPONENTS) != (axes->phases > 1) ||
        (shape == SHAPE_NEAR && dims > 1))
        return 0;
    unsigned taps = 0;
    for (unsigned i = 0; i < shapes[shape].taps; i++) {
        const uint64_t at = offset_of(axes, &shapes[shape].at[i]);
        if (at)
            offset[taps++] = at;
    }
    /* The other components: of this point and the one before, whatever the phase. */
    for (uint64_t back = 1; shape == SHAPE_COMPONENTS && back < 2 * axes->phases; back++)
        if (back != axes->phases)
            offset[taps++] = back;
    for (uint64_t back = 1; shape == SHAPE_NEAR && back <= PRANS_NEAR; back++)
        if (back != axes->phases)
            offset[taps++] = back;
    return taps;
}

void fpgz_prans_stencil_fitted(const struct prans_axes *axes, unsigned taps, const uint64_t *offset,
                               const double *weight, struct prans_stencil *stencil)
{
    memset(stencil, 0, sizeof *stencil);
    stencil->near = PRANS_NEAR_LEAST;
    for (unsigned tap = 0; tap < taps; tap++)
        for (unsigned phase = 0; phase < axes->phases; phase++)
            add_tap(offset[tap], phase, weight[phase * taps + tap], stencil);
}

bool fpgz_prans_entry(const struct prans_axes *axes, const struct prans_entry *entry,
                      struct prans_stencil *stencil)
{
    if (entry->id < PRANS_FIXED)
        return fpgz_prans_stencil_fixed(axes, entry->id, stencil);
    uint64_t offset[PRANS_TAPS];
    const unsigned taps = fpgz_prans_shape(axes, entry->id - PRANS_FIXED, offset);
    fpgz_prans_stencil_fitted(axes, taps, offset, entry->weight, stencil);
    return taps;
}

const char *fpgz_prans_stencil_name(unsigned id)
{
    static const char *const names[PRANS_FIXED + PRANS_SHAPES] = {
        "zero",
        "W",
        "2W-WW",
        "3W-3WW+WWW",
        "1.5W-0.5WW",
        "N",
        "W+N-NW",
        "2N-NN",
        "Lorenzo xxy",
        "(W+N)/2",
        "F",
        "W+F-WF",
        "N+F-NF",
        "Lorenzo xyz",
        "T",
        "W+T-WT",
        "Lorenzo xyzt",
        "fit12",
        "fit11",
        "fit15",
        "fit23",
        "fit components",
        "fit16",
    };
    return names[id];
}

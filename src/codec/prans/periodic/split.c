/* SPDX-License-Identifier: MIT
 * A grid by a period of an axis, and what coding by any period takes. */
#include "codec/prans/periodic/periodic.h"

#include <string.h>

#include "core/bytes.h"

/* Which axis of the grid becomes two. */
static unsigned folded_axis(enum periodic_axis axis, const struct fpgz_grid *grid)
{
    return axis == PERIODIC_FASTEST ? grid->dims - 1 : 0;
}

/* Whether it has two periods. Of four axes the fastest would become two, and one again; a row alone has but
 * one. */
static bool has_periods(enum periodic_axis axis, const struct fpgz_grid *grid, uint64_t period)
{
    return period >= 2 && period <= grid->extent[folded_axis(axis, grid)] / 2 &&
           (axis == PERIODIC_SLOWEST || (grid->dims > 1 && grid->dims < FPGZ_MAX_CODING_DIMS));
}

/* The extents with an axis as so many periods. */
static struct fpgz_grid fold(const struct fpgz_grid *grid, unsigned folded, uint64_t periods, uint64_t period)
{
    struct fpgz_grid two = {grid->dtype, 0, {0}};
    for (unsigned axis = 0; axis < grid->dims; axis++)
        if (axis == folded) {
            two.extent[two.dims++] = periods;
            two.extent[two.dims++] = period;
        } else if (two.dims < FPGZ_MAX_CODING_DIMS) {
            two.extent[two.dims++] = grid->extent[axis];
        } else { /* of five the two fastest become one */
            two.extent[two.dims - 1] *= grid->extent[axis];
        }
    return two;
}

bool fpgz_prans_periodic_split(enum periodic_axis axis, const struct fpgz_grid *grid, uint64_t period,
                               struct periodic_split *split)
{
    const unsigned folded = folded_axis(axis, grid);
    if (!has_periods(axis, grid, period))
        return false;
    const uint64_t rest = grid->extent[folded] % period;
    if (rest && axis == PERIODIC_FASTEST)
        return false;
    split->whole = fold(grid, folded, grid->extent[folded] / period, period);
    split->rest = *grid;
    split->rest.extent[0] = rest;
    split->whole_values = (size_t)fpgz_grid_values(&split->whole);
    split->rest_values = (size_t)fpgz_grid_values(&split->rest);
    return true;
}

size_t fpgz_prans_periodic_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params)
{
    return inner->bound(grid, params) + PERIODIC_FRONT;
}

/* What `inner` is asked for. Memory hangs on the extents by planes of components, which few values next to
 * each other are, and by slabs, which have 1024 values or all. So it is most with the shortest periods, or
 * with the shortest slabs, but for little. Ranks are sought in few values alone: parts may have so few, where
 * the grid has more. fpgz_prans_periodic_fits() looks. */
static size_t inner_memory(enum periodic_axis axis, const struct fpgz_codec *inner,
                           const struct fpgz_grid *grid, const struct fpgz_params *params, bool encoding)
{
    enum { SLAB = 1024, LITTLE_PART = 128, PLANES = 5 /* some sums are of grids of so many */ };
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    const unsigned folded = folded_axis(axis, grid);
    const uint64_t places = grid->extent[folded],
                   slice = axis == PERIODIC_FASTEST ? 1 : fpgz_grid_values(grid) / places;
    const uint64_t period[] = {2, (SLAB + slice - 1) / slice, PLANES};
    const size_t periods = axis == PERIODIC_FASTEST && places % PLANES == 0 ? 3 : 2;
    size_t most = memory(grid, params);
    for (size_t i = 0; i < periods; i++)
        if (has_periods(axis, grid, period[i])) { /* or nearly so */
            const struct fpgz_grid whole =
                fold(grid, folded, (places + period[i] - 1) / period[i], period[i]);
            most = fpgz_max(most, memory(&whole, params));
        }
    return fpgz_round_up(most + most / LITTLE_PART, 64);
}

/* The stream by a period stands before the scratch of the high setting, which often tries one in vain. */
size_t fpgz_prans_periodic_memory(enum periodic_axis axis, const struct fpgz_codec *inner,
                                  const struct fpgz_grid *grid, const struct fpgz_params *params,
                                  bool encoding)
{
    return inner_memory(axis, inner, grid, params, encoding) +
           (encoding && fpgz_prans_is_high(params)
                ? fpgz_round_up(fpgz_prans_periodic_bound(inner, grid, params), 64)
                : 0);
}

size_t fpgz_prans_periodic_parts(const struct fpgz_codec *inner, const struct periodic_split *split,
                                 const struct fpgz_params *params, bool encoding)
{
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    const size_t whole = memory(&split->whole, params);
    return split->rest_values ? fpgz_max(whole, memory(&split->rest, params)) : whole;
}

bool fpgz_prans_periodic_fits(enum periodic_axis axis, const struct fpgz_codec *inner,
                              const struct fpgz_grid *grid, const struct fpgz_params *params,
                              const struct periodic_split *split, bool encoding)
{
    return fpgz_prans_periodic_parts(inner, split, params, encoding) <=
           inner_memory(axis, inner, grid, params, encoding);
}

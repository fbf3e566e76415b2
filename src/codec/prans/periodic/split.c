/* SPDX-License-Identifier: MIT
 * A grid by a period of an axis, and what coding by any period takes. */
#include "codec/prans/periodic/periodic.h"

#include <string.h>

#include "core/bytes.h"

/* The extents with an axis as two. */
static struct fpgz_grid fold(const struct fpgz_grid *grid, unsigned folded, uint64_t period)
{
    struct fpgz_grid two = {grid->dtype, 0, {0}};
    for (unsigned axis = 0; axis < grid->dims; axis++)
        if (axis == folded) {
            two.extent[two.dims++] = grid->extent[axis] / period;
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
    const bool fastest = axis == PERIODIC_FASTEST;
    const unsigned folded = fastest ? grid->dims - 1 : 0;
    if (period < 2 || period > grid->extent[folded] / 2 ||
        (fastest && (grid->dims == 1 || grid->dims == FPGZ_MAX_CODING_DIMS || grid->extent[folded] % period)))
        return false;
    split->whole = fold(grid, folded, period);
    split->rest = *grid;
    split->rest.extent[0] = fastest ? 0 : grid->extent[0] % period;
    split->whole_values = (size_t)fpgz_grid_values(&split->whole);
    split->rest_values = (size_t)fpgz_grid_values(&split->rest);
    return true;
}

size_t fpgz_prans_periodic_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params)
{
    return inner->bound(grid, params) + PERIODIC_FRONT;
}

/* Memory hangs on the extents by planes of components, which few values next to each other are, and by slabs,
 * which have 1024 values or all. So it is most with the shortest period, or with the shortest slabs. The
 * stream by a period stands before the scratch of the high setting, which often tries one in vain. */
size_t fpgz_prans_periodic_memory(enum periodic_axis axis, const struct fpgz_codec *inner,
                                  const struct fpgz_grid *grid, const struct fpgz_params *params,
                                  bool encoding)
{
    enum { SLAB = 1024 };
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    const uint64_t slice = axis == PERIODIC_FASTEST ? 1 : fpgz_grid_values(grid) / grid->extent[0];
    const uint64_t period[] = {2, (SLAB + slice - 1) / slice};
    struct periodic_split split;
    size_t most = memory(grid, params);
    for (size_t i = 0; i < sizeof period / sizeof *period; i++)
        if (fpgz_prans_periodic_split(axis, grid, period[i], &split))
            most = fpgz_max(most, memory(&split.whole, params));
    return most + (encoding && fpgz_prans_is_high(params)
                       ? fpgz_round_up(fpgz_prans_periodic_bound(inner, grid, params), 64)
                       : 0);
}

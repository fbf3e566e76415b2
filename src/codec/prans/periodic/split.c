/* SPDX-License-Identifier: MIT
 * A grid by a period of its slowest axis, and what coding by any period takes. */
#include "codec/prans/periodic/periodic.h"

#include <string.h>

#include "core/bytes.h"

bool fpgz_prans_periodic_split(const struct fpgz_grid *grid, uint64_t period, struct periodic_split *split)
{
    if (period < 2 || period > grid->extent[0] / 2)
        return false;
    const size_t slice = (size_t)(fpgz_grid_values(grid) / grid->extent[0]);
    struct fpgz_grid *const whole = &split->whole;
    *whole = (struct fpgz_grid){grid->dtype, grid->dims + 1, {grid->extent[0] / period, period}};
    split->rest = *grid;
    split->rest.extent[0] = grid->extent[0] % period;
    split->whole_values = (size_t)(whole->extent[0] * period) * slice;
    split->rest_values = (size_t)split->rest.extent[0] * slice;
    for (unsigned axis = 1; axis < grid->dims; axis++) /* the two fastest of four become one */
        if (axis + 1 < FPGZ_MAX_CODING_DIMS)
            whole->extent[axis + 1] = grid->extent[axis];
        else
            whole->extent[axis] *= grid->extent[axis];
    whole->dims = (unsigned)fpgz_min(whole->dims, FPGZ_MAX_CODING_DIMS);
    return true;
}

size_t fpgz_prans_periodic_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params)
{
    return inner->bound(grid, params) + PERIODIC_FRONT;
}

/* Memory hangs on the extents by planes of components, which few values next to each other are, and by slabs,
 * which have 1024 values or all. So it is most with the shortest period, or with the shortest slabs. */
size_t fpgz_prans_periodic_memory(size_t (*memory)(const struct fpgz_grid *, const struct fpgz_params *),
                                  const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    enum { SLAB = 1024 };
    const uint64_t slice = fpgz_grid_values(grid) / grid->extent[0];
    const uint64_t period[] = {2, (SLAB + slice - 1) / slice};
    struct periodic_split split;
    size_t most = memory(grid, params);
    for (size_t i = 0; i < sizeof period / sizeof *period; i++)
        if (fpgz_prans_periodic_split(grid, period[i], &split))
            most = fpgz_max(most, memory(&split.whole, params));
    return most;
}

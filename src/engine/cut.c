/* SPDX-License-Identifier: MIT */
#include "engine/cut.h"

#include "core/bytes.h"

/* An unaligned rest below this stays with the aligned rows before it: its section's head would eat the gain.
 */
enum { REST_BYTES = 64 << 10 };

/* The array as a grid of at most `dims` dimensions, its slowest axes merged; an unknown slowest extent stays
 * unknown. */
static bool merge(enum fpgz_dtype dtype, const uint64_t *extent, unsigned from, unsigned dims,
                  struct fpgz_grid *shape)
{
    const unsigned merged = from > dims ? from - dims : 0;
    uint64_t slowest = extent[0];
    for (unsigned d = 1; d <= merged; d++)
        if (extent[0] != UINT64_MAX && extent[d] && !fpgz_mul(slowest, extent[d], &slowest))
            return false;
    *shape = (struct fpgz_grid){dtype, from - merged, {1, 1, 1, 1}};
    for (unsigned d = 1; d < shape->dims; d++)
        shape->extent[d] = extent[d + merged];
    shape->extent[0] = 1;
    const bool valid = fpgz_grid_valid(shape);
    shape->extent[0] = slowest;
    return valid && (slowest == UINT64_MAX || fpgz_grid_valid(shape));
}

bool fpgz_cut_plan(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t target,
                   struct fpgz_cut *cut)
{
    static const uint64_t align[] = {4096, 64, 16};
    for (unsigned d = dims < 3 ? dims : 3; d; d--) {
        uint64_t unit;
        if (!merge(dtype, extent, dims, d, &cut->shape))
            return false;
        cut->align = align[d - 1];
        cut->row_bytes = fpgz_dtype_size(dtype);
        for (unsigned i = 1; i < d; i++)
            cut->row_bytes *= cut->shape.extent[i];
        if (!fpgz_mul(cut->align, cut->row_bytes, &unit))
            continue;
        if (unit <= target || unit <= FPGZ_CHUNK_LARGEST) {
            cut->rows = cut->align * (unit && target > unit ? target / unit : 1);
            return true;
        }
    }
    return false;
}

uint64_t fpgz_cut_next(const struct fpgz_cut *cut, uint64_t left)
{
    if (left >= cut->rows)
        return cut->rows;
    const uint64_t rest = left % cut->align;
    return rest == left || rest * cut->row_bytes < REST_BYTES ? left : left - rest;
}

struct fpgz_grid fpgz_cut_grid(const struct fpgz_cut *cut, uint64_t rows)
{
    struct fpgz_grid grid = cut->shape;
    grid.extent[0] = rows;
    return grid;
}

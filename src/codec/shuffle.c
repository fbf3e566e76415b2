/* SPDX-License-Identifier: MIT
 * The byte shuffle of grids. */
#include "codec/shuffle.h"

#include "core/bytes.h"
#include "core/shuffle.h"

size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, uint32_t wanted)
{
    return wanted && fpgz_dtype_size(grid->dtype) > 1 ? fpgz_round_up(fpgz_grid_bytes(grid), 64) : 0;
}

void fpgz_shuffle(const struct fpgz_grid *grid, const uint8_t *values, uint8_t *planes)
{
    fpgz_to_planes(values, planes, fpgz_grid_bytes(grid), fpgz_dtype_size(grid->dtype));
}

void fpgz_unshuffle(const struct fpgz_grid *grid, const uint8_t *planes, uint8_t *values)
{
    fpgz_from_planes(planes, values, fpgz_grid_bytes(grid), fpgz_dtype_size(grid->dtype));
}

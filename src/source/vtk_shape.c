/* SPDX-License-Identifier: MIT
 * Shapes of arrays on VTK's grids: x is the fastest axis, and a grid has one point more along each than
 * cells. */
#include "source/vtk_shape.h"

#include "core/bytes.h"

void fpgz_vtk_shape(const struct fpgz_vtk_grid *grid, bool of_cells, uint64_t count, uint64_t parts,
                    struct fpgz_array *array)
{
    uint64_t extent[3], product = 1;
    bool fits = grid->structured;
    for (unsigned d = 0; d < 3 && fits; d++) {
        extent[d] = of_cells ? grid->cells[d] + !grid->cells[d] : grid->cells[d] + 1;
        fits = fpgz_mul(product, extent[d], &product);
    }
    array->dims = 0;
    if (fits && product == count)
        for (unsigned d = 3; d-- > 0;)
            array->extent[array->dims++] = extent[d];
    else
        array->extent[array->dims++] = count;
    if (parts > 1)
        array->extent[array->dims++] = parts;
}

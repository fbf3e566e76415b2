/* SPDX-License-Identifier: MIT
 * Shapes of arrays on VTK's grids. */
#ifndef FPGZ_SOURCE_VTK_SHAPE_H
#define FPGZ_SOURCE_VTK_SHAPE_H

#include "core/grid.h"

/* What is known of the grid that arrays belong to. */
struct fpgz_vtk_grid {
    bool structured;   /* it has axes */
    uint64_t cells[3]; /* along x, y and z; fewer than 2^32 */
};

/* Sets the axes of an array that has `parts` values for each of its points or (of_cells) cells. Where they
 * are not as many as the grid has, they are in a row. */
void fpgz_vtk_shape(const struct fpgz_vtk_grid *grid, bool of_cells, uint64_t count, uint64_t parts,
                    struct fpgz_array *array);

#endif

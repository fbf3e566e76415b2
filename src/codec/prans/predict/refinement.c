/* SPDX-License-Identifier: MIT
 * How a chunk is refined: which values are inputs, and how fast old ones are forgotten. */
#include "codec/prans/predict/refinement.h"

void fpgz_prans_refinement_inputs(const struct prans_axes *axes, struct prans_refinement *refinement)
{
    /* Shapes of grids with 1, 2, 3 or more axes, of one component and of several. */
    static const unsigned shapes[2][3] = {{0, 1, 2}, {5, 4, 4}};
    uint64_t offset[PRANS_TAPS];
    const unsigned dims = axes->dims < 3 ? axes->dims : 3;
    const unsigned taps = fpgz_prans_shape(axes, shapes[axes->phases > 1][dims - 1], offset);
    unsigned count = 0;
    if (axes->step[3])
        refinement->offset[count++] = axes->step[3];
    for (unsigned tap = 0; tap < taps && count < PRANS_REFINEMENT_VALUES; tap++)
        if (offset[tap] != axes->step[0])
            refinement->offset[count++] = offset[tap];
    while (count < PRANS_REFINEMENT_VALUES)
        refinement->offset[count++] = axes->step[0];
}

bool fpgz_prans_refinement_set(unsigned memory, unsigned parts, struct prans_refinement *refinement)
{
    if (memory < PRANS_REFINEMENT_MEMORY_LEAST || memory > PRANS_REFINEMENT_MEMORY_MOST ||
        parts > PRANS_REFINEMENT_PARTS / 2)
        return false;
    refinement->memory = memory;
    refinement->parts = parts;
    refinement->keep = 1 - 1 / (double)(1u << memory);
    refinement->grow = 1 / refinement->keep;
    refinement->least = (double)parts / PRANS_REFINEMENT_PARTS;
    refinement->range = 1 - 2 * refinement->least;
    return true;
}

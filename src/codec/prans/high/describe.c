/* SPDX-License-Identifier: MIT
 * What listings tell of a high stream. */
#include <stdio.h>

#include "codec/prans/high/description.h"

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

void fpgz_prans_bank_traits(const struct prans_field *field, const struct prans_side *side,
                            struct fpgz_traits *traits)
{
    enum { KINDS = PRANS_FIXED + PRANS_SHAPES, MOST = 5 };
    size_t tiles[KINDS] = {0}, used = 0;
    char *const text = traits->predictors;
    *text = 0;
    for (size_t tile = 0; tile < field->tiles; tile++)
        tiles[side->entry[field->tile[tile]].id]++;
    for (unsigned told = 0; told < MOST; told++) {
        unsigned most = 0;
        for (unsigned kind = 1; kind < KINDS; kind++)
            most = tiles[kind] > tiles[most] ? kind : most;
        if (!tiles[most])
            break;
        used += (size_t)snprintf(text + used, sizeof traits->predictors - used, "%s%s %zu%%",
                                 told ? ", " : "", fpgz_prans_stencil_name(most),
                                 (100 * tiles[most] + field->tiles / 2) / field->tiles);
        tiles[most] = 0;
    }
    snprintf(text + used, sizeof traits->predictors - used, "%s%s", side->matches ? ", matches" : "",
             field->model.refinement.memory ? ", refined" : "");
}

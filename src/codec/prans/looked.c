/* SPDX-License-Identifier: MIT
 * Which values an encoder with an aide looks at, where a chunk turns out to be as the one that it follows:
 * samples that special values and lattices are sought among (domain/), and pieces of rows. What the roughest
 * probe for matches looks at, the aide brings. */
#include "codec/prans/looked.h"

#include <stdlib.h>

#include "codec/prans/bins/pieces.h"
#include "codec/prans/format.h"
#include "codec/sample.h"

_Static_assert(PRANS_LATTICE_SAMPLES <= PRANS_SPECIAL_SAMPLES,
               "a lattice is sought among the first of these");

/* Lists a value and the one behind it. */
static size_t add(size_t value, size_t runs, struct fpgz_looked *run)
{
    if (run)
        run[runs] = (struct fpgz_looked){(uint32_t)value, 2};
    return runs + 1;
}

size_t fpgz_prans_looked(const struct fpgz_grid *grid, struct fpgz_looked *run)
{
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    const size_t size = fpgz_dtype_size(grid->dtype);
    const uint32_t words = (uint32_t)(size / sizeof words); /* of a value */
    size_t runs = 0;
    if (!words || layout.components > 1 || layout.values > PRANS_MAX_VALUES ||
        layout.values < 2 * PRANS_SPECIAL_SAMPLES)
        return 0;
    struct bins_pieces *const pieces = malloc(sizeof *pieces);
    if (!pieces)
        return 0;
    fpgz_prans_bins_pieces(&layout, bins_pieces_most(layout.values * size, size), pieces);
    if (!pieces->whole) {
        runs = fpgz_prans_bins_gathered(pieces, run);
        for (uint32_t i = 0; i < PRANS_SPECIAL_SAMPLES; i++) {
            const size_t at = fpgz_sample_place(i, PRANS_SPECIAL_SAMPLES, layout.values);
            runs = add(at - (at != 0), runs, run);
        }
    }
    free(pieces);
    for (size_t i = 0; run && i < runs; i++)
        run[i] = (struct fpgz_looked){run[i].first * words, run[i].count * words};
    return runs;
}

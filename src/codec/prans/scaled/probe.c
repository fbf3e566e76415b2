/* SPDX-License-Identifier: MIT
 * Which values share a scale: the first, of the ways that have the fewest scales on, where a few runs have
 * one each and these differ. */
#include "codec/prans/parted/multiples.h"
#include "codec/prans/scaled/scale.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    LOOKED_AT = 8, /* runs */
    LEAST = 4,     /* of these have a scale of which any value is a multiple */
    FEW = 16,      /* values of a run that are looked at first, */
    SOME = 64,     /* and then */
    SHORTEST = 16, /* blocks; shorter ones are tried as columns alone */
    LONGEST = 512,
    WAYS = 3 * FPGZ_MAX_CODING_DIMS + 8,
};

/* Whether most of some runs have a scale of their own, by `most` values of each. */
static bool have_scales(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                        uint32_t most)
{
    const uint64_t row = grid->extent[grid->dims - 1];
    unsigned scales = 0, others = 0, missing = 0, times = 1;
    double before = 0;
    for (uint32_t i = 0; i < LOOKED_AT && i < runs->count && missing < 2; i++) {
        uint32_t which = (uint32_t)fpgz_sample_place(i, LOOKED_AT, runs->count);
        if (runs->run < row && which * (uint64_t)runs->run % row + runs->run > row) /* may have two scales */
            which -= which > 0;
        const double scale = fpgz_prans_scaled_by(grid, values, runs, which, most, &times);
        missing += scale == 0;
        if (scale == 0 || scale == 1)
            continue;
        others += before > 0 && !parted_is_same(scale, before);
        before = scale;
        scales++;
    }
    return missing < 2 && scales >= LEAST && others > scales / 2;
}

/* Lists ways to share scales, those with the fewest scales first. */
static size_t list_ways(const struct fpgz_grid *grid, struct scaled_runs way[WAYS])
{
    const uint64_t all = fpgz_grid_values(grid), row = grid->extent[grid->dims - 1];
    size_t ways = 0;
    uint64_t run = 1;
    for (unsigned axis = grid->dims; axis-- > 0; run *= grid->extent[axis]) {
        const uint64_t count[] = {grid->extent[axis], all / run};
        for (unsigned i = 0; i < 2 && (i == 0 || axis); i++)
            if (count[i] > 1 && all / count[i] >= SCALED_LEAST && (i == 0 || run >= SHORTEST))
                way[ways++] = (struct scaled_runs){(uint32_t)run, (uint32_t)count[i]};
    }
    for (uint64_t block = SHORTEST; block <= LONGEST && block < row; block *= 2)
        way[ways++] = (struct scaled_runs){(uint32_t)block, (uint32_t)((all + block - 1) / block)};
    for (size_t i = 1; i < ways; i++)
        for (size_t j = i; j > 0 && way[j].count < way[j - 1].count; j--) {
            const struct scaled_runs later = way[j];
            way[j] = way[j - 1];
            way[j - 1] = later;
        }
    return ways;
}

bool fpgz_prans_scaled_probe(const struct fpgz_grid *grid, const void *values, struct scaled_runs *runs)
{
    const uint64_t all = fpgz_grid_values(grid);
    if (!scaled_takes(grid) || all < SHORTEST * LOOKED_AT)
        return false;
    /* What neighbours have in common, of one row, tells of all ways with long runs. */
    const uint64_t row = grid->extent[grid->dims - 1], run = row / SHORTEST == 1 ? row : SHORTEST;
    const struct scaled_runs neighbours = {(uint32_t)run, (uint32_t)((all + run - 1) / run)};
    const bool any_long = have_scales(grid, values, &neighbours, FEW);
    struct scaled_runs way[WAYS];
    const size_t ways = list_ways(grid, way);
    for (size_t i = 0; i < ways; i++)
        if ((any_long || way[i].run < SHORTEST) && have_scales(grid, values, &way[i], FEW) &&
            have_scales(grid, values, &way[i], SOME)) {
            *runs = way[i];
            return true;
        }
    return false;
}

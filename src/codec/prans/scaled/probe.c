/* SPDX-License-Identifier: MIT
 * Which values share a scale: the way by which quotients and scales take least, of those where a few runs
 * have one each and these differ. */
#include "codec/prans/parted/multiples.h"
#include "codec/prans/scaled/scale.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    LOOKED_AT = 8,   /* runs */
    LEAST = 4,       /* of these have a scale of which any value is a multiple */
    FEW = 16,        /* values of a run that are looked at first, */
    FEW_COARSE = 32, /* where they have few digits, */
    SOME = 64,       /* and then */
    SHORTEST = 16,   /* blocks; shorter ones are tried as columns alone */
    LONGEST = 512,
    WAYS = 3 * FPGZ_MAX_CODING_DIMS + 8,
    SCALE_BITS = 16,
    FOLDED_BITS = 7, /* of quotients that are no integers */
    GAIN_BITS = 2 /* that shorter runs must save of each value: in these, the largest one is mostly smaller */
};

/* Whether most of some runs have a scale of their own, by `most` values of each. *bits gets about what a
 * value takes. */
static bool have_scales(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                        uint32_t most, double *bits)
{
    const uint64_t row = grid->extent[grid->dims - 1];
    unsigned scales = 0, others = 0, missing = 0, times = 1, quotients = 0;
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
        quotients += times == SCALED_FOLDED ? FOLDED_BITS : 33 - (unsigned)__builtin_clz(times);
        scales++;
    }
    if (missing > 1 || scales < LEAST || others <= scales / 2)
        return false;
    *bits = (double)quotients / scales + SCALE_BITS * (double)runs->count / (double)fpgz_grid_values(grid);
    return true;
}

/* How products of the grid are rounded, by the digits that some values have. */
static uint32_t rounding_of(const struct fpgz_grid *grid, const void *values)
{
    const uint64_t all = fpgz_grid_values(grid);
    const size_t size = fpgz_dtype_size(grid->dtype);
    uint64_t bits = 0;
    if (size == sizeof(uint16_t))
        return grid->dtype == FPGZ_F16 ? SCALED_HALF : SCALED_BFLOAT;
    bool is_half = true;
    for (uint64_t i = 0; i < SOME; i++) {
        const uint64_t word =
            fpgz_load_word((const uint8_t *)values + fpgz_sample_place(i, SOME, all) * size, size);
        bits |= word;
        is_half &= scaled_rounded(SCALED_HALF, (uint32_t)word) == (uint32_t)word;
    }
    const unsigned zeros = bits ? (unsigned)__builtin_ctzll(bits) : 0;
    return size == sizeof(double) ? (zeros >= 52 - 23 ? SCALED_SINGLE : SCALED_WHOLE)
           : zeros >= 23 - 7      ? SCALED_BFLOAT
           : is_half && zeros     ? SCALED_HALF
                                  : SCALED_WHOLE;
}

/* Lists ways to share scales, those with the fewest scales first. */
static size_t list_ways(const struct fpgz_grid *grid, uint32_t rounding, struct scaled_runs way[WAYS])
{
    const uint64_t all = fpgz_grid_values(grid), row = grid->extent[grid->dims - 1];
    size_t ways = 0;
    uint64_t run = 1;
    for (unsigned axis = grid->dims; axis-- > 0; run *= grid->extent[axis]) {
        const uint64_t count[] = {grid->extent[axis], all / run};
        for (unsigned i = 0; i < 2 && (i == 0 || axis); i++)
            if (count[i] > 1 && all / count[i] >= SCALED_LEAST && (i == 0 || run >= SHORTEST))
                way[ways++] = (struct scaled_runs){(uint32_t)run, (uint32_t)count[i], rounding};
    }
    for (uint64_t block = SHORTEST; block <= LONGEST && block < row; block *= 2)
        way[ways++] = (struct scaled_runs){(uint32_t)block, (uint32_t)((all + block - 1) / block), rounding};
    for (size_t i = 1; i < ways; i++)
        for (size_t j = i; j > 0 && way[j].count < way[j - 1].count; j--) {
            const struct scaled_runs later = way[j];
            way[j] = way[j - 1];
            way[j - 1] = later;
        }
    return ways;
}

/* As fpgz_prans_scaled_probe(). Returns about what a value takes, in bits. */
static double probe(const struct fpgz_grid *grid, const void *values, struct scaled_runs *runs)
{
    const uint64_t all = fpgz_grid_values(grid);
    const double none = 8 * (double)fpgz_dtype_size(grid->dtype);
    if (!scaled_takes(grid) || all < SHORTEST * LOOKED_AT)
        return none;
    /* What neighbours have in common, of one row, tells of all ways with long runs. */
    const uint32_t rounding = rounding_of(grid, values), few = scaled_is_coarse(rounding) ? FEW_COARSE : FEW;
    const uint64_t row = grid->extent[grid->dims - 1], run = row / few == 1 ? row : few;
    const struct scaled_runs neighbours = {(uint32_t)run, (uint32_t)((all + run - 1) / run), rounding};
    double bits, least = none;
    const bool any_long = have_scales(grid, values, &neighbours, few, &bits);
    struct scaled_runs way[WAYS];
    const size_t ways = list_ways(grid, rounding, way);
    for (size_t i = 0; i < ways; i++)
        if ((any_long || way[i].run < SHORTEST) && have_scales(grid, values, &way[i], few, &bits) &&
            have_scales(grid, values, &way[i], SOME, &bits) && bits < least - GAIN_BITS) {
            *runs = way[i];
            least = bits;
        }
    return least;
}

bool fpgz_prans_scaled_probe(const struct fpgz_grid *grid, const void *values, struct scaled_runs *runs)
{
    return probe(grid, values, runs) < 8 * (double)fpgz_dtype_size(grid->dtype);
}

double fpgz_prans_scaled_ratio(const struct fpgz_grid *grid, const void *values)
{
    struct scaled_runs runs;
    return probe(grid, values, &runs) / (8 * (double)fpgz_dtype_size(grid->dtype));
}

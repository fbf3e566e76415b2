/* SPDX-License-Identifier: MIT
 * Boxes of a grid that lie evenly in it. */
#include "codec/auto_sample.h"

#include <string.h>

#include "core/bytes.h"

enum {
    LEAST_BOX = 8 << 10,
    MAX_PIECES = 8,
    COLUMNS = 64,          /* in a row of records, at most */
    RECORDS_BOX = 80 << 10 /* prans codes their columns apart in grids of so many values */
};

/* Whether rows may be the bytes of records. */
static bool are_records(const struct fpgz_grid *grid)
{
    const uint64_t columns = grid->extent[grid->dims - 1];
    return fpgz_dtype_size(grid->dtype) == 1 && grid->dims > 1 && columns > 1 && columns <= COLUMNS;
}

/* Boxes keep the fastest axis, since all codecs rely on runs along it, and whole blocks
 * (fpgz_block_side()) where there are any. The axes are shortened in this order: from the slowest but one
 * (codecs that predict along time need all slices) to the slowest, then the fastest. */
struct fpgz_auto_sample fpgz_auto_plan_sample(const struct fpgz_grid *grid, const struct fpgz_level *level)
{
    struct fpgz_auto_sample s = {.box = *grid, .pieces = 1};
    const uint64_t least = are_records(grid) ? RECORDS_BOX : LEAST_BOX;
    const uint64_t part = fpgz_grid_values(grid) / level->sample.one_in;
    const uint64_t wanted = fpgz_max(part, fpgz_max(level->sample.least, least));
    const uint64_t box = fpgz_max(wanted / MAX_PIECES, least);
    for (unsigned i = 0; i < grid->dims; i++) {
        /* For example axes 2, 1, 0, 3 of four, 1, 0, 2 of three, 0, 1 of two. */
        const unsigned d = i + 1 == grid->dims ? i : grid->dims - 2 - i;
        const uint64_t unit = fpgz_block_side(d + 1 == grid->dims ? 1 : grid->dims);
        const uint64_t others = fpgz_grid_values(&s.box) / s.box.extent[d];
        s.box.extent[d] = fpgz_min(s.box.extent[d], fpgz_round_up((box + others - 1) / others, unit));
    }
    const uint64_t pieces = fpgz_min(wanted, fpgz_grid_values(grid)) / fpgz_grid_values(&s.box);
    s.pieces = pieces ? (unsigned)fpgz_min(pieces, MAX_PIECES) : 1;
    return s;
}

/* Where box number `piece` begins along axis d. Boxes are spread evenly over all axes, in steps of the box
 * along the axes that were shortened. The first one lies in the middle. */
static uint64_t piece_start(const struct fpgz_grid *grid, const struct fpgz_auto_sample *s, unsigned piece,
                            unsigned d)
{
    /* Powers of the inverse of a generalised golden ratio, in units of 2^-32: a sequence without clusters. */
    static const uint32_t steps[] = {3518319155, 2882110345, 2360945575, 1934019973};
    const uint64_t places = grid->extent[d] / s->box.extent[d];
    const uint32_t fraction = 0x80000000u + piece * steps[d];
    return (fraction * places >> 32) * s->box.extent[d];
}

void fpgz_auto_copy_piece(const struct fpgz_grid *grid, const struct fpgz_auto_sample *s, unsigned piece,
                          const uint8_t *values, uint8_t *out)
{
    /* Axes that are kept whole, and the axis before them, form one run in memory. */
    unsigned split = grid->dims - 1;
    uint64_t stride[FPGZ_MAX_CODING_DIMS], start = 0, run = s->box.extent[split];
    while (split && s->box.extent[split] == grid->extent[split])
        run *= s->box.extent[--split];
    for (unsigned d = grid->dims; d-- > 0;) {
        stride[d] = d + 1 == grid->dims ? 1 : stride[d + 1] * grid->extent[d + 1];
        start += piece_start(grid, s, piece, d) * stride[d];
    }
    const size_t size = fpgz_dtype_size(grid->dtype);
    const uint64_t runs = fpgz_grid_values(&s->box) / run;
    for (uint64_t r = 0; r < runs; r++, out += run * size) {
        uint64_t left = r, offset = start;
        for (unsigned d = split; d-- > 0; left /= s->box.extent[d])
            offset += left % s->box.extent[d] * stride[d];
        memcpy(out, values + offset * size, run * size);
    }
}

/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of plateaus. */
#include "codec/prans/plateaus/work.h"

#include <string.h>

#include "codec/prans/format.h"
#include "core/bytes.h"

enum {
    KEPT_PART = 3, /* of the values' bytes: a longer stream is of no use */
    REACH = 2,     /* edges so far from what is above tell something */
    BEYOND = 16,   /* bytes behind the edges that are read with them */
};

/* Short axes are joined with the one before. */
static void find_rows(const struct fpgz_grid *grid, struct plateaus_work *w)
{
    unsigned axis = grid->dims - 1;
    uint64_t row = grid->extent[axis];
    while (axis && row < PLATEAUS_LEAST_ROW)
        row *= grid->extent[--axis];
    w->row = axis && row >= PLATEAUS_LEAST_ROW ? (size_t)row : 0;
    w->plane = w->row && axis > 1 ? (size_t)(row * grid->extent[axis - 1]) : 0;
}

struct plateaus_work fpgz_prans_plateaus_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                              const struct fpgz_params *params, bool encoding,
                                              uint8_t *scratch)
{
    struct plateaus_work w = {.count = (size_t)fpgz_grid_values(grid), .size = fpgz_dtype_size(grid->dtype)};
    size_t at = 0;
    find_rows(grid, &w);
    w.fresh_most = w.count / PLATEAUS_PART;
    w.base = fpgz_round_up(fpgz_max(w.row, w.plane) + REACH, 64);
    w.edges_bytes = (w.base + w.count) / 8 + BEYOND;
    if (encoding) {
        w.kept_bytes = w.count * w.size / KEPT_PART;
        w.kept = fpgz_carve(scratch, &at, w.kept_bytes);
        w.gap = fpgz_carve(scratch, &at, (w.fresh_most + PLATEAUS_KINDS) * sizeof *w.gap);
    } else {
        w.values = fpgz_carve(scratch, &at, w.count * w.size);
    }
    w.chances = fpgz_carve(scratch, &at, sizeof *w.chances);
    w.edges = fpgz_carve(scratch, &at, w.edges_bytes);
    w.fresh = fpgz_carve(scratch, &at, w.fresh_most * w.size);
    w.inner = scratch ? scratch + at : NULL;
    const struct fpgz_grid row = fpgz_prans_row(grid->dtype, fpgz_max(w.fresh_most, 1));
    w.inner_bytes = (encoding ? inner->memory : inner->decode_memory)(&row, params);
    w.bytes = at + w.inner_bytes;
    return w;
}

void fpgz_prans_plateaus_clear(const struct plateaus_work *w)
{
    struct plateaus_chance *const edge = w->chances->edge, *const copy = w->chances->copy[0];
    for (size_t i = 0; i < sizeof w->chances->edge / sizeof *edge; i++)
        edge[i] = (struct plateaus_chance){CHANCE_HALF, 0};
    for (size_t i = 0; i < sizeof w->chances->copy / sizeof *copy; i++)
        copy[i] = (struct plateaus_chance){CHANCE_HALF, 0};
    fpgz_prans_chances(w->chances->gap[0], PLATEAUS_KINDS * (size_t)PRANS_NUMBER_CHANCES);
    fpgz_prans_chances(w->chances->same_gap[0], PLATEAUS_KINDS * (size_t)4);
    memset(w->edges, 0, w->edges_bytes);
}

/* SPDX-License-Identifier: MIT
 * Codes a sample of a part to find out what coding it saves. */
#include "archive/gain.h"

#include "archive/budget.h"
#include "archive/coder.h"
#include "codec/level.h"
#include "engine/plan.h"

enum {
    SAMPLE_BYTES = 64 << 10,
    JUDGED_LEVEL = FPGZ_LEVEL_DEFAULT, /* whose samples take little time; others gain hardly more */
};

bool fpgz_gain_code(const struct fpgz_coder *coder, const struct fpgz_area *area,
                    const struct fpgz_part *part, uint64_t at, const struct fpgz_grid *grid,
                    struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    uint64_t stopped;
    return fpgz_buffer_reserve(&buffers->raw, bytes) &&
           fpgz_gather(area, &part->place, at, buffers->raw.data, bytes, &stopped, &coded->raw_checksum) &&
           !fpgz_chunk_encode(coder, grid, buffers, coded);
}

double fpgz_gain_expected(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                          const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers)
{
    struct fpgz_coder coder = fpgz_coder_of(setup, level < JUDGED_LEVEL ? level : JUDGED_LEVEL, part);
    struct fpgz_coded coded;
    struct fpgz_cut cut;
    struct fpgz_error none = {0};
    coder.unverified = true;
    uint64_t target = SAMPLE_BYTES, slab = fpgz_setup_slab(setup);
    if (fpgz_budget_cut(setup, level, part, 1, &target, &slab, &none) ||
        !fpgz_plan_cut(part, target, slab, &cut))
        return 0;
    const uint64_t rows = cut.shape.extent[0], middle = rows > cut.rows ? (rows - cut.rows) / 2 : 0;
    const uint64_t first = middle / cut.align * cut.align;
    const struct fpgz_grid grid = fpgz_cut_grid(&cut, fpgz_cut_next(&cut, rows - first));
    const size_t bytes = fpgz_grid_bytes(&grid);
    if (!fpgz_gain_code(&coder, area, part, first * cut.row_bytes, &grid, buffers, &coded))
        return 0;
    return (double)(bytes - coded.length) / (double)bytes * (double)part->place.bytes;
}

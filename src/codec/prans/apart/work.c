/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of grids apart, and what it takes. */
#include "codec/prans/apart/work.h"

#include "codec/codecs.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/format.h"
#include "codec/prans/symmetric/symmetric.h"
#include "core/bytes.h"

/* What coding a part takes, and so its differences to another one (symmetric/symmetric.h). */
static size_t part_memory(const struct fpgz_codec *inner, const struct fpgz_grid *part,
                          const struct fpgz_params *params, bool encoding)
{
    return fpgz_round_up((encoding ? inner->memory : inner->decode_memory)(part, params), 64);
}

/* What coding the grid takes, or any of its parts with its differences. */
static size_t inner_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                           const struct fpgz_params *params, bool encoding)
{
    size_t most = (encoding ? inner->memory : inner->decode_memory)(grid, params);
    struct apart_split split;
    for (unsigned slow = 0; slow < grid->dims; slow++)
        for (unsigned fast = 0; slow + fast < grid->dims; fast++)
            if (fpgz_prans_apart_split(grid, slow, fast, &split))
                most = fpgz_max(most, part_memory(inner, &split.part, params, encoding) +
                                          fpgz_grid_bytes(&split.part));
    return most;
}

struct apart_work fpgz_prans_apart_differing(const struct apart_work *w, const struct fpgz_codec *inner,
                                             const struct fpgz_grid *part, const struct fpgz_params *params,
                                             bool encoding)
{
    struct apart_work work = *w;
    work.differences = (uint8_t *)w->inner + part_memory(inner, part, params, encoding);
    return work;
}

struct apart_work fpgz_prans_apart_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                        const struct fpgz_params *params, bool encoding, uint8_t *scratch)
{
    struct apart_work w = {.values = NULL};
    size_t at = 0;
    w.samples =
        encoding ? fpgz_carve(scratch, &at, APART_MOST * APART_SAMPLES * 2 * sizeof *w.samples) : NULL;
    w.values = fpgz_carve(scratch, &at, fpgz_grid_bytes(grid));
    if (encoding && fpgz_prans_is_high(params))
        w.stream = fpgz_carve(scratch, &at, fpgz_prans_apart_bound(inner, grid, params));
    w.inner = scratch ? scratch + at : NULL;
    w.bytes = at + fpgz_round_up(inner_memory(inner, grid, params, encoding), 64);
    return w;
}

size_t fpgz_prans_apart_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                              const struct fpgz_params *params)
{
    return inner->bound(grid, params) + PRANS_HEAD_BYTES + APART_SIDE;
}

size_t fpgz_prans_apart_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params, bool encoding)
{
    return fpgz_prans_apart_has_parts(grid) ? fpgz_prans_apart_work(inner, grid, params, encoding, NULL).bytes
                                            : (encoding ? inner->memory : inner->decode_memory)(grid, params);
}

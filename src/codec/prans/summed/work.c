/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of sums. */
#include "codec/prans/summed/work.h"

#include "codec/prans/format.h"
#include "codec/prans/summed/summed.h"
#include "core/bytes.h"

static uint8_t *take(uint8_t *scratch, size_t *at, size_t bytes)
{
    uint8_t *const part = scratch ? scratch + *at : NULL;
    *at += fpgz_round_up(bytes, 64);
    return part;
}

struct summed_work fpgz_prans_summed_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch)
{
    const size_t size = fpgz_dtype_size(grid->dtype), bytes = fpgz_grid_bytes(grid);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    struct summed_work w = {
        .kernels = fpgz_cpu_choose_word(fpgz_prans_matched_kernels, size),
        .number = prans_number_of(grid->dtype),
        .layout = fpgz_prans_middle_layout(grid),
        .row = summed_row(grid),
    };
    size_t at = 0;
    w.words = take(scratch, &at, bytes);
    w.kept = encoding ? take(scratch, &at, bytes) : NULL;
    w.inner = scratch ? scratch + at : NULL;
    /* The encoder codes words of 4 bytes by the middle setting alone: the high one lifts them to wider ones.
     */
    w.bytes =
        at + (encoding ? fpgz_max(inner->memory(&w.row, &middle),
                                  inner->memory(&w.row, fpgz_prans_matched_differing(size, params, &middle)))
                       : inner->decode_memory(&w.row, params));
    return w;
}

size_t fpgz_prans_summed_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding)
{
    const size_t otherwise = (encoding ? inner->memory : inner->decode_memory)(grid, params);
    if (encoding ? !summed_is_tried(grid) : !summed_is_known(grid))
        return otherwise;
    return fpgz_max(otherwise, fpgz_prans_summed_work(inner, grid, params, encoding, NULL).bytes);
}

size_t fpgz_prans_summed_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params)
{
    const size_t otherwise = inner->bound(grid, params);
    if (!summed_is_tried(grid))
        return otherwise;
    const struct fpgz_grid row = summed_row(grid);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    const size_t within = fpgz_max(inner->bound(&row, params), inner->bound(&row, &middle));
    return fpgz_max(otherwise, PRANS_HEAD_BYTES + fpgz_max(fpgz_grid_bytes(grid), within));
}

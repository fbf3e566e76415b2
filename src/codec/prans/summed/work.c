/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of sums. */
#include "codec/prans/summed/work.h"

#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/summed/summed.h"
#include "codec/prans/symmetric/symmetric.h"
#include "core/bytes.h"
#include "core/inline.h"

struct summed_work fpgz_prans_summed_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch)
{
    const size_t size = fpgz_dtype_size(grid->dtype), bytes = fpgz_grid_bytes(grid);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE),
                             differing = fpgz_prans_symmetric_differing(grid, params);
    struct summed_work w = {
        .kernels = fpgz_cpu_choose_word(fpgz_prans_matched_kernels, size),
        .number = prans_number_of(grid->dtype),
        .layout = fpgz_prans_middle_layout(grid),
        .row = summed_row(grid),
    };
    size_t at = 0;
    w.words = fpgz_carve(scratch, &at, bytes);
    w.kept = encoding ? fpgz_carve(scratch, &at, bytes) : NULL;
    w.inner = scratch ? scratch + at : NULL;
    w.bytes = at + (encoding ? fpgz_max(inner->memory(&w.row, &middle), inner->memory(&w.row, &differing))
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
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE),
                             differing = fpgz_prans_symmetric_differing(grid, params);
    const size_t within = fpgz_max(inner->bound(&row, &middle), inner->bound(&row, &differing));
    return fpgz_max(otherwise, PRANS_HEAD_BYTES + fpgz_max(fpgz_grid_bytes(grid), within));
}

/* Of words of so many bytes, which compilers know. */
INLINE void take_steps(size_t size, bool back, size_t count, uint8_t *words)
{
    uint64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        memcpy(&word, words + i * size, size);
        const uint64_t other = back ? before + word : word - before;
        before = back ? other : word;
        memcpy(words + i * size, &other, size);
    }
}

void fpgz_prans_summed_step(const struct summed_work *w, bool back, uint8_t *words)
{
    const bool is_wide = fpgz_dtype_size(w->row.dtype) == sizeof(uint64_t);
    if (is_wide && back)
        take_steps(sizeof(uint64_t), true, w->layout.values, words);
    else if (is_wide)
        take_steps(sizeof(uint64_t), false, w->layout.values, words);
    else if (back)
        take_steps(sizeof(uint32_t), true, w->layout.values, words);
    else
        take_steps(sizeof(uint32_t), false, w->layout.values, words);
}

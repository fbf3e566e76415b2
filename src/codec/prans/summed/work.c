/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of sums. */
#include "codec/prans/summed/work.h"

#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/summed/summed.h"
#include "codec/prans/symmetric/symmetric.h"
#include "core/bytes.h"
#include "core/inline.h"

/* Differences are integers of as many bytes as values. */
static void lay_differences(const struct fpgz_grid *grid, struct summed_work *w)
{
    const size_t rows[SUMMED_ALONG] = {
        [SUMMED_GRID] = w->layout.values / w->line, [SUMMED_PLANES] = w->layout.components};
    for (unsigned along = 0; along < SUMMED_ALONG; along++) {
        struct fpgz_grid *const differences = &w->differences[along];
        *differences = fpgz_prans_row(matched_difference(fpgz_dtype_size(grid->dtype)), w->layout.values);
        if (rows[along] > 1) {
            differences->dims = 2;
            differences->extent[1] = differences->extent[0] / rows[along];
            differences->extent[0] = rows[along];
        }
    }
}

struct summed_work fpgz_prans_summed_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch)
{
    const size_t size = fpgz_dtype_size(grid->dtype), bytes = fpgz_grid_bytes(grid);
    struct summed_work w = {
        .kernels = fpgz_cpu_choose_word(fpgz_prans_matched_kernels, size),
        .number = prans_number_of(grid->dtype),
        .layout = fpgz_prans_middle_layout(grid),
        .line = (size_t)grid->extent[grid->dims - 1],
        .own = prans_number_of(grid->dtype) == PRANS_REAL ? fpgz_prans_symmetric_differing(grid, params)
                                                          : *params,
    };
    size_t at = 0, most = 0;
    lay_differences(grid, &w);
    w.words = fpgz_carve(scratch, &at, bytes);
    w.kept = encoding ? fpgz_carve(scratch, &at, bytes) : NULL;
    w.inner = scratch ? scratch + at : NULL;
    for (unsigned along = 0; along < SUMMED_ALONG; along++) {
        const struct fpgz_grid *const differences = &w.differences[along];
        most = fpgz_max(most, encoding ? inner->memory(differences, &w.own)
                                       : inner->decode_memory(differences, params));
    }
    w.bytes = at + most;
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
    size_t most = inner->bound(grid, params);
    if (!summed_is_tried(grid))
        return most;
    const struct summed_work w = fpgz_prans_summed_work(inner, grid, params, true, NULL);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    for (unsigned along = 0; along < SUMMED_ALONG; along++) {
        const struct fpgz_grid *const differences = &w.differences[along];
        const size_t within = fpgz_max(inner->bound(differences, &middle), inner->bound(differences, &w.own));
        most = fpgz_max(most, PRANS_HEAD_BYTES + fpgz_max(fpgz_grid_bytes(grid), within));
    }
    return most;
}

/* Takes from words of so many bytes, which compilers know, the ones that stand `before` words before. */
INLINE void take_from(size_t size, size_t before, size_t count, uint8_t *words)
{
    for (size_t i = count; i-- > before;) {
        uint64_t word = 0, other = 0;
        memcpy(&word, words + i * size, size);
        memcpy(&other, words + (i - before) * size, size);
        word -= other;
        memcpy(words + i * size, &word, size);
    }
}

/* The reverse. */
INLINE void add_to(size_t size, size_t before, size_t count, uint8_t *words)
{
    for (size_t i = before; i < count; i++) {
        uint64_t word = 0, other = 0;
        memcpy(&word, words + i * size, size);
        memcpy(&other, words + (i - before) * size, size);
        word += other;
        memcpy(words + i * size, &word, size);
    }
}

void fpgz_prans_summed_step(const struct summed_work *w, enum summed_along along, bool back, uint8_t *words)
{
    const bool is_wide = fpgz_dtype_size(w->differences[along].dtype) == sizeof(uint64_t);
    const size_t before = along == SUMMED_LINES || along == SUMMED_GRID ? w->line : 1;
    if (is_wide && back)
        add_to(sizeof(uint64_t), before, w->layout.values, words);
    else if (is_wide)
        take_from(sizeof(uint64_t), before, w->layout.values, words);
    else if (back)
        add_to(sizeof(uint32_t), before, w->layout.values, words);
    else
        take_from(sizeof(uint32_t), before, w->layout.values, words);
}

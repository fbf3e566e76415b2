/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of ranks. */
#include "codec/prans/ranked/work.h"

#include "codec/prans/ranked/ranked.h"
#include "core/bytes.h"

struct ranked_work fpgz_prans_ranked_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                          const struct fpgz_params *params, bool encoding, uint8_t *scratch)
{
    struct ranked_work w = {.count = (size_t)fpgz_grid_values(grid), .size = fpgz_dtype_size(grid->dtype)};
    const size_t most = w.count / RANKED_PART + 1;
    const struct fpgz_grid row = fpgz_prans_row(grid->dtype, most);
    size_t at = 0, search = 0;
    w.ranks = *grid;
    w.ranks.dtype = FPGZ_U32;
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    if (encoding) { /* the search goes where others have been, which mostly ends it */
        while ((size_t)1 << w.slot_bits < 2 * most)
            w.slot_bits++;
        w.keys = fpgz_carve(scratch, &search, 2 * most * sizeof *w.keys);
        w.slots = fpgz_carve(scratch, &search, sizeof *w.slots << w.slot_bits);
    }
    const size_t within = fpgz_max(search, fpgz_max(memory(&w.ranks, params), memory(&row, params)));
    if (encoding)
        w.inner = fpgz_carve(scratch, &at, within);
    w.rank = fpgz_carve(scratch, &at, w.count * sizeof *w.rank);
    w.dictionary = fpgz_carve(scratch, &at, most * w.size);
    if (!encoding) /* who touches mostly its beginning */
        w.inner = fpgz_carve(scratch, &at, within);
    if (encoding) {
        w.stream_bytes = RANKED_FRONT + fpgz_grid_bytes(&w.ranks) +
                         fpgz_max(inner->bound(&row, params), inner->bound(&w.ranks, params));
        w.stream = fpgz_carve(scratch, &at, w.stream_bytes);
    }
    w.bytes = at;
    return w;
}

size_t fpgz_prans_ranked_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding)
{
    if (encoding && !ranked_is_tried(grid))
        return 0;
    return fpgz_prans_ranked_work(inner, grid, params, encoding, NULL).bytes;
}

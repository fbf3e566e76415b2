/* SPDX-License-Identifier: MIT
 * Decoding of sums: the differences, then what they add up to; and what listings tell of such streams. */
#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/summed/summed.h"
#include "codec/prans/summed/work.h"
#include "core/bytes.h"

/* False where the front makes no sense; else how words are summed. */
static bool read_front(const struct summed_work *w, const struct fpgz_coding *coding, const uint8_t *stream,
                       size_t length)
{
    return summed_is_known(&coding->grid) && length > PRANS_HEAD_BYTES && stream[1] &&
           stream[1] <= SUMMED_ORDERS && stream[2] < SUMMED_ALONG && summed_can_be(w, stream[2]) &&
           !stream[3] && !fpgz_load32(stream + 4);
}

static struct prans_inner differences_of(const struct fpgz_coding *coding, const struct fpgz_grid *grid,
                                         const uint8_t *stream, size_t length)
{
    return (struct prans_inner){*grid, coding->params, stream + PRANS_HEAD_BYTES, length - PRANS_HEAD_BYTES};
}

enum fpgz_status fpgz_prans_summed_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values)
{
    const struct summed_work w =
        fpgz_prans_summed_work(inner, &coding->grid, &coding->params, false, coding->scratch);
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    if (!read_front(&w, coding, stream, length))
        return FPGZ_CORRUPT;
    const enum summed_along along = stream[2];
    const struct prans_inner differences = differences_of(coding, &w.differences[along], stream, length);
    const bool is_split = summed_is_split(along), in_place = !is_split && count == w.layout.values;
    uint8_t *const words = in_place ? values : w.words;
    if (!fpgz_prans_inner_decode(inner, &differences, w.inner, words))
        return FPGZ_CORRUPT;
    for (unsigned order = stream[1]; order > 0; order--)
        fpgz_prans_summed_step(&w, along, true, words);
    w.kernels->unorder(w.number, w.layout.values, words);
    if (is_split)
        fpgz_prans_middle_join(&w.layout, size, words, first, count, values);
    else if (!in_place)
        memcpy(values, words + first * size, count * size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_summed_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits)
{
    *needed = PRANS_HEAD_BYTES + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    const struct summed_work w = fpgz_prans_summed_work(inner, &coding->grid, &coding->params, false, NULL);
    if (!read_front(&w, coding, stream, length))
        return FPGZ_CORRUPT;
    const struct prans_inner differences = differences_of(coding, &w.differences[stream[2]], stream, length);
    if (fpgz_prans_inner_is_stored(&differences)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const struct fpgz_coding within = {differences.grid, differences.params, coding->scratch, NULL};
    const enum fpgz_status status =
        inner->describe(&within, differences.stream, differences.length, needed, traits);
    *needed += PRANS_HEAD_BYTES;
    return status;
}

/* SPDX-License-Identifier: MIT
 * Decoding of ranks: the dictionary, then the numbers in it; and what listings tell of such streams. */
#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/ranked/work.h"
#include "core/bytes.h"
#include "core/inline.h"

static bool read_front(const uint8_t *stream, size_t length, size_t count, size_t *distinct, size_t *first)
{
    if (length < RANKED_FRONT || stream[1] || stream[2] || stream[3] ||
        fpgz_load32(stream + 4) != RANKED_FRONT - PRANS_HEAD_BYTES)
        return false;
    *distinct = fpgz_load32(stream + 8);
    *first = fpgz_load32(stream + 12);
    return *distinct && *distinct <= count / RANKED_PART;
}

bool fpgz_prans_ranked_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct prans_inner *ranks, struct prans_inner *dictionary)
{
    size_t distinct, bytes;
    if (!read_front(stream, length, (size_t)fpgz_grid_values(&coding->grid), &distinct, &bytes) ||
        bytes > length - RANKED_FRONT)
        return false;
    *ranks = (struct prans_inner){coding->grid, coding->params, stream + RANKED_FRONT, bytes};
    ranks->grid.dtype = FPGZ_U32;
    *dictionary = (struct prans_inner){fpgz_prans_row(coding->grid.dtype, distinct), coding->params,
                                       ranks->stream + bytes, length - RANKED_FRONT - bytes};
    return true;
}

/* Copies of values of so many bytes, which compilers know. */
INLINE void look_up(size_t size, const uint32_t *rank, size_t count, const uint8_t *dictionary,
                    uint8_t *values)
{
    for (size_t i = 0; i < count; i++)
        memcpy(values + i * size, dictionary + rank[i] * size, size);
}

enum fpgz_status fpgz_prans_ranked_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values)
{
    const struct ranked_work w =
        fpgz_prans_ranked_work(inner, &coding->grid, &coding->params, false, coding->scratch);
    struct prans_inner ranks, dictionary;
    if (!fpgz_prans_ranked_read(coding, stream, length, &ranks, &dictionary) ||
        !fpgz_prans_inner_decode(inner, &ranks, w.inner, w.rank) ||
        !fpgz_prans_inner_decode(inner, &dictionary, w.inner, w.dictionary))
        return FPGZ_CORRUPT;
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = w.rank[first + i] > most ? w.rank[first + i] : most;
    if (most >= dictionary.grid.extent[0])
        return FPGZ_CORRUPT;
    if (w.size == 8)
        look_up(8, w.rank + first, count, w.dictionary, values);
    else if (w.size == 4)
        look_up(4, w.rank + first, count, w.dictionary, values);
    else
        look_up(w.size, w.rank + first, count, w.dictionary, values);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_ranked_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits)
{
    size_t distinct, bytes;
    const size_t count = (size_t)fpgz_grid_values(&coding->grid);
    *needed = RANKED_FRONT;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    if (!read_front(stream, length, count, &distinct, &bytes))
        return FPGZ_CORRUPT;
    *needed = RANKED_FRONT + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    struct fpgz_coding ranks = *coding;
    ranks.grid.dtype = FPGZ_U32;
    if (bytes == fpgz_grid_bytes(&ranks.grid)) {
        *traits = (struct fpgz_traits){.domain = "rank"};
        return FPGZ_OK;
    }
    const enum fpgz_status status = inner->describe(&ranks, stream + RANKED_FRONT,
                                                    fpgz_min(length - RANKED_FRONT, bytes), needed, traits);
    *needed += RANKED_FRONT;
    traits->domain = "rank";
    return status;
}

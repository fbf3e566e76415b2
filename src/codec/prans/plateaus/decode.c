/* SPDX-License-Identifier: MIT
 * Decoding of plateaus: the new values, then the walk; and what listings tell of such streams. */
#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/inner.h"
#include "codec/prans/plateaus/walk.h"

/* What a stream says before the new values. */
struct front {
    size_t fresh, fresh_bytes, edges_bytes;
};

static bool read_front(const uint8_t *stream, size_t length, size_t count, struct front *front)
{
    if (length < PLATEAUS_FRONT || stream[1] || stream[2] || stream[3] ||
        fpgz_load32(stream + 4) != PLATEAUS_FRONT - PRANS_HEAD_BYTES)
        return false;
    *front = (struct front){fpgz_load32(stream + 8), fpgz_load32(stream + 12), fpgz_load32(stream + 16)};
    return front->fresh && front->fresh <= count / PLATEAUS_PART;
}

static struct prans_inner fresh_of(const struct fpgz_coding *coding, const uint8_t *stream,
                                   const struct front *front)
{
    return (struct prans_inner){fpgz_prans_row(coding->grid.dtype, front->fresh), coding->params,
                                stream + PLATEAUS_FRONT, front->fresh_bytes};
}

static bool read_values(const struct plateaus_work *w, struct plateaus_way *way, const uint8_t *edges,
                        size_t edges_bytes, size_t gaps_bytes)
{
    fpgz_prans_range_read(&way->edges, edges, edges_bytes);
    fpgz_prans_range_read(&way->gaps, edges + edges_bytes, gaps_bytes);
    fpgz_prans_plateaus_clear(w);
    return walk_by_size(w, way, true) && fpgz_prans_range_done(&way->edges) &&
           fpgz_prans_range_done(&way->gaps);
}

enum fpgz_status fpgz_prans_plateaus_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, uint64_t first,
                                            uint64_t count, void *values)
{
    const struct plateaus_work w =
        fpgz_prans_plateaus_work(inner, &coding->grid, &coding->params, false, coding->scratch);
    struct front front;
    if (!read_front(stream, length, w.count, &front) ||
        front.fresh_bytes + front.edges_bytes > length - PLATEAUS_FRONT)
        return FPGZ_CORRUPT;
    const struct prans_inner fresh = fresh_of(coding, stream, &front);
    const bool all = count == w.count;
    struct plateaus_way way = {.values = all ? values : w.values, .fresh = front.fresh};
    const size_t before = PLATEAUS_FRONT + front.fresh_bytes;
    if (!fpgz_prans_inner_decode(inner, &fresh, w.inner, w.fresh) ||
        !read_values(&w, &way, stream + before, front.edges_bytes, length - before - front.edges_bytes))
        return FPGZ_CORRUPT;
    if (!all)
        memcpy(values, w.values + first * w.size, count * w.size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_plateaus_describe(const struct fpgz_codec *inner,
                                              const struct fpgz_coding *coding, const uint8_t *stream,
                                              size_t length, size_t *needed, struct fpgz_traits *traits)
{
    struct front front;
    *needed = PLATEAUS_FRONT + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    if (!read_front(stream, length, (size_t)fpgz_grid_values(&coding->grid), &front))
        return FPGZ_CORRUPT;
    const struct prans_inner fresh = fresh_of(coding, stream, &front);
    if (fpgz_prans_inner_is_stored(&fresh)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const struct fpgz_coding row = {fresh.grid, fresh.params, coding->scratch, NULL};
    const enum fpgz_status status =
        inner->describe(&row, fresh.stream, fpgz_min(length - PLATEAUS_FRONT, fresh.length), needed, traits);
    *needed += PLATEAUS_FRONT;
    return status;
}

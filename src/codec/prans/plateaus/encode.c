/* SPDX-License-Identifier: MIT
 * Encoding by plateaus: a sample tells whether there are some, and what is shorter is kept. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/format.h"
#include "codec/prans/inner.h"
#include "codec/prans/plateaus/walk.h"
#include "codec/sample.h"

enum {
    LEAST_VALUES = 1024,
    PAIRS = 256,           /* of neighbours that a sample has */
    FEW_PART = 16,         /* of so many edges one does not take long: the stream is made without a trial */
    TRIED_LEAST = 1 << 14, /* values of which a part is tried */
    TRIED_PART = 8,        /* of the values that trials are made with, */
    DOUBT_PART = 2,    /* and by estimates, which see less than other formats take, may cost so much more */
    SLIGHT_PART = 128, /* of so many values a stream of a byte is shorter than any of bins */
    SURE_PART = 4,     /* less than other formats' estimate, a stream is taken without a look at theirs */
};

/* How many of a sample's values are other than the ones before them; or so many that more do not count. */
static size_t edges_of_sample(const struct plateaus_work *w, const uint8_t *values)
{
    enum { FIRST = 32 };
    size_t edges = 0;
    for (uint32_t i = 0; i < PAIRS && edges <= PAIRS / PLATEAUS_PART; i++) {
        if (i == FIRST && edges == FIRST)
            return PAIRS;
        const uint8_t *const pair = values + fpgz_sample_place(i, PAIRS, w->count - 1) * w->size;
        edges += fpgz_load_word(pair, w->size) != fpgz_load_word(pair + w->size, w->size);
    }
    return edges;
}

INLINE size_t mark_by_size(const struct plateaus_work *w, const uint8_t *values, size_t size)
{
    uint8_t *const edges = w->edges + w->base / 8;
    size_t count = 0;
    for (size_t first = 0; first < w->count; first += 64) {
        const size_t some = fpgz_min(w->count - first, 64);
        uint64_t word = 0;
        for (size_t i = !first; i < some; i++)
            word |= (uint64_t)(word_at(values, size, first + i) != word_at(values, size, first + i - 1)) << i;
        memcpy(edges + first / 8, &word, sizeof word);
        count += (size_t)__builtin_popcountll(word);
    }
    return count;
}

/* Marks edges but that at the first value; returns how many there are. */
static size_t mark_all(const struct plateaus_work *w, const uint8_t *values)
{
    switch (w->size) {
    case 1:
        return mark_by_size(w, values, 1);
    case 2:
        return mark_by_size(w, values, 2);
    case 4:
        return mark_by_size(w, values, 4);
    default:
        return mark_by_size(w, values, 8);
    }
}

/* Writes edges and gaps to `kept`; returns their bytes, 0 if there are too many. */
static size_t write_edges(const struct plateaus_work *w, const uint8_t *values, struct plateaus_way *way)
{
    *way = (struct plateaus_way){.values = (uint8_t *)values};
    fpgz_prans_plateaus_clear(w);
    if (mark_all(w, values) >= w->fresh_most)
        return 0;
    fpgz_prans_range_write(&way->edges, w->kept, w->kept_bytes);
    walk_by_size(w, way, false);
    uint8_t *const gaps = fpgz_prans_range_flush(&way->edges);
    way->edge_bytes = (size_t)(gaps - w->kept);
    fpgz_prans_range_write(&way->gaps, gaps, w->kept_bytes - way->edge_bytes);
    for (size_t i = 0; i < way->gap_count; i++)
        code_gap(w->chances, way, w->gap[i].kind, w->gap[i].values);
    const size_t bytes = (size_t)(fpgz_prans_range_flush(&way->gaps) - w->kept);
    return way->edges.failed || way->gaps.failed ? 0 : bytes;
}

static struct fpgz_coding fresh_coding(const struct plateaus_work *w, const struct fpgz_coding *coding,
                                       const struct plateaus_way *way)
{
    return (struct fpgz_coding){fpgz_prans_row(coding->grid.dtype, way->fresh), coding->params, w->inner,
                                NULL};
}

/* Whether it pays for a part of the values by estimates, of which `otherwise` is that of other formats. */
static bool pays_for_part(const struct plateaus_work *w, const struct fpgz_codec *inner,
                          const struct fpgz_coding *coding, const uint8_t *values, size_t otherwise,
                          uint8_t *stream)
{
    struct plateaus_work part = *w;
    struct plateaus_way way;
    part.count = w->count / TRIED_PART;
    part.fresh_most = w->fresh_most / TRIED_PART;
    const size_t told = write_edges(&part, values + (w->count - part.count) / 2 * w->size, &way);
    if (!told)
        return false;
    const struct fpgz_coding row = fresh_coding(w, coding, &way);
    const uint64_t about = (told + inner->estimate(&row, w->fresh, stream)) * TRIED_PART;
    return about < otherwise + otherwise / DOUBT_PART;
}

/* Writes the stream; returns its bytes, 0 if it is too long to be of use. */
static size_t write_stream(const struct plateaus_work *w, const struct fpgz_codec *inner,
                           const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    struct plateaus_way way;
    const size_t told = write_edges(w, values, &way);
    if (!told)
        return 0;
    const struct fpgz_coding row = fresh_coding(w, coding, &way);
    if (inner->memory(&row.grid, &row.params) > w->inner_bytes) /* ranks are tried of fewer values alone */
        return 0;
    const size_t fresh = fpgz_prans_inner_put(inner, &row, NULL, w->fresh, stream + PLATEAUS_FRONT);
    if (PLATEAUS_FRONT + fresh + told > w->kept_bytes)
        return 0;
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_PLATEAUS, 0, 0, 0}, 4);
    fpgz_store32(stream + 4, PLATEAUS_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + 8, (uint32_t)way.fresh);
    fpgz_store32(stream + 12, (uint32_t)fresh);
    fpgz_store32(stream + 16, (uint32_t)way.edge_bytes);
    memcpy(stream + PLATEAUS_FRONT + fresh, w->kept, told);
    return PLATEAUS_FRONT + fresh + told;
}

/* The stream of plateaus, which is then in `kept`; 0 if there is none. is_sure: no other format will make
 * less of the values, as far as the middle setting can tell. */
static size_t try_plateaus(const struct plateaus_work *w, const struct fpgz_codec *inner,
                           const struct fpgz_coding *coding, const uint8_t *values, uint8_t *stream,
                           bool *is_sure)
{
    const struct fpgz_coding whole = {coding->grid, coding->params,
                                      w->kept + fpgz_round_up(w->kept_bytes, 64), NULL};
    const size_t edges = w->count < LEAST_VALUES ? PAIRS : edges_of_sample(w, values);
    size_t otherwise = 0;
    if (edges > PAIRS / PLATEAUS_PART)
        return 0;
    if (edges > PAIRS / FEW_PART && w->count >= TRIED_LEAST) {
        otherwise = inner->estimate(&whole, values, stream);
        if (!pays_for_part(w, inner, coding, values, otherwise, stream))
            return 0;
    }
    const size_t bytes = write_stream(w, inner, coding, values, stream);
    memcpy(w->kept, stream, bytes);
    if (!bytes || fpgz_prans_is_high(&coding->params))
        return bytes;
    *is_sure = bytes <= w->count / SLIGHT_PART;
    if (*is_sure)
        return bytes;
    if (!otherwise)
        otherwise = inner->estimate(&whole, values, stream);
    *is_sure = bytes < otherwise - otherwise / SURE_PART;
    return bytes;
}

enum fpgz_status fpgz_prans_plateaus_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                            size_t *length)
{
    const struct plateaus_work w =
        fpgz_prans_plateaus_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    struct fpgz_coding within = *coding;
    bool is_sure = false;
    const size_t bytes = try_plateaus(&w, inner, coding, values, stream, &is_sure);
    within.scratch = w.kept + fpgz_round_up(bytes, 64);
    const enum fpgz_status status =
        is_sure ? FPGZ_OK : fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (!bytes || (!is_sure && !status && bytes >= *length))
        return status;
    memcpy(stream, w.kept, *length = bytes);
    return FPGZ_OK;
}

size_t fpgz_prans_plateaus_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params)
{
    const struct plateaus_work w = fpgz_prans_plateaus_work(inner, grid, params, true, NULL);
    const struct fpgz_grid row = fpgz_prans_row(grid->dtype, fpgz_max(w.fresh_most, 1));
    const size_t fresh = fpgz_max(inner->bound(&row, params), fpgz_grid_bytes(&row));
    return fpgz_max(inner->bound(grid, params), PLATEAUS_FRONT + w.kept_bytes + fresh);
}

size_t fpgz_prans_plateaus_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                  const struct fpgz_params *params, bool encoding)
{
    const struct plateaus_work w = fpgz_prans_plateaus_work(inner, grid, params, encoding, NULL);
    const size_t whole = (encoding ? inner->memory : inner->decode_memory)(grid, params);
    return fpgz_max(w.bytes, encoding ? fpgz_round_up(w.kept_bytes, 64) + whole : whole);
}

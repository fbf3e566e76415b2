/* SPDX-License-Identifier: MIT
 * Decoding of grids apart: part by part; and what listings tell of such streams. */
#include <string.h>

#include "codec/prans/apart/akin.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/apart/work.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

/* Reads what stands before the streams; *side is the bytes of that. */
static bool read_front(const struct fpgz_grid *grid, const uint8_t *stream, size_t length,
                       struct apart_split *split, size_t *side)
{
    if (length < PRANS_HEAD_BYTES || stream[3] || !fpgz_prans_apart_split(grid, stream[1], stream[2], split))
        return false;
    *side = 4 * split->slow * split->fast;
    return fpgz_load32(stream + 4) == *side;
}

bool fpgz_prans_apart_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                           struct apart_split *split, struct prans_inner part[APART_MOST])
{
    size_t side;
    if (!read_front(&coding->grid, stream, length, split, &side) || length - PRANS_HEAD_BYTES < side)
        return false;
    const uint8_t *const bytes = stream + PRANS_HEAD_BYTES, *at = bytes + side;
    size_t left = length - PRANS_HEAD_BYTES - side;
    for (size_t i = 0; i < side / 4; i++) {
        part[i] = (struct prans_inner){split->part, coding->params, at, fpgz_load32(bytes + 4 * i)};
        if (part[i].length > left)
            return false;
        at += part[i].length;
        left -= part[i].length;
    }
    return !left;
}

static bool decode_parts(const struct fpgz_codec *inner, const struct prans_inner *part, size_t parts,
                         const struct apart_work *w, uint8_t *values)
{
    const size_t raw = fpgz_grid_bytes(&part->grid);
    const struct apart_work work = fpgz_prans_apart_differing(w, inner, &part->grid, &part->params, false);
    for (size_t i = 0; i < parts; i++)
        if (!(fpgz_prans_is_akin(&part[i])
                  ? fpgz_prans_akin_decode(inner, &part[i], i, &work, values)
                  : fpgz_prans_inner_decode(inner, &part[i], w->inner, values + i * raw)))
            return false;
    return true;
}

enum fpgz_status fpgz_prans_apart_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t first, uint64_t count,
                                         void *values)
{
    struct apart_split split;
    struct prans_inner part[APART_MOST];
    if (!fpgz_prans_apart_read(coding, stream, length, &split, part))
        return FPGZ_CORRUPT;
    const struct apart_work w =
        fpgz_prans_apart_work(inner, &coding->grid, &coding->params, false, coding->scratch);
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    const bool all = count == fpgz_grid_values(&coding->grid), direct = all && split.fast == 1;
    uint8_t *const parts = direct ? values : w.values;
    if (!decode_parts(inner, part, split.slow * split.fast, &w, parts))
        return FPGZ_CORRUPT;
    if (direct)
        return FPGZ_OK;
    if (split.fast == 1) {
        memcpy(values, parts + first * size, count * size);
    } else if (all) {
        fpgz_prans_apart_put(&split, parts, values);
    } else {
        fpgz_prans_apart_put_some(&split, parts, first, count, values);
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_apart_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                           const uint8_t *stream, size_t length, size_t *needed,
                                           struct fpgz_traits *traits)
{
    struct apart_split split;
    size_t side;
    *needed = PRANS_HEAD_BYTES;
    if (length < PRANS_HEAD_BYTES)
        return FPGZ_TRUNCATED;
    if (!read_front(&coding->grid, stream, length, &split, &side))
        return FPGZ_CORRUPT;
    const size_t front = PRANS_HEAD_BYTES + side;
    *needed = front + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    const size_t bytes = fpgz_load32(stream + PRANS_HEAD_BYTES);
    const struct fpgz_coding part = {split.part, coding->params, coding->scratch, NULL};
    if (bytes == fpgz_grid_bytes(&split.part)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status =
        inner->describe(&part, stream + front, fpgz_min(length - front, bytes), needed, traits);
    *needed += front;
    return status;
}

/* SPDX-License-Identifier: MIT
 * Decoding of grids apart: part by part; and what listings tell of such streams. */
#include <string.h>

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

static bool decode_parts(const struct fpgz_codec *inner, const struct fpgz_coding *part,
                         const uint8_t *stream, size_t length, size_t parts, uint8_t *values)
{
    const uint8_t *side = stream + PRANS_HEAD_BYTES, *at = side + 4 * parts;
    const size_t raw = fpgz_grid_bytes(&part->grid);
    size_t left = length - PRANS_HEAD_BYTES - 4 * parts;
    for (size_t i = 0; i < parts; i++, side += 4, values += raw) {
        const size_t bytes = fpgz_load32(side);
        if (bytes > left)
            return false;
        if (bytes == raw)
            memcpy(values, at, raw);
        else if (inner->decode(part, at, bytes, values))
            return false;
        at += bytes;
        left -= bytes;
    }
    return !left;
}

enum fpgz_status fpgz_prans_apart_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t first, uint64_t count,
                                         void *values)
{
    struct apart_split split;
    size_t side;
    if (!read_front(&coding->grid, stream, length, &split, &side) || length < PRANS_HEAD_BYTES + side)
        return FPGZ_CORRUPT;
    const struct apart_work w =
        fpgz_prans_apart_work(inner, &coding->grid, &coding->params, false, coding->scratch);
    const struct fpgz_coding part = {split.part, coding->params, w.inner};
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    const bool all = count == fpgz_grid_values(&coding->grid), direct = all && split.fast == 1;
    uint8_t *const parts = direct ? values : w.values;
    if (!decode_parts(inner, &part, stream, length, split.slow * split.fast, parts))
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
    const struct fpgz_coding part = {split.part, coding->params, coding->scratch};
    if (bytes == fpgz_grid_bytes(&split.part)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status =
        inner->describe(&part, stream + front, fpgz_min(length - front, bytes), needed, traits);
    *needed += front;
    return status;
}

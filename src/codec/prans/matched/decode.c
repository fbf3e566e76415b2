/* SPDX-License-Identifier: MIT
 * Decoding of matches: inner streams, then the words put together again; and what listings tell of such
 * streams. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/matched/work.h"
#include "core/bytes.h"

bool fpgz_prans_matched_known(const uint8_t *stream, size_t length)
{
    return length >= PRANS_HEAD_BYTES && !(stream[1] & ~MATCHED_DIFFERS) && !stream[3];
}

static bool read_front(const uint8_t *stream, size_t values, struct matched_front *f)
{
    const uint8_t *const side = stream + PRANS_HEAD_BYTES;
    *f = (struct matched_front){.differs = stream[1] & MATCHED_DIFFERS,
                                .deepest = stream[2],
                                .tokens = fpgz_load32(side),
                                .literals = fpgz_load32(side + 4)};
    return fpgz_load32(stream + 4) == MATCHED_SIDE_BYTES && f->deepest <= MATCHED_DEEPEST && f->tokens &&
           f->tokens <= values / MATCHED_TOKEN_PART && f->literals && f->literals < values &&
           f->tokens <= values - f->literals;
}

/* A row of values, in the next `bytes` bytes. */
static struct prans_inner next_row(const struct fpgz_coding *coding, enum fpgz_dtype dtype, size_t count,
                                   const uint8_t **at, size_t bytes)
{
    const uint8_t *const stream = *at;
    *at += bytes;
    return (struct prans_inner){fpgz_prans_row(dtype, count),
                                fpgz_prans_matched_params(&coding->params, bytes ? stream[0] : 0), stream,
                                bytes};
}

bool fpgz_prans_matched_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                             struct matched_front *f, struct prans_inner row[MATCHED_STREAMS])
{
    const uint8_t *const side = stream + PRANS_HEAD_BYTES, *at = side + MATCHED_SIDE_BYTES;
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    if (length < PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES || !read_front(stream, count, f))
        return false;
    size_t left = length - PRANS_HEAD_BYTES - MATCHED_SIDE_BYTES;
    for (unsigned i = 0; i + 1 < MATCHED_STREAMS; i++) {
        const size_t bytes = fpgz_load32(side + 8 + (size_t)4 * i);
        if (bytes > left)
            return false;
        row[i] = i ? next_row(coding, FPGZ_U32, f->tokens, &at, bytes)
                   : next_row(coding, coding->grid.dtype, f->literals, &at, bytes);
        left -= bytes;
    }
    if (f->differs)
        row[MATCHED_STREAMS - 1] = next_row(coding, matched_difference(size), count - f->literals, &at, left);
    return f->differs || !left;
}

/* All values; `values` is NULL: to w->joined. */
static bool decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding, const uint8_t *stream,
                   size_t length, struct matched_work *w, void *values)
{
    struct matched_front f;
    struct prans_inner row[MATCHED_STREAMS];
    struct matched_tokens *const t = &w->tokens;
    if (!fpgz_prans_matched_read(coding, stream, length, &f, row))
        return false;
    t->count = f.tokens;
    t->literals = f.literals;
    t->deepest = f.deepest;
    fpgz_prans_matched_tighten(w, f.tokens, f.differs ? w->count : f.literals);
    if (!fpgz_prans_inner_decode(inner, &row[0], w->scratch, w->parts))
        return false;
    for (unsigned i = 0; i < MATCHED_FIELDS; i++)
        if (!fpgz_prans_inner_decode(inner, &row[1 + i], w->scratch, t->field[i]))
            return false;
    uint8_t *const differences = f.differs ? w->parts + t->literals * w->size : NULL;
    if (f.differs && !fpgz_prans_inner_decode(inner, &row[MATCHED_STREAMS - 1], w->scratch, differences))
        return false;
    return w->kernels->join(w->number, t, w->parts, differences, w->count, w->depth,
                            values ? values : w->joined);
}

enum fpgz_status fpgz_prans_matched_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                           const uint8_t *stream, size_t length, uint64_t first,
                                           uint64_t count, void *values)
{
    struct matched_work *const w = coding->scratch;
    fpgz_prans_matched_work(inner, &coding->grid, &coding->params, false, w, w);
    const bool all = count == w->count;
    if (!fpgz_prans_matched_known(stream, length))
        return FPGZ_UNSUPPORTED;
    if (!decode(inner, coding, stream, length, w, all ? values : NULL))
        return FPGZ_CORRUPT;
    if (!all)
        memcpy(values, w->joined + first * w->size, count * w->size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_matched_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             const uint8_t *stream, size_t length, size_t *needed,
                                             struct fpgz_traits *traits)
{
    enum { FRONT = PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES };
    struct matched_front f;
    *needed = FRONT;
    if (length < FRONT)
        return FPGZ_TRUNCATED;
    if (!fpgz_prans_matched_known(stream, length))
        return FPGZ_UNSUPPORTED;
    const size_t bytes = fpgz_load32(stream + PRANS_HEAD_BYTES + 8);
    if (!read_front(stream, (size_t)fpgz_grid_values(&coding->grid), &f) || !bytes)
        return FPGZ_CORRUPT;
    *needed = FRONT + 1;
    if (length == FRONT)
        return FPGZ_TRUNCATED;
    const struct fpgz_coding literals = {fpgz_prans_row(coding->grid.dtype, f.literals),
                                         fpgz_prans_matched_params(&coding->params, stream[FRONT]),
                                         coding->scratch, NULL};
    if (bytes == f.literals * fpgz_dtype_size(coding->grid.dtype)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status =
        inner->describe(&literals, stream + FRONT, fpgz_min(length - FRONT, bytes), needed, traits);
    *needed += FRONT;
    return status;
}

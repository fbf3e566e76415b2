/* SPDX-License-Identifier: MIT
 * Decoding of matches: inner streams, then the words put together again; and what listings tell of such
 * streams. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/matched/work.h"
#include "core/bytes.h"

/* What a stream says before its inner streams. */
struct front {
    bool differs;
    unsigned deepest;
    size_t tokens, literals;
    size_t bytes[MATCHED_STREAMS];
};

bool fpgz_prans_matched_known(const uint8_t *stream, size_t length)
{
    return length >= PRANS_HEAD_BYTES && !(stream[1] & ~MATCHED_DIFFERS) && !stream[3];
}

/* The first one has format 6 itself nowhere: an inner stream is of another. `all` is the length of all of
 * them. */
static bool read_front(const uint8_t *stream, size_t values, struct front *f)
{
    const uint8_t *const side = stream + PRANS_HEAD_BYTES;
    *f = (struct front){.differs = stream[1] & MATCHED_DIFFERS,
                        .deepest = stream[2],
                        .tokens = fpgz_load32(side),
                        .literals = fpgz_load32(side + 4)};
    for (unsigned i = 0; i + 1 < MATCHED_STREAMS; i++)
        f->bytes[i] = fpgz_load32(side + 8 + (size_t)4 * i);
    return fpgz_load32(stream + 4) == MATCHED_SIDE_BYTES && f->deepest <= MATCHED_DEEPEST && f->tokens &&
           f->tokens <= values / MATCHED_TOKEN_PART && f->literals && f->literals < values &&
           f->tokens <= values - f->literals;
}

/* Decodes a row of values from the next `bytes` bytes, which are that row where they are as many as it has.
 */
static bool get_row(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                    const struct matched_work *w, enum fpgz_dtype dtype, size_t count, const uint8_t **at,
                    size_t bytes, void *values)
{
    const uint8_t *const stream = *at;
    *at += bytes;
    if (bytes == count * fpgz_dtype_size(dtype)) {
        memcpy(values, stream, bytes);
        return true;
    }
    const struct fpgz_coding row = {matched_row(dtype, count),
                                    fpgz_prans_matched_params(&coding->params, bytes ? stream[0] : 0),
                                    w->scratch};
    return !inner->decode(&row, stream, bytes, values);
}

static bool decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding, const uint8_t *stream,
                   size_t length, struct matched_work *w, void *ordered)
{
    struct front f;
    struct matched_tokens *const t = &w->tokens;
    const uint8_t *at = stream + PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES;
    if (length < PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES || !read_front(stream, w->count, &f))
        return false;
    size_t left = length - PRANS_HEAD_BYTES - MATCHED_SIDE_BYTES;
    for (unsigned i = 0; i + 1 < MATCHED_STREAMS; i++) {
        if (f.bytes[i] > left)
            return false;
        left -= f.bytes[i];
    }
    if (!f.differs && left)
        return false;
    t->count = f.tokens;
    t->literals = f.literals;
    t->deepest = f.deepest;
    if (!get_row(inner, coding, w, coding->grid.dtype, t->literals, &at, f.bytes[0], w->parts))
        return false;
    for (unsigned i = 0; i < MATCHED_FIELDS; i++)
        if (!get_row(inner, coding, w, FPGZ_U32, t->count, &at, f.bytes[1 + i], t->field[i]))
            return false;
    uint8_t *const differences = f.differs ? w->parts + t->literals * w->size : NULL;
    if (f.differs && !get_row(inner, coding, w, matched_difference(w->size), w->count - t->literals, &at,
                              left, differences))
        return false;
    w->kernels->order(w->number, t->literals, w->parts);
    if (!w->kernels->join(w->number, t, w->parts, differences, w->count, w->depth, ordered))
        return false;
    w->kernels->unorder(w->number, w->count, ordered);
    return true;
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
    if (!decode(inner, coding, stream, length, w, all ? values : w->ordered))
        return FPGZ_CORRUPT;
    if (!all)
        memcpy(values, w->ordered + first * w->size, count * w->size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_matched_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             const uint8_t *stream, size_t length, size_t *needed,
                                             struct fpgz_traits *traits)
{
    enum { FRONT = PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES };
    struct front f;
    *needed = FRONT;
    if (length < FRONT)
        return FPGZ_TRUNCATED;
    if (!fpgz_prans_matched_known(stream, length))
        return FPGZ_UNSUPPORTED;
    if (!read_front(stream, (size_t)fpgz_grid_values(&coding->grid), &f) || !f.bytes[0])
        return FPGZ_CORRUPT;
    *needed = FRONT + 1;
    if (length == FRONT)
        return FPGZ_TRUNCATED;
    const struct fpgz_coding literals = {matched_row(coding->grid.dtype, f.literals),
                                         fpgz_prans_matched_params(&coding->params, stream[FRONT]),
                                         coding->scratch};
    if (f.bytes[0] == f.literals * fpgz_dtype_size(coding->grid.dtype)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status =
        inner->describe(&literals, stream + FRONT, fpgz_min(length - FRONT, f.bytes[0]), needed, traits);
    *needed += FRONT;
    return status;
}

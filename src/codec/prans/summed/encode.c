/* SPDX-License-Identifier: MIT
 * Encoding of sums: tried where a probe sees that differences return, and estimates that they save much of
 * the stream without. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/summed/summed.h"
#include "codec/prans/summed/work.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

enum {
    LEAST_VALUES = 1024,
    SHORT_PART = 32,       /* of the values' bytes: floats that take less are mostly ramps */
    LEAST_BYTES = 256,     /* of a stream that sums could shorten */
    PROBED_BITS = 8,       /* that the probe takes for the cost of a difference: cheap ones begin no match */
    PROBED_PART = 12,      /* what it must see of that, */
    PROBED_PART_HIGH = 40, /* and in the high setting */
    GAIN_PART = 16,        /* what sums must save by estimates */
    ORDER_PART = 8,        /* what the second order must save of what the first one takes */
    DOUBT = 2,             /* so many times the stream they may take by these in the high setting, */
    DOUBT_PART = 8,        /* and by so much more than it by the middle one, before that is tried */
};

/* About the bits that the differences in w->words take; UINT64_MAX if hardly any return. They would take
 * `otherwise`. What is at `stream` is lost. */
static uint64_t estimate(const struct summed_work *w, const struct fpgz_codec *inner,
                         const struct fpgz_params *params, uint64_t otherwise, uint8_t *stream)
{
    const bool is_high = fpgz_prans_is_high(params);
    const struct fpgz_coding row = {w->row, fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE), w->inner,
                                    NULL};
    const uint64_t bits = fpgz_max(otherwise, (uint64_t)w->layout.values * PROBED_BITS),
                   enough = bits / (is_high ? PROBED_PART_HIGH : PROBED_PART),
                   saved =
                       fpgz_prans_matched_promise(&fpgz_prans_plain, &row, w->words, bits, enough, is_high);
    if (saved < enough)
        return UINT64_MAX;
    const double left = saved < bits ? (double)(bits - saved) / (double)bits : 0;
    return (uint64_t)(8 * (double)inner->estimate(&row, w->words, stream) * left);
}

/* Puts the differences of the better order into w->words. Returns that order, 0 where neither takes fewer
 * than `most` bits. */
static unsigned find_order(const struct summed_work *w, const struct fpgz_codec *inner,
                           const struct fpgz_params *params, uint64_t otherwise, uint64_t most,
                           uint8_t *stream)
{
    unsigned best = 0;
    for (unsigned order = 1; order <= SUMMED_ORDERS; order++) {
        fpgz_prans_summed_step(w, false, w->words);
        const uint64_t bits = estimate(w, inner, params, otherwise, stream);
        if (bits >= (best ? most - most / ORDER_PART : most))
            continue;
        best = order;
        most = bits;
    }
    for (unsigned order = SUMMED_ORDERS; best && order > best; order--)
        fpgz_prans_summed_step(w, true, w->words);
    return best;
}

/* Codes the differences behind a stream's head. The high setting codes them by the middle one at first, which
 * mostly tells whether its own is worth the time. Returns the bytes. */
static size_t put(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                  const struct summed_work *w, size_t otherwise, uint8_t *stream)
{
    const struct fpgz_params middle = fpgz_prans_matched_params(&coding->params, PRANS_FORMAT_MIDDLE);
    const struct fpgz_coding rough = {w->row, middle, w->inner, NULL},
                             row = {w->row, fpgz_prans_symmetric_differing(&w->row, &coding->params),
                                    w->inner, NULL};
    uint8_t *const at = stream + PRANS_HEAD_BYTES;
    const size_t first = fpgz_prans_inner_put(inner, &rough, NULL, w->words, at);
    if (!fpgz_prans_is_high(&row.params) || first > otherwise + otherwise / DOUBT_PART)
        return first;
    const size_t second = fpgz_prans_inner_put(inner, &row, NULL, w->words, at);
    return second <= first ? second : fpgz_prans_inner_put(inner, &rough, NULL, w->words, at);
}

/* Codes the grid by sums, and keeps that if it is shorter than the *length bytes of the stream. */
static void try_sums(const struct fpgz_codec *inner, const struct fpgz_coding *coding, struct fpgz_aide *aide,
                     const void *values, uint8_t *stream, size_t *length)
{
    const struct summed_work w =
        fpgz_prans_summed_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    const size_t size = fpgz_dtype_size(coding->grid.dtype), before = *length;
    const uint64_t bits = 8 * (uint64_t)before,
                   most = fpgz_prans_is_high(&coding->params) ? DOUBT * bits : bits - bits / GAIN_PART;
    if (w.layout.components > 1)
        fpgz_prans_middle_split(&w.layout, size, values, w.words);
    else
        memcpy(w.words, values, w.layout.values * size);
    w.kernels->order(w.number, w.layout.values, w.words);
    memcpy(w.kept, stream, before);
    const unsigned order = find_order(&w, inner, &coding->params, bits, most, stream);
    if (order && aide)
        aide->drop(aide);
    const size_t bytes = PRANS_HEAD_BYTES + (order ? put(inner, coding, &w, before, stream) : before);
    if (bytes >= before) {
        memcpy(stream, w.kept, before);
        return;
    }
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_SUMMED, (uint8_t)order, w.layout.components > 1, 0}, 4);
    fpgz_store32(stream + 4, 0);
    *length = bytes;
}

/* Whether it is worth a look at a grid that takes so many bytes. In the middle setting it would take a third
 * of the time, and floats that take more seldom gain by it: of 130 real grids two, and 5 %. */
static bool is_likely(const struct fpgz_coding *coding, size_t length)
{
    const size_t raw = fpgz_grid_bytes(&coding->grid);
    const bool is_real = prans_number_of(coding->grid.dtype) == PRANS_REAL;
    return summed_is_tried(&coding->grid) && fpgz_grid_values(&coding->grid) >= LEAST_VALUES &&
           length >= LEAST_BYTES &&
           length <= (is_real && !fpgz_prans_is_high(&coding->params) ? raw / SHORT_PART : raw);
}

enum fpgz_status fpgz_prans_summed_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length)
{
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    if (!status && is_likely(coding, *length) && (!aide || fpgz_buffer_complete(aide->raw)))
        try_sums(inner, coding, aide, values, stream, length);
    return status;
}

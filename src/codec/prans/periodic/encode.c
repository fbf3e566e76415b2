/* SPDX-License-Identifier: MIT
 * Encoding by a period: a probe finds it, and estimates of the middle setting tell what it saves. */
#include "codec/prans/periodic/periodic.h"

#include "codec/codecs.h"
#include "core/bytes.h"

enum { GAIN_PART = 64 /* what a period must save by the estimates, or in the high setting may cost */ };

/* The stream by a period; 0 if it is not shorter than `least` bytes. */
static size_t encode_split(enum periodic_axis axis, const struct fpgz_codec *inner,
                           const struct fpgz_coding *coding, struct fpgz_aide *aide,
                           const struct periodic_found *found, const uint8_t *values, size_t least,
                           uint8_t *stream)
{
    const struct periodic_split *const split = &found->split;
    const struct fpgz_coding whole = {split->whole, coding->params, coding->scratch, NULL},
                             rest = {split->rest, coding->params, coding->scratch, NULL};
    const size_t room = fpgz_prans_periodic_bound(inner, &coding->grid, &coding->params);
    uint8_t *const first = stream + PERIODIC_FRONT;
    const size_t bytes = fpgz_prans_inner_put(inner, &whole, aide, values, first);
    size_t length = PERIODIC_FRONT + bytes;
    if (split->rest_values) {
        if (length + fpgz_max(fpgz_grid_bytes(&rest.grid), inner->bound(&rest.grid, &rest.params)) > room)
            return 0;
        length +=
            fpgz_prans_inner_put(inner, &rest, NULL, values + fpgz_grid_bytes(&split->whole), first + bytes);
    }
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_PERIODIC, axis, 0, 0}, 4);
    fpgz_store32(stream + 4, PERIODIC_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + 8, (uint32_t)found->period);
    fpgz_store32(stream + 12, (uint32_t)bytes);
    return length < least ? length : 0;
}

/* About the bytes of the stream by a period, its rest like the others. */
static size_t estimate_split(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                             const struct periodic_split *split, const void *values, uint8_t *stream)
{
    const struct fpgz_coding whole = {split->whole, coding->params, coding->scratch, NULL};
    const double all = (double)fpgz_grid_values(&coding->grid);
    return PERIODIC_FRONT +
           (size_t)((double)inner->estimate(&whole, values, stream) * all / (double)split->whole_values);
}

bool fpgz_prans_periodic_find(enum periodic_axis axis, const struct fpgz_codec *inner,
                              const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                              struct periodic_found *found)
{
    const bool high = fpgz_prans_is_high(&coding->params);
    found->period = coding->params.value[PRANS_AS_SHAPED]
                        ? 0
                        : fpgz_prans_periodic_probe(axis, &coding->grid, values, high);
    if (!fpgz_prans_periodic_split(axis, &coding->grid, found->period, &found->split) ||
        !fpgz_prans_periodic_fits(axis, inner, &coding->grid, &coding->params, &found->split, true))
        return false;
    found->whole = inner->estimate(coding, values, stream);
    found->by_period = estimate_split(inner, coding, &found->split, values, stream);
    const size_t margin = found->whole / GAIN_PART;
    return found->by_period < (high ? found->whole + margin : found->whole - margin);
}

enum fpgz_status fpgz_prans_periodic_encode(enum periodic_axis axis, const struct fpgz_codec *inner,
                                            const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                            const void *values, uint8_t *stream, size_t *length)
{
    const bool high = fpgz_prans_is_high(&coding->params);
    const size_t beside =
        high ? fpgz_round_up(fpgz_prans_periodic_bound(inner, &coding->grid, &coding->params), 64) : 0;
    uint8_t *const other = coding->scratch;
    const struct fpgz_coding within = {coding->grid, coding->params, other + beside, coding->lead};
    struct periodic_found found;
    const bool is_tried = fpgz_prans_periodic_find(axis, inner, &within, values, stream, &found);
    if (is_tried && !high) {
        *length = encode_split(axis, inner, &within, aide, &found, values, found.whole, stream);
        if (*length)
            return FPGZ_OK;
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (status || !is_tried || !high)
        return status;
    const size_t bytes = encode_split(axis, inner, &within, aide, &found, values, *length, other);
    if (bytes)
        memcpy(stream, other, *length = bytes);
    return FPGZ_OK;
}
